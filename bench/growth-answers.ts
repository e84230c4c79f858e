import assert from 'node:assert/strict';
import type { Pool } from '../src/database/pool.ts';
import { endpoints, keysOf } from './endpoints.ts';
import { copiedKey } from './growth-copies.ts';
import { connections } from '../harness/measure/load.ts';
import type { ServeProcess } from '../harness/measure/serve-process.ts';
import { median, quantile } from '../harness/measure/spread.ts';
import type { World } from './world.ts';

// Measures what a cold answer costs in worlds of several sizes: asked for over HTTP, counted by
// pg_stat_statements.

const sampledKeys = 40;
const coldRequests = 3_000;

/** The answers to ask for: those of the API, and pages. */
interface Asked {
  name: string;
  from: 'api' | 'site';
  keys: string;
  path: (key: string) => string;
}

/**
 * Owners whose pages have the same length in worlds of all sizes. The pages are full, except those of clubs,
 * which have only a few tournaments.
 */
const equalPages: Record<string, string> = {
  participants: 'select tournament as key from published.participant group by 1 having count(*) > 20',
  'tournament battles':
    'select tournament as key from published.battle where tournament is not null group by 1 having count(*) > 20',
  'club tournaments': `select organizer as key from published.tournament join published.club on club.slug = organizer
      group by 1 having count(*) = 3`,
  'club battles': 'select club as key from published.club_battle group by 1 having count(*) > 20',
  'player battles': 'select player as key from published.player_battle group by 1 having count(*) > 20',
};

const one = `select ''::text as key`;
/** Events of similar size, with a board. */
const events = `select tournament as key from published.participant join published.tournament on slug = tournament
  where default_stage is not null group by 1 having count(*) between 24 and 40`;
const words = `select key from unnest(array['open', 'porto', 'anna', 'an ko', 'grand 2024', 'zz', 'de la']) key`;
const searched = (key: string) => `?q=${encodeURIComponent(key)}`;

const asked: Asked[] = [
  ...endpoints.map(({ name, keys, path }): Asked => ({
    name,
    from: 'api',
    keys: equalPages[name] ?? keys,
    path,
  })),
  { name: 'search', from: 'api', keys: words, path: (key) => `/api/extra/v1/search${searched(key)}` },
  {
    name: 'changes, the newest 20',
    from: 'api',
    keys: `select epoch || '.' || last - 20 as key from published.change_list`,
    path: (after) => `/api/extra/v1/changes?limit=20&after=${after}`,
  },
  { name: 'home page', from: 'site', keys: one, path: () => '/' },
  { name: 'list of tournaments', from: 'site', keys: one, path: () => '/tournaments' },
  { name: 'page of a tournament', from: 'site', keys: events, path: (slug) => `/tournaments/${slug}` },
  { name: 'its rounds', from: 'site', keys: events, path: (slug) => `/tournaments/${slug}/rounds` },
  { name: 'its players', from: 'site', keys: events, path: (slug) => `/tournaments/${slug}/participants` },
  {
    name: 'page of a battle',
    from: 'site',
    keys: 'select id as key from published.battle where tournament is not null',
    path: (id) => `/battles/${id}`,
  },
  {
    name: 'page of a player',
    from: 'site',
    keys: 'select player as key from published.player_tournament where plays group by 1 having count(*) between 8 and 12',
    path: (id) => `/players/${id}`,
  },
  {
    name: 'page of a club',
    from: 'site',
    keys: equalPages['club tournaments'] ?? '',
    path: (slug) => `/clubs/${slug}`,
  },
  { name: 'list of clubs', from: 'site', keys: one, path: () => '/clubs' },
  { name: 'page of a search', from: 'site', keys: words, path: (key) => `/search${searched(key)}` },
  { name: 'factions of a year', from: 'site', keys: one, path: () => '/factions' },
  {
    name: 'calendar of all tournaments',
    from: 'site',
    keys: one,
    path: () => '/tournaments.ics',
  },
  { name: 'feed of finished tournaments', from: 'site', keys: one, path: () => '/tournaments.atom' },
];

/**
 * Returns how many pages of memory (8 kB) PostgreSQL reads for a cold answer: the median for up to 40 keys.
 * Copies are left out because their rows are scattered, whereas a publisher writes the rows of a thing
 * together.
 */
export async function pagesOfMemory(world: World, server: ServeProcess): Promise<Record<string, number>> {
  const pages: Record<string, number> = {};
  for (const { name, from, keys, path } of asked) {
    const counts: number[] = [];
    const drawn = `select key from (${keys}) each where key !~ '${copiedKey}'`;
    for (const key of await keysOf(world.pool, { name, keys: drawn }, sampledKeys)) {
      const url = `${from === 'api' ? server.origin : server.siteOrigin}${path(key)}`;
      // The first answer also sets hint bits in the rows that it reads.
      await answer(url, world.key);
      await world.pool.query('select pg_stat_statements_reset()');
      await answer(url, world.key);
      counts.push(await readSince(world.pool));
    }
    pages[name] = median(counts);
  }
  return pages;
}

/**
 * Leaves out the queries of this measurement, and those with which a server checks that it still receives
 * notices.
 */
async function readSince(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ pages: number }>(
    `select coalesce(sum(shared_blks_hit + shared_blks_read), 0)::int as pages from pg_stat_statements
    where dbid = (select oid from pg_database where datname = current_database())
      and query like '%published.%' and query not like '%pg_stat_statements%'`,
  );
  return rows[0]?.pages ?? 0;
}

/**
 * Returns the times of cold answers in milliseconds with ten callers. Each endpoint is asked equally often.
 */
export async function coldTimes(world: World, server: ServeProcess): Promise<{ p50: number; p99: number }> {
  const drawn: string[][] = [];
  for (const endpoint of endpoints) {
    const keys = await keysOf(world.pool, endpoint, coldRequests / endpoints.length);
    drawn.push(keys.map(endpoint.path));
  }
  const urls = drawn
    .flatMap((paths) => paths.map((path, at) => ({ path, at: at / paths.length })))
    .toSorted((a, b) => a.at - b.at)
    .map(({ path }) => `${server.origin}${path}`);
  const times: number[] = [];
  const left = urls.values();
  const callInTurn = async () => {
    for (const url of left) {
      const startedAt = performance.now();
      await answer(url, world.key);
      times.push(performance.now() - startedAt);
    }
  };
  await Promise.all(Array.from({ length: connections }, callInTurn));
  times.sort((a, b) => a - b);
  return { p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
}

async function answer(url: string, key: string): Promise<void> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
  await response.arrayBuffer();
  assert.equal(response.status, 200, url);
}
