import { inTransaction, type Pool } from '../database/pool.ts';
import { derivationVersion } from './compare.ts';
import { tellEverything } from './notice.ts';
import { holdOwners } from './revisions.ts';

/** Marks everything: what is recorded, and what is published and may no longer be recorded. */
export async function markEverything(pool: Pool): Promise<void> {
  await inTransaction(pool, async (client) => {
    await client.query(`
      insert into record.stale (kind, key, rebuild)
      select kind, key, true from (
        (select 'tournament', slug from record.tournament union select 'tournament', slug from published.tournament)
        union all (select 'club', slug from record.club union select 'club', slug from published.club)
        union all (select 'battle', id from record.battle where tournament_id is null
          union select 'battle', id from published.battle where tournament is null)) as thing (kind, key)`);
    await holdOwners(client);
    // Players have no documents: whether each of them is there is settled at once.
    const come = await client.query(`
      insert into published.player (id, revision)
      select id, published.next_revision(null) from record.player where not erased order by id
      on conflict (id) do nothing`);
    const gone = await client.query(`
      with locked as materialized (
        select id from published.player p
        where not exists (select from record.player r where r.id = p.id and not r.erased)
        order by id for update)
      delete from published.player p using locked where p.id = locked.id`);
    if (come.rowCount || gone.rowCount) await tellEverything(client);
    await stampDerivation(client);
  });
}

/** Marks what an older version of the derivations made: a release that changes them raises it. */
export async function markOutdated(pool: Pool): Promise<void> {
  await inTransaction(pool, async (client) => {
    await client.query(
      `insert into record.stale (kind, key, rebuild)
        select 'tournament', slug, true from published.tournament where derivation < $1
          and not exists (select from record.stale where kind = 'tournament' and key = slug and part is null)`,
      [derivationVersion],
    );
    if (!(await stampDerivation(client))) return;
    await client.query(`
      insert into record.stale (kind, key, rebuild)
      select 'club', slug, true from published.club
      union all select 'battle', id, true from published.battle where tournament is null`);
  });
}

/** Of clubs and casual battles; returns whether it was older. */
async function stampDerivation(client: {
  query: (text: string, values: unknown[]) => Promise<{ rowCount: number | null }>;
}): Promise<boolean> {
  const { rowCount } = await client.query('update published.derivation set version = $1 where version < $1', [
    derivationVersion,
  ]);
  return rowCount === 1;
}
