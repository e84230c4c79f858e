import type { ClientBase } from 'pg';
import type { Changes } from './changes.ts';
import { sendNotices } from './notice.ts';

/**
 * Moves the revisions that publishers share and tells the servers. The last thing before the commit: publishers side by
 * side wait for each other only that long. Always clubs, then players, then the list, each in the order of their keys:
 * unsorted gave 9 deadlocks in 8 s and a fifteenth of the throughput.
 */
export async function moveRevisions(client: ClientBase, { moved }: Changes): Promise<void> {
  await shareOwners(client);
  const clubs = await moveRows(client, 'club', 'slug', moved.clubs);
  const players = await moveRows(client, 'player', 'id', moved.players);
  const tournaments = moved.tournamentList ? await moveTournamentList(client) : undefined;
  await sendNotices(client, {
    tournament: moved.tournaments,
    battle: moved.battles,
    club: clubs,
    player: players,
    tournaments,
  });
}

/**
 * Clubs and players own lists. Whoever moves their revisions shares this lock until the commit, and whoever lets one come or
 * go holds it alone: a list that grew while its owner appeared beside it would have changed under a revision that did
 * not move.
 */
async function shareOwners(client: ClientBase): Promise<void> {
  await client.query(`select pg_advisory_xact_lock_shared(${ownersLock})`);
}

/** Before any row of a club or player is locked. */
export async function holdOwners(client: ClientBase): Promise<void> {
  await client.query(`select pg_advisory_xact_lock(${ownersLock})`);
}

const ownersLock = "hashtextextended('owners', 0)";

/** The clock of the database: a revision is this, or one more than it was. */
export async function clockRevision(client: ClientBase): Promise<bigint> {
  const { rows } = await client.query<{ revision: string }>({
    text: 'select published.next_revision(null) as revision',
  });
  return BigInt(rows[0]?.revision ?? 0);
}

export function nextRevision(previous: bigint | undefined, clock: bigint): bigint {
  return previous !== undefined && previous >= clock ? previous + 1n : clock;
}

async function moveRows(
  client: ClientBase,
  table: 'club' | 'player',
  key: 'slug' | 'id',
  keys: Set<string>,
): Promise<Map<string, bigint>> {
  if (keys.size === 0) return new Map();
  const { rows } = await client.query<{ key: string; revision: string }>({
    text: `with locked as materialized (
        select ${key} as key from published.${table} where ${key} = any($1::text[]) order by ${key} for no key update)
      update published.${table} t set revision = published.next_revision(t.revision)
      from locked where t.${key} = locked.key returning t.${key} as key, t.revision`,
    values: [[...keys]],
  });
  return new Map(rows.map((row) => [row.key, BigInt(row.revision)]));
}

async function moveTournamentList(client: ClientBase): Promise<bigint> {
  const { rows } = await client.query<{ revision: string }>({
    text: 'update published.tournament_list set revision = published.next_revision(revision) returning revision',
  });
  return BigInt(rows[0]?.revision ?? 0);
}
