import assert from 'node:assert/strict';
import type { Pool } from '../src/database/pool.ts';
import { byDatePlayed, byName, byStartDate } from '../src/api/order.ts';
import * as items from '../src/read/items.ts';
import * as lists from '../src/read/lists.ts';
import type { Statement } from '../src/read/reader.ts';

/** One endpoint of the API, with the statement that it runs for a cold answer. */
export interface Endpoint {
  name: string;
  isList: boolean;
  statement: Statement;
  /** A query for the keys to draw from. It returns one column `key`. */
  keys: string;
  path: (key: string) => string;
  /** Returns the parameters of the statement, as the route makes them for that path. */
  values: (key: string) => (string | null)[];
}

const any = { from: undefined, to: undefined };
/** One row more than the default page, and no revisions held by the caller. */
const firstPage = ['21', '{}'];
const firstBattles = [...firstPage, ...texts(byDatePlayed.bounds(undefined, any))];
const site = (folder: string) => `http://localhost:3001/${folder}`;
const item = (key: string) => [key, '{}'];

export const endpoints: Endpoint[] = [
  {
    name: 'tournaments',
    isList: true,
    statement: lists.tournaments,
    // One window for each day, because the list itself has no key.
    keys: `select day::date::text as key from (
        select min(start_date) + 30 as first, max(start_date) as last from published.tournament where isfinite(start_date)
      ) span, generate_series(first, last, interval '1 day') day`,
    path: (day) => `/api/v1/tournaments?to=${day}`,
    values: (day) => [
      ...firstPage,
      ...texts(byStartDate.bounds(undefined, { from: undefined, to: day })),
      site('tournaments'),
    ],
  },
  {
    name: 'tournament',
    isList: false,
    statement: items.tournamentBySlug,
    keys: 'select slug as key from published.tournament',
    path: (slug) => `/api/v1/tournaments/${slug}`,
    values: item,
  },
  {
    name: 'standings',
    isList: false,
    statement: items.standingsOfTournament,
    keys: 'select slug as key from published.tournament where default_stage is not null',
    path: (slug) => `/api/v1/tournaments/${slug}/standings`,
    values: (slug) => [slug, '{}', null],
  },
  {
    name: 'participants',
    isList: true,
    statement: lists.participantsOfTournament,
    keys: 'select tournament as key from published.participant group by tournament',
    path: (slug) => `/api/v1/tournaments/${slug}/participants`,
    values: (slug) => [...firstPage, ...texts(byName.bounds(undefined, any)), slug],
  },
  {
    name: 'tournament battles',
    isList: true,
    statement: lists.battlesOfTournament,
    keys: 'select tournament as key from published.battle where tournament is not null group by tournament',
    path: (slug) => `/api/v1/tournaments/${slug}/battles`,
    values: (slug) => [...firstBattles, slug, site('battles')],
  },
  {
    name: 'club',
    isList: false,
    statement: items.clubBySlug,
    keys: 'select slug as key from published.club',
    path: (slug) => `/api/v1/clubs/${slug}`,
    values: item,
  },
  {
    name: 'club tournaments',
    isList: true,
    statement: lists.tournamentsOfClub,
    keys: 'select organizer as key from published.tournament join published.club on club.slug = organizer group by organizer',
    path: (slug) => `/api/v1/clubs/${slug}/tournaments`,
    values: (slug) => [...firstPage, ...texts(byStartDate.bounds(undefined, any)), slug, site('tournaments')],
  },
  {
    name: 'club battles',
    isList: true,
    statement: lists.battlesOfClub,
    keys: 'select club as key from published.club_battle group by club',
    path: (slug) => `/api/v1/clubs/${slug}/battles`,
    values: (slug) => [...firstBattles, slug, site('battles')],
  },
  {
    name: 'player battles',
    isList: true,
    statement: lists.battlesOfPlayer,
    // The players with the most battles, because most of their pages are full.
    keys: 'select player as key from published.player_battle group by player order by count(*) desc, player limit 500',
    path: (id) => `/api/v1/users/${id}/battles`,
    values: (id) => [...firstBattles, id, site('battles')],
  },
  {
    name: 'battle',
    isList: false,
    statement: items.battleById,
    keys: 'select id as key from published.battle',
    path: (id) => `/api/v1/battles/${id}`,
    values: item,
  },
];

export function endpointNamed(name: string): Endpoint {
  const found = endpoints.find((each) => each.name === name);
  assert.ok(found, `There is no endpoint ${name}.`);
  return found;
}

/** Returns up to `most` keys in a fixed random order. */
export async function keysOf(
  pool: Pool,
  { name, keys }: Pick<Endpoint, 'name' | 'keys'>,
  most = 2_000,
): Promise<string[]> {
  const { rows } = await pool.query<{ key: string }>(
    `select key from (${keys}) drawn order by md5(key), key limit $1`,
    [most],
  );
  assert.ok(rows.length > 0, `the world has nothing to ask for: ${name}`);
  return rows.map(({ key }) => key);
}

function texts(values: unknown[]): string[] {
  return values.map(String);
}
