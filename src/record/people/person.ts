// Finds a person, and everything that is recorded about them.
import type { ClientBase, Pool } from 'pg';
import type { Table } from '../columns.ts';
import { tournamentTables } from '../tables.ts';
import type { CasualGuest, Entry } from './erase.ts';
import type { NamePattern } from './name-pattern.ts';

/** The person whose data it is: a registered player, or the guests with one name. */
export interface Subject {
  /** Null for guests. */
  player: string | null;
  entries: Entry[];
  /** The casual battles that they played, and which side of each was theirs. */
  casual: CasualGuest[];
}

/** A location in the database: a row, and those of its columns that are meant. */
export interface Location {
  table: string;
  key: Record<string, unknown>;
  values: Record<string, unknown>;
}

type Queryable = Pick<ClientBase, 'query'> | Pool;

/** Returns undefined if there is no such player. The name is null if they are erased. */
export async function findPlayer(
  client: Queryable,
  id: string,
): Promise<(Subject & { name: string | null }) | undefined> {
  const { rows } = await client.query<{ name: string | null }>(
    'select name from record.player where id = $1',
    [id],
  );
  if (!rows[0]) return undefined;
  const { rows: entries } = await client.query<Entry>(
    'select tournament_id, id from record.participant where player = $1 order by 1',
    [id],
  );
  const { rows: casual } = await client.query<CasualGuest>(
    `select id as battle, 'first' as side from record.battle where first_player = $1
      union all select id, 'second' from record.battle where second_player = $1 order by 1`,
    [id],
  );
  return { player: id, name: rows[0].name, entries, casual };
}

export async function isTournament(client: Queryable, slug: string): Promise<boolean> {
  const { rowCount } = await client.query('select from record.tournament where slug = $1', [slug]);
  return rowCount === 1;
}

/** Finds guests with this name, in one tournament, or in all tournaments and casual battles. */
export async function findGuests(
  client: Queryable,
  pattern: NamePattern,
  tournament: string | undefined,
): Promise<Subject> {
  const { rows: entries } = await client.query<Entry & { name: string }>(
    `select p.tournament_id, p.id, p.name from record.participant p join record.tournament t on t.id = p.tournament_id
      where p.name ~ $1 and ($2::text is null or t.slug = $2) order by t.slug, p.id`,
    [pattern.source, tournament ?? null],
  );
  const { rows: casual } = await client.query<CasualGuest & { name: string }>(
    `select id as battle, 'first' as side, first_name as name from record.battle where first_name ~ $1 and $2::text is null
      union all select id, 'second', second_name from record.battle where second_name ~ $1 and $2::text is null order by 1`,
    [pattern.source, tournament ?? null],
  );
  return {
    player: null,
    entries: entries.flatMap(({ name, ...entry }) => (pattern.is(name) ? entry : [])),
    casual: casual.flatMap(({ name, ...guest }) => (pattern.is(name) ? guest : [])),
  };
}

/** Returns everything that is recorded about the person. Only their own side of a battle is included. */
export async function dataOf(client: Queryable, { player, entries, casual }: Subject): Promise<Location[]> {
  const locations: Location[] = [];
  if (player !== null) {
    locations.push(...(await locationsIn(client, 'record.player', ['id'], 't.id = $1', [player])));
    locations.push(...(await partsOf(client, tournamentTables.organizers, 't.player = $1', [player])));
  }
  const values = [entries.map((entry) => entry.tournament_id), entries.map(({ id }) => id)];
  const named = (column: string): string =>
    `(t.tournament_id, t.${column}) in (select * from unnest($1::integer[], $2::text[]))`;
  const { participants, lists, members, byes, adjustments, battles, matches } = tournamentTables;
  locations.push(...(await partsOf(client, participants, named('id'), values)));
  for (const table of [lists, members, byes, adjustments])
    locations.push(...(await partsOf(client, table, named('participant'), values)));
  locations.push(...(await ranksOf(client, values)));
  for (const side of ['first', 'second'] as const) {
    const sides = await partsOf(client, battles, named(`${side}_participant`), values);
    const ids = [casual.flatMap((guest) => (guest.side === side ? guest.battle : []))];
    sides.push(...(await locationsIn(client, battles.name, ['id'], 't.id = any($1::text[])', ids)));
    locations.push(...sides.map((location) => oneSide(location, side)));
    locations.push(...(await partsOf(client, matches, named(`${side}_participant`), values)));
  }
  return locations;
}

/** Returns the person's rank from each ranking, without the others. */
async function ranksOf(client: Queryable, values: unknown[]): Promise<Location[]> {
  const { rows } = await client.query<{
    tournament: string;
    stage: string;
    after_round: number;
    rank: number;
  }>(
    `select t.slug as tournament, r.stage, r.after_round, r.ranks -> entry.id as rank
      from unnest($1::integer[], $2::text[]) entry (tournament_id, id)
      join record.ranking r on r.tournament_id = entry.tournament_id and r.ranks ? entry.id
      join record.tournament t on t.id = r.tournament_id order by 1, 2, 3`,
    values,
  );
  return rows.map(({ rank, ...key }) => ({ table: tournamentTables.rankings.name, key, values: { rank } }));
}

/** Leaves out the opponent's side, which is the opponent's data. */
function oneSide({ table, key, values }: Location, side: 'first' | 'second'): Location {
  const other = side === 'first' ? 'second_' : 'first_';
  const own = Object.entries(values).filter(([column]) => !column.startsWith(other));
  return { table, key, values: Object.fromEntries(own) };
}

const partsOf = (client: Queryable, table: Table, where: string, values: unknown[]): Promise<Location[]> =>
  locationsIn(client, table.name, table.key, where, values);

async function locationsIn(
  client: Queryable,
  table: string,
  key: string[],
  where: string,
  values: unknown[],
): Promise<Location[]> {
  const isPart = key.includes('tournament_id');
  const { rows } = await client.query<{ row: Record<string, unknown>; tournament: string | null }>(
    `select jsonb_strip_nulls(to_jsonb(t)) as row,
        ${isPart ? '(select slug from record.tournament where id = t.tournament_id)' : 'null'} as tournament
      from ${table} t where ${where} order by ${key.map((column) => `t.${column}`).join(', ')}`,
    values,
  );
  return rows.map(({ row, tournament }) => locationOf(table, key, row, tournament));
}

/** Splits a row into its key and its other values. A tournament is named by its slug. */
export function locationOf(
  table: string,
  key: string[],
  row: Record<string, unknown>,
  tournament: string | null,
): Location {
  const isKey = (column: string): boolean => key.includes(column) || column === 'tournament_id';
  const shown = key.filter((column) => column !== 'tournament_id').map((column) => [column, row[column]]);
  return {
    table,
    key: { ...(tournament === null ? {} : { tournament }), ...Object.fromEntries(shown) },
    values: Object.fromEntries(Object.entries(row).filter(([column]) => !isKey(column))),
  };
}
