import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pool } from '../../src/database/pool.ts';
import type { Statement } from '../../src/read/reader.ts';
import * as lists from '../../src/read/lists.ts';
import { homeOfSite } from '../../src/site/home/statements.ts';
import * as siteLists from '../../src/site/tournament-list/statements.ts';
import { byDatePlayed, byName, byStartDate } from '../../src/api/order.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import {
  addClub,
  addTournament,
  battle,
  club,
  dayOf,
  noRows,
  tournament,
} from '../../harness/support/published-world.ts';
import { insertRows, participant, type Rows } from '../../harness/support/published-world.ts';

// The cost of a page must depend neither on how deep it is nor on how long the list is. PostgreSQL counts the
// pages of memory that the scan of the list's index touched, in a generic plan, on freshly vacuumed tables,
// in two worlds that differ by a factor of ten. Trees may be one level higher in the larger one, which is why
// there is a tolerance.
const tolerance = 4;
const sizes = [2_000, 20_000];
const limit = 21;

const any = { from: undefined, to: undefined };
const windows = [
  any,
  { from: '2024-06-01', to: undefined },
  { from: undefined, to: '2026-01-01' },
  { from: '2024-06-01', to: '2025-06-01' },
];

interface Case {
  statement: Statement;
  order: typeof byDatePlayed | typeof byStartDate | typeof byName;
  of: string[];
  windows: typeof windows;
  /** The index or table by which the list is scanned. */
  scanned: string;
  /**
   * Set if the list takes no address and its scan also reads the rows, because what it shows is put together
   * from several.
   */
  isWhole?: true;
}

const cases: Case[] = [
  { statement: lists.tournaments, order: byStartDate, of: [], windows, scanned: 'tournament_by_start_date' },
  {
    statement: lists.tournamentsByStatus,
    order: byStartDate,
    of: ['finished'],
    windows,
    scanned: 'tournament_by_status',
  },
  {
    statement: lists.tournamentsOfClub,
    order: byStartDate,
    of: ['club-0'],
    windows,
    scanned: 'tournament_by_organizer',
  },
  {
    statement: lists.participantsOfTournament,
    order: byName,
    of: ['event-0'],
    windows: [any],
    scanned: 'participant_pkey',
  },
  {
    statement: lists.battlesOfTournament,
    order: byDatePlayed,
    of: ['event-0'],
    windows: [any],
    scanned: 'battle_of_tournament',
  },
  {
    statement: lists.battlesOfClub,
    order: byDatePlayed,
    of: ['club-0'],
    windows,
    scanned: 'club_battle_pkey',
  },
  {
    statement: lists.battlesOfPlayer,
    order: byDatePlayed,
    of: ['p_0'],
    windows,
    scanned: 'player_battle_pkey',
  },
  {
    statement: lists.tournamentsOfPlayer,
    order: byStartDate,
    of: ['p_0'],
    windows,
    scanned: 'player_tournament_played',
    isWhole: true,
  },
];

const worlds: Pool[] = [];
for (const size of sizes) {
  const database = await createTestDatabase();
  await insertRows(database.pool, listsOfLength(size));
  await database.pool.query('vacuum analyze');
  worlds.push(database.pool);
}

test('every list of the server is measured here', () => {
  assert.deepEqual(new Set(cases.map(({ statement }) => statement)), new Set(Object.values(lists)));
});

for (const each of cases) {
  test(`${each.statement.name}: first, middle and last page cost the same in lists ten times as long`, async (context) => {
    const costs: number[] = [];
    for (const pool of worlds) {
      for (const window of each.windows) {
        for (const after of await positions(pool, each, window)) {
          // The first read after another session's change may look at more, so the second one counts, too.
          const bounds = each.order.bounds(after, window);
          const [first, second] = [
            await indexBuffers(pool, each, bounds),
            await indexBuffers(pool, each, bounds),
          ];
          costs.push(Math.min(first, second));
        }
      }
    }
    context.diagnostic(`buffers: ${costs.join(' ')}`);
    const [least, most] = [Math.min(...costs), Math.max(...costs)];
    assert.ok(most - least <= tolerance, `between ${least} and ${most} buffers: ${costs.join(' ')}`);
  });
}

test('events that were never closed cost the lists of the site nothing', async (context) => {
  const columns = 'stages, default_stage, derivation, battle_derivation, revision, document, view, country';
  const add = (prefix: string, lastDay: string, most: number | null) =>
    `insert into published.tournament (slug, start_date, status, last_day, ${columns})
      select '${prefix}' || slug, start_date, 'ongoing', '${lastDay}', ${columns.replace('country', "'Spain'")}
      from published.tournament where slug like 'event-%' order by slug limit ${most}`;
  for (const pool of worlds) {
    await pool.query(add('old-', '2020-01-01', null));
    await pool.query(add('run-', 'infinity', 30));
    await pool.query('vacuum analyze published.tournament');
  }
  const [newest, day] = [['infinity', '~', '-infinity'], '2026-05-01'];
  const lastPage = ['2024-01-05', '~', '-infinity'];
  const asked: [Statement, unknown[]][] = [
    [siteLists.firstTournaments, [limit, ...newest, day, 10, day]],
    [siteLists.runningTournaments, [limit, ...newest, day]],
    [siteLists.runningOfCountry, [limit, ...newest, 'Spain', day]],
    ...[newest, lastPage].flatMap((bounds): [Statement, unknown[]][] => [
      [siteLists.finishedTournaments, [limit, ...bounds, day]],
      [siteLists.finishedOfCountry, [limit, ...bounds, 'Spain', day]],
    ]),
    [homeOfSite, [9, 6, day, day]],
  ];
  for (const [statement, values] of asked) {
    const costs = [];
    for (const pool of worlds) costs.push(buffers(await planOf(pool, statement.text, values)));
    const [small = 0, large = Infinity] = costs;
    context.diagnostic(`${statement.name}: ${costs.join(' ')}`);
    // A tree may be one level higher, and each row looks into one.
    assert.ok(large < 2 * small, `${statement.name}: ${costs.join(' ')}`);
  }
});

test('a page of the tournaments of a player costs the same, however many there are', async (context) => {
  const costs = [];
  for (const pool of worlds) {
    for (const [date, id] of [
      ['infinity', '~'],
      ['2025-01-01', '~'],
    ]) {
      for (const player of ['p_0', 'p_helper']) {
        const values = [limit, '{}', date, id, '-infinity', player];
        costs.push(buffers(await planOf(pool, lists.tournamentsOfPlayer.text, values)));
      }
    }
  }
  context.diagnostic(`buffers: ${costs.join(' ')}`);
  // The cost with all documents. The tree of tournaments may be one level higher for each of the rows.
  assert.ok(Math.max(...costs) - Math.min(...costs) <= limit + tolerance, costs.join(' '));
});

type Position = ReturnType<typeof byName.positionOf> | undefined;

/** Returns where the first, a middle and the last full page of the list begin. */
async function positions(pool: Pool, each: Case, window: (typeof windows)[number]): Promise<Position[]> {
  const page = async (rows: number) => {
    const values = [rows, [], ...each.order.bounds(undefined, window), ...each.of, ...addressOf(each)];
    const [row] = (await pool.query(each.statement.text, values)).rows;
    return row;
  };
  const length = (await page(1_000_000)).documents.split('\n').length;
  assert.ok(length > 10 * limit, `${length} rows`);
  // A page gives the position of its last row but one.
  const at = async (i: number) => (each.order.positionOf as (row: unknown) => Position)(await page(i + 2));
  return [undefined, await at(Math.floor(length / 2)), await at(length - limit - 1)];
}

function addressOf({ order, isWhole }: Case): string[] {
  return order === byName || isWhole ? [] : ['https://site.example/pages'];
}

interface Plan {
  'Node Type': string;
  'Index Name'?: string;
  'Rows Removed by Filter'?: number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: Plan[];
}

/**
 * Returns the cost of the scan alone. Without documents it never leaves the index, which a vacuum has just
 * marked as all visible.
 */
async function indexBuffers(pool: Pool, each: Case, bounds: unknown[]): Promise<number> {
  const values = [limit, '{}', ...bounds, ...each.of, ...addressOf(each)];
  const asServed = await planOf(pool, each.statement.text, values);
  scanOf(asServed, each);
  const keysOnly = each.isWhole
    ? each.statement.text.replace(/\(select array\[[^)]*\)\s*as found/, 'null::text[] as found')
    : each.statement.text
        .replace(/,\s*(document|\(select document [^)]*\) as document)\n/, '\n')
        .replace(/string_agg\(document( \|\|)?/, each.order === byName ? 'string_agg(id' : 'string_agg(');
  assert.ok(!(each.isWhole ? /from published.tournament\b/ : /document\b/).test(keysOnly));
  return buffers(scanOf(await planOf(pool, keysOnly, values), each));
}

/**
 * Returns the only scan of the list's index, which must have both bounds in its condition and discard
 * nothing.
 */
function scanOf(plan: Plan, { scanned }: Case): Plan {
  const shown = JSON.stringify(plan, null, 1);
  const [scan, ...others] = nodes(plan).filter((node) => node['Index Name'] === scanned);
  assert.ok(scan !== undefined && others.length === 0, shown);
  assert.equal(scan['Rows Removed by Filter'] ?? 0, 0, shown);
  assert.ok(
    nodes(plan).every((node) => !/Sort|Hash|Bitmap/.test(node['Node Type'])),
    shown,
  );
  return scan;
}

async function planOf(pool: Pool, statement: string, values: unknown[]): Promise<Plan> {
  const client = await pool.connect();
  try {
    await client.query('set plan_cache_mode = force_generic_plan');
    await client.query(`prepare measured as ${statement}`);
    const literals = values.map((value) => client.escapeLiteral(String(value)));
    const execute = `execute measured (${literals.join(', ')})`;
    await client.query(execute);
    const { rows } = await client.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
      `explain (analyze, buffers, format json) ${execute}`,
    );
    const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
    assert.ok(plan !== undefined);
    return plan;
  } finally {
    await client.query('deallocate all; reset plan_cache_mode');
    client.release();
  }
}

function nodes(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodes)];
}

function buffers(plan: Plan): number {
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
}

/** Returns a club, a player and a tournament whose lists all have this length. */
function listsOfLength(length: number): Rows {
  const rows = noRows();
  addClub(rows, club({ slug: 'club-0' }));
  rows.player.push({ id: 'p_0', revision: 1 }, { id: 'p_helper', revision: 1 });
  const document = JSON.stringify(battle('b'));
  for (let i = 0; i < length; i += 1) {
    // Both worlds span the same years, so that the windows contain the same share of them.
    const startDate = dayOf(Math.floor((i / length) * 3 * 900));
    addTournament(rows, tournament({ slug: `event-${i}`, startDate, organizer: 'club-0' }), []);
    const place = { date: startDate, stage_order: 1, round: 1 + (i % 5) };
    const id = `b_${i}`;
    rows.battle.push({
      id,
      tournament: 'event-0',
      ...place,
      players: ['p_0'],
      clubs: ['club-0'],
      revision: 1,
      document,
    });
    rows.player_battle.push({ player: 'p_0', ...place, battle: id });
    rows.club_battle.push({ club: 'club-0', ...place, battle: id });
    const played = {
      plays: true,
      organizes: false,
      is_placed: false,
      won: 3,
      drawn: 0,
      lost: 2,
      path: 'WWWLL',
    };
    rows.player_tournament.push({
      player: 'p_0',
      start_date: startDate,
      tournament: `event-${i}`,
      ...played,
    });
    // This player plays in the first tournaments and helps to run all the others.
    rows.player_tournament.push({
      player: 'p_helper',
      start_date: startDate,
      tournament: `event-${i}`,
      ...played,
      plays: i < 2 * limit,
      organizes: true,
    });
    const name = `player ${String((i * 7919) % length).padStart(6, '0')}`;
    rows.participant.push({
      tournament: 'event-0',
      sort_key: name,
      id,
      document: JSON.stringify(participant({ player: name })),
      list_order: 0,
      result: '{}',
    });
  }
  return rows;
}
