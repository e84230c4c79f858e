import type { ClientBase } from 'pg';
import type { Pool } from '../../database/pool.ts';
import type { MarkedKind } from './marks.ts';

// The backlog: the marks that recording leaves. One publisher at a time drains all marks of a thing. It holds
// the thing's advisory lock until its commit, and the other publishers skip the thing.

/** A thing that could not be published. Its marks stay, with the reason. */
export interface Failure {
  kind: MarkedKind;
  key: string;
  reason: string;
}

export interface Mark {
  id: string;
  key: string;
  /** The battle that changed, `''` if no battle did, or null if anything may have changed. */
  part: string | null;
  /** True if no fact changed. With a part, the battles are not derived again. */
  rebuild: boolean;
}

/** A result of a running tournament, any other change, or a rebuild without a change of facts. */
export type Urgency = 'result' | 'change' | 'rebuild';

const conditions: Record<Urgency, string> = {
  result: 'part is not null and not rebuild',
  change: 'part is null and not rebuild',
  rebuild: 'rebuild',
};

/** Returns marked keys of a kind in order, beginning after `after`. */
export async function markedKeys(
  pool: Pool,
  kind: MarkedKind,
  { urgency, after, max }: { urgency: Urgency; after: string; max: number },
): Promise<string[]> {
  const { rows } = await pool.query<{ key: string }>({
    text: `select distinct key from record.mark where kind = $1 and key > $2 and ${conditions[urgency]}
      order by key limit $3`,
    values: [kind, after, max],
  });
  return rows.map((row) => row.key);
}

/** Locks the keys that no other publisher holds, until the transaction ends. Returns them. */
export async function lockKeys(client: ClientBase, kind: MarkedKind, keys: string[]): Promise<string[]> {
  const { rows } = await client.query<{ key: string }>({
    text: `select key from unnest($2::text[]) as key
      where pg_try_advisory_xact_lock(hashtextextended($1 || '/' || key, 0))`,
    values: [kind, keys],
  });
  return rows.map((row) => row.key);
}

/** Takes one lock for the whole kind. This is for kinds whose things are small. */
export async function lockKind(client: ClientBase, kind: MarkedKind): Promise<boolean> {
  return (await lockKeys(client, kind, [''])).length === 1;
}

export async function readMarks(client: ClientBase, kind: MarkedKind, keys: string[]): Promise<Mark[]> {
  const { rows } = await client.query<Mark>({
    text: 'select id, key, part, rebuild from record.mark where kind = $1 and key = any($2::text[])',
    values: [kind, keys],
  });
  return rows;
}

interface Unpublished {
  failed: Failure[];
  postponed: { key: string; waitsFor: { kind: MarkedKind; key: string } }[];
}

/**
 * Deletes the marks of published things. The marks of failed things stay, with the reason. Those of postponed
 * things stay, too, and what they wait for gets a mark.
 */
export async function settleMarks(
  client: Pick<ClientBase, 'query'>,
  marks: Mark[],
  { failed, postponed }: Unpublished = { failed: [], postponed: [] },
): Promise<void> {
  await markBlockers(
    client,
    postponed.map(({ waitsFor }) => waitsFor),
  );
  const kept = new Set([...failed, ...postponed].map(({ key }) => key));
  await client.query({
    text: 'delete from record.mark where id = any($1::bigint[])',
    values: [marks.filter(({ key }) => !kept.has(key)).map(({ id }) => id)],
  });
  await giveReasons(client, failed);
}

export async function giveReasons(client: Pick<ClientBase, 'query'>, failed: Failure[]): Promise<void> {
  for (const { kind, key, reason } of failed) {
    await client.query({
      text: 'update record.mark set reason = $3 where kind = $1 and key = $2',
      values: [kind, key, reason],
    });
  }
}

/** Marks things that are in the way of others, unless they are marked already. */
async function markBlockers(
  client: Pick<ClientBase, 'query'>,
  blockers: { kind: MarkedKind; key: string }[],
): Promise<void> {
  if (blockers.length === 0) return;
  await client.query({
    text: `insert into record.mark (kind, key)
      select distinct kind, key from unnest($1::text[], $2::text[]) as blocker (kind, key)
      where not exists (select from record.mark s where s.kind = blocker.kind and s.key = blocker.key)`,
    values: [blockers.map(({ kind }) => kind), blockers.map(({ key }) => key)],
  });
}

/**
 * Marks things although none of their facts changed. `things` is a query for kinds, keys and parts.
 * `unlessMarked` leaves out things that already have a mark of the same extent, or of everything.
 */
export async function markForRebuild(
  client: Pick<ClientBase, 'query'>,
  things: string,
  { unlessMarked = false } = {},
): Promise<void> {
  const unmarked = `where not exists (
    select from record.mark s where s.kind = thing.kind and s.key = thing.key
      and (s.part is null or s.rebuild and s.part = thing.part))`;
  await client.query(`insert into record.mark (kind, key, part, rebuild)
    select kind, key, part, true from (${things}) as thing (kind, key, part) ${unlessMarked ? unmarked : ''}`);
}

/** If there are more marks than this, not all of them are looked at. */
const maxLookedAt = 1_000;

/** Returns which sorts of marks there are. Marks of these failures do not count. */
export async function readMarkedSorts(pool: Pool, failed: Failure[]): Promise<MarkedSorts> {
  const { rows } = await pool.query<{ kind: MarkedKind; urgency: Urgency; marks: number }>({
    text: `select kind, urgency, count(*)::integer as marks
      from (select kind, case when rebuild then 'rebuild' when part is null then 'change' else 'result' end as urgency
        from record.mark where (kind, key) not in (select * from unnest($1::text[], $2::text[])) limit $3) as mark
      group by kind, urgency`,
    values: [failed.map(({ kind }) => kind), failed.map(({ key }) => key), maxLookedAt],
  });
  const count = rows.reduce((sum, { marks }) => sum + marks, 0);
  const areMany = count >= maxLookedAt;
  const spread = rows.some(({ kind }) => kind === 'player' || kind === 'battlePack');
  return {
    count,
    areMany,
    mayHave: ({ publisher, urgency }) =>
      areMany || spread || rows.some((row) => row.kind === publisher.kind && row.urgency === urgency),
  };
}

interface MarkedSorts {
  /** The number of marks, at most 1,000. */
  count: number;
  /** True if there may be more marks, of other sorts. */
  areMany: boolean;
  /**
   * Returns false if nothing of this sort is marked. Marks of players and packs become marks of any other
   * sort.
   */
  mayHave: (sort: { publisher: { kind: MarkedKind }; urgency: Urgency }) => boolean;
}

export async function isMarked(pool: Pool, kind: MarkedKind, key: string): Promise<boolean> {
  const { rowCount } = await pool.query({
    text: 'select from record.mark where kind = $1 and key = $2 limit 1',
    values: [kind, key],
  });
  return rowCount === 1;
}

/**
 * Returns true while a rename or a pack change that affects these players has not spread to their tournaments
 * and battles.
 */
export async function isSpreadPending(client: ClientBase, players: (string | null)[]): Promise<boolean> {
  const { rows } = await client.query<{ pending: boolean }>({
    text: `select exists (select from record.mark where kind = 'player' and key = any($1::text[]))
      or exists (select from record.mark where kind = 'battlePack') as pending`,
    values: [players],
  });
  return rows[0]?.pending === true;
}
