// Repeats, after a restore, what operators have done since the backup; see docs/backups.md.
import type { PoolClient } from 'pg';
import type { NotedEntry } from '../audit/entries.ts';
import { findForgotten, type ForgottenEntry, type SavedAudit } from '../audit/forgotten.ts';
import { inTransaction, type Pool } from '../database/pool.ts';
import { setAccountActiveById, endKey } from '../keys/replay.ts';
import { eraseAgain } from '../record/people/erase-again.ts';
import { holdErasures } from '../record/people/erasures-lock.ts';
import { giveEverythingOf, giveOwned } from '../record/sources/give.ts';
import { type OwnedKind } from '../record/sources/ownership.ts';
import { Marks } from '../record/backlog/marks.ts';
import { keepHidden, showOrHide } from '../record/write/set-published.ts';

export interface Replayed {
  done: ForgottenEntry[];
  /**
   * Entries that the operator must deal with, because the audit does not say what was changed, or because the
   * thing is gone.
   */
  byHand: ForgottenEntry[];
  skipped: ForgottenEntry[];
  /** Skipped entries that had closed something which is open now. */
  open: ForgottenEntry[];
}

/**
 * Repeats the actions in one transaction. At its end the saved entries replace those that the transaction
 * itself wrote to the audit, so a second run finds nothing to do. The caller publishes the marks.
 */
export function replayAudit(pool: Pool, saved: SavedAudit): Promise<Replayed> {
  return inTransaction(pool, async (client) => {
    await holdErasures(client);
    await client.query('lock table audit.entry in share row exclusive mode');
    const { rows } = await client.query<{ last: string }>(
      'select coalesce(max(id), 0) as last from audit.entry',
    );
    const forgotten = await findForgotten(client, saved);
    const marks = new Marks();
    const result: Replayed = { done: [], byHand: [], skipped: [], open: [] };
    for (const entry of forgotten) {
      if (entry.differs !== undefined) result[entry.isOpen ? 'open' : 'skipped'].push(entry);
      else if (await replay(client, entry, marks)) result.done.push(entry);
      else result.byHand.push(entry);
    }
    // A revoked successor has no saved entry.
    await client.query(
      `delete from audit.entry where id > $1 and not (action = 'key revoked' and thing = any($2))`,
      [rows[0]?.last, result.done.flatMap(({ successors = [] }) => successors)],
    );
    await client.query(
      `insert into audit.entry (at, login, action, kind, thing)
        select at, login, action, kind, thing from jsonb_to_recordset($1)
          as e (at timestamptz, login text, action text, kind text, thing text)`,
      [JSON.stringify(forgotten.filter(({ differs }) => differs === undefined))],
    );
    await keepIdsUnused(client, saved.entries);
    await marks.append(client);
    return result;
  });
}

/** Repeats one action. Returns false if the operator has to do it. */
async function replay(client: PoolClient, entry: ForgottenEntry, marks: Marks): Promise<boolean> {
  const { action, thing, at } = entry;
  const slash = thing.indexOf('/');
  switch (action) {
    case 'key revoked':
      // Whoever had the key may also have the one that replaced it, because nobody knew that it was revoked.
      for (const id of [thing, ...(entry.successors ?? [])])
        await client.query('select keys.revoke_key($1)', [id]);
      return true;
    case 'key rotated':
      await endKey(client, thing, at);
      return true;
    case 'account activated':
    case 'account deactivated':
      await setAccountActiveById(client, thing, action === 'account activated');
      return true;
    case 'tournament shown':
    case 'tournament hidden': {
      const isShown = action === 'tournament shown';
      // The tournament may be recorded again later, and must then stay hidden too.
      if (!(await showOrHide(client, thing, isShown, marks))) await keepHidden(client, thing, !isShown);
      return true;
    }
    case 'player erased':
    case 'guest erased':
      entry.recordedFor = await eraseAgain(
        client,
        action === 'player erased' ? 'player' : 'guest',
        thing,
        marks,
      );
      return true;
    case 'thing given':
      return giveAgain(client, entry, thing.slice(0, slash), thing.slice(slash + 1));
    case 'source given':
      return (await giveEverythingOf(client, thing.slice(0, slash), thing.slice(slash + 1))) !== undefined;
    default:
      return false;
  }
}

async function giveAgain(client: PoolClient, { kind }: NotedEntry, to: string, id: string): Promise<boolean> {
  if (kind !== 'battle pack') return (await giveOwned(client, to, kind as OwnedKind, id)) !== undefined;
  const { rows } = await client.query<{ name: string }>(
    'select name from record.battle_pack where md5(name) = $1',
    [id],
  );
  return rows[0] !== undefined && (await giveOwned(client, to, 'battlePack', rows[0].name)) !== undefined;
}

/** Advances the sequences, because the next key must not get an id that the audit uses for another one. */
async function keepIdsUnused(client: PoolClient, saved: NotedEntry[]): Promise<void> {
  for (const kind of ['key', 'account'] as const) {
    const last = Math.max(0, ...saved.flatMap((each) => (each.kind === kind ? Number(each.thing) : [])));
    await client.query(
      `select setval('keys.${kind}_id_seq', $1) from keys.${kind}_id_seq
        where $1 > 0 and (last_value < $1 or not is_called)`,
      [last],
    );
  }
}
