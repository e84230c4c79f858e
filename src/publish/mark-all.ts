import type { ClientBase } from 'pg';
import { inTransaction, type Pool } from '../database/pool.ts';
import { markForRebuild } from '../record/backlog/drain.ts';
import { derivationVersions } from './compare.ts';
import { sendNotices, tellEverything } from './send-notices.ts';
import { markMonths } from './site-rows/backfill-factions.ts';
import { backfillNames, removeOrphans } from './site-rows/backfill.ts';
import { forgetNames, settleNames } from './site-rows/names.ts';
import { holdOwners, moveSearch } from './revisions.ts';

/**
 * Marks everything that is recorded or published, because a published thing may no longer be recorded. Rows
 * may also have been deleted by hand: this function deletes the rows that belong to nothing, and the
 * publishers of marked things find the others.
 */
export async function markEverything(pool: Pool): Promise<void> {
  await inTransaction(pool, async (client) => {
    let found = await removeOrphans(client);
    await markForRebuild(
      client,
      `select *, null from (
        (select 'tournament', slug from record.tournament union select 'tournament', slug from published.tournament
          union select 'tournament', tournament from published.standings
          union select 'tournament', tournament from published.participant
          union select 'tournament', tournament from published.battle where tournament is not null)
        union all (select 'club', slug from record.club union select 'club', slug from published.club)
        union all (select 'battle', id from record.battle where tournament_id is null
          union select 'battle', id from published.battle where tournament is null)) as everything`,
    );
    // Players have no documents, so their rows are inserted and deleted here.
    if (await isAnybodyMissing(client)) found += await settleAllPlayers(client);
    found += await backfillNames(client);
    await markMonths(client);
    for (const kind of stampedKinds) await stampDerivation(client, kind);
    if (found > 0) await sendNotices(client, { search: await moveSearch(client) });
  });
}

const recordedPlayer = 'select id from record.player where not erased';

/**
 * Returns whether a player's row is missing or left over. It takes no lock, so other publishers do not wait.
 */
async function isAnybodyMissing(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ missing: boolean }>(`
    select exists (${recordedPlayer} except select id from published.player)
      or exists (select id from published.player except ${recordedPlayer}) as missing`);
  return rows[0]?.missing === true;
}

/** Inserts and deletes the rows of all players. Returns the number of search rows that changed. */
async function settleAllPlayers(client: ClientBase): Promise<number> {
  let found = 0;
  await holdOwners(client);
  const { rows: come } = await client.query<{ id: string }>(`
    insert into published.player (id, revision)
    select id, published.next_revision(null) from (${recordedPlayer}) recorded order by id
    on conflict (id) do nothing returning id`);
  for (let start = 0; start < come.length; start += 5_000) {
    const nameless = come.slice(start, start + 5_000).map(({ id }): [string, null] => [id, null]);
    found += (await settleNames(client, new Map(nameless))).found;
  }
  const { rows: gone } = await client.query<{ id: string; name: string | null }>(
    `delete from published.player where id not in (${recordedPlayer}) returning id, name`,
  );
  found += await forgetNames(client, new Map(gone.map(({ id, name }) => [id, name])));
  await tellEverything(client);
  return found;
}

/** Marks the documents that an older version of their derivation made, kind by kind. */
export async function markOutdated(pool: Pool): Promise<void> {
  const { tournament, battle } = derivationVersions;
  await inTransaction(pool, async (client) => {
    await markForRebuild(
      client,
      `select 'tournament', slug, case when battle_derivation >= ${battle} then '' end from published.tournament
        where derivation < ${tournament} or battle_derivation < ${battle}`,
      { unlessMarked: true },
    );
    if (await stampDerivation(client, 'club'))
      await markForRebuild(client, `select 'club', slug, null from published.club`);
    if (await stampDerivation(client, 'battle'))
      await markForRebuild(
        client,
        `select 'battle', id, null from published.battle where tournament is null`,
      );
  });
}

/**
 * Returns whether `markOutdated` has anything to mark, which is so between an upgrade and the first `wartable
 * publish` after it.
 */
export async function areOutdated(pool: Pool): Promise<boolean> {
  const { tournament, battle, club } = derivationVersions;
  const { rowCount } = await pool.query(
    `select from published.tournament t where (derivation < $1 or battle_derivation < $2)
        and not exists (select from record.mark s where s.kind = 'tournament' and s.key = t.slug)
      union all select from published.derivation where version < case kind when 'club' then $3 else $2 end
        and (${isAnythingPublished}) limit 1`,
    [tournament, battle, club],
  );
  return rowCount === 1;
}

const isAnythingPublished = `exists (select from published.club) or exists (select from published.tournament)
  or exists (select from published.battle)`;

/**
 * Stamps the versions while nothing is published: the first documents will have these versions, so a later
 * publish does not derive them again. Once there are documents, only `markOutdated` knows which are outdated.
 */
export async function stampIfEmpty(client: Pick<ClientBase, 'query'>): Promise<void> {
  for (const kind of stampedKinds) await stampDerivation(client, kind, `and not (${isAnythingPublished})`);
}

/** The kinds whose documents do not themselves say which version made them. */
const stampedKinds = ['club', 'battle'] as const;

/** Stores the version of such a kind. Returns whether the stored one was older. */
async function stampDerivation(
  client: Pick<ClientBase, 'query'>,
  kind: (typeof stampedKinds)[number],
  condition = '',
): Promise<boolean> {
  const { rowCount } = await client.query(
    `update published.derivation set version = $1 where kind = $2 and version < $1 ${condition}`,
    [derivationVersions[kind], kind],
  );
  return rowCount === 1;
}

/**
 * Lowers the stored version to ours. Call it in the transaction that publishes things of such a kind. If a
 * newer version has already stamped the kind, its next `wartable publish` then derives the kind again,
 * because it cannot tell which documents an older version has made since.
 */
export async function lowerDerivation(
  client: Pick<ClientBase, 'query'>,
  kind: (typeof stampedKinds)[number],
): Promise<void> {
  await client.query('update published.derivation set version = $1 where kind = $2 and version > $1', [
    derivationVersions[kind],
    kind,
  ]);
}
