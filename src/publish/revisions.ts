import type { ClientBase } from 'pg';
import type { Changes } from './changes.ts';
import { sendNotices } from './send-notices.ts';
import { settleNames } from './site-rows/names.ts';

/**
 * Moves the revisions that publishers share, and notifies the servers. Call it last before the commit,
 * because other publishers wait for these rows until then. The order is always clubs, then players, each by
 * key, then the list, then the search. Without a fixed order we measured 9 deadlocks in 8 s and a fifteenth
 * of the throughput.
 */
export async function moveRevisions(client: ClientBase, changes: Changes): Promise<void> {
  const { moved } = changes;
  await shareOwners(client);
  const clubs = await moveRows(client, 'club', 'slug', moved.clubs);
  const players = await movePlayers(client, changes);
  const tournaments = moved.tournamentList ? await moveList(client, 'tournaments') : undefined;
  const search = moved.search ? await moveSearch(client) : undefined;
  await sendNotices(client, {
    tournament: moved.tournaments,
    battle: moved.battles,
    club: revisionsOf(clubs),
    player: players,
    tournaments,
    search,
  });
}

/**
 * Shares the lock of the owners: clubs and players own lists. A transaction that moves their revisions shares
 * this lock until its commit, and one that inserts or deletes an owner holds it alone. Otherwise a list could
 * grow while another transaction inserts its owner, and would then change under the same revision.
 */
async function shareOwners(client: ClientBase): Promise<void> {
  await client.query(`select pg_advisory_xact_lock_shared(${ownersLock})`);
}

/** Holds the lock of the owners alone. Call it before you lock any row of a club or player. */
export async function holdOwners(client: ClientBase): Promise<void> {
  await client.query(`select pg_advisory_xact_lock(${ownersLock})`);
}

const ownersLock = "hashtextextended('owners', 0)";

/**
 * Returns the database's clock. A new revision is this, or the previous revision plus one if that is higher.
 */
export async function clockRevision(client: ClientBase): Promise<bigint> {
  const { rows } = await client.query<{ revision: string }>({
    text: 'select published.next_revision(null) as revision',
  });
  return BigInt(rows[0]?.revision ?? 0);
}

export function nextRevision(previous: bigint | undefined, clock: bigint): bigint {
  return previous !== undefined && previous >= clock ? previous + 1n : clock;
}

/**
 * Moves the revisions of players. This also locks their rows, so players whose page appears or disappears
 * then get or lose their name.
 */
async function movePlayers(client: ClientBase, changes: Changes): Promise<Map<string, bigint>> {
  const { gained, lost } = changes.named;
  const players = await moveRows(client, 'player', 'id', changes.moved.players);
  const mayChange = [...gained, ...lost].filter((id) => players.has(id));
  const before = new Map<string, string | null>();
  for (const id of mayChange) {
    const name = players.get(id)?.name ?? null;
    if (gained.has(id) ? name === null : name !== null) before.set(id, name);
  }
  const settled = await settleNames(client, before);
  if (settled.found > 0) changes.moved.search = true;
  changes.count(settled.moved.size + settled.found);
  return new Map([...revisionsOf(players), ...settled.moved]);
}

interface MovedRow {
  revision: bigint;
  /** Null for clubs. */
  name: string | null;
}

function revisionsOf(rows: ReadonlyMap<string, MovedRow>): Map<string, bigint> {
  return new Map([...rows].map(([key, { revision }]) => [key, revision]));
}

async function moveRows(
  client: ClientBase,
  table: 'club' | 'player',
  key: 'slug' | 'id',
  keys: Set<string>,
): Promise<Map<string, MovedRow>> {
  if (keys.size === 0) return new Map();
  const name = table === 'player' ? 't.name' : 'null';
  const { rows } = await client.query<{ key: string; revision: string; name: string | null }>({
    text: `with locked as materialized (
        select ${key} as key from published.${table} where ${key} = any($1::text[]) order by ${key} for no key update)
      update published.${table} t set revision = published.next_revision(t.revision)
      from locked where t.${key} = locked.key returning t.${key} as key, t.revision, ${name} as name`,
    values: [[...keys]],
  });
  return new Map(rows.map((row) => [row.key, { revision: BigInt(row.revision), name: row.name }]));
}

/**
 * Call this when a name that the search finds was added, removed or changed. Every publisher locks this row
 * after all others.
 */
export function moveSearch(client: ClientBase): Promise<bigint> {
  return moveList(client, 'search');
}

export async function moveList(
  client: ClientBase,
  list: 'tournaments' | 'search' | 'factions',
): Promise<bigint> {
  const { rows } = await client.query<{ revision: string }>({
    text: `update published.list_revision set revision = published.next_revision(revision)
      where list = $1 returning revision`,
    values: [list],
  });
  return BigInt(rows[0]?.revision ?? 0);
}
