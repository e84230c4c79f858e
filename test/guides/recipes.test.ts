import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { demoFeed } from '../../src/demo/world.ts';
import { dayNumber } from '../../src/world/dates.ts';
import { world } from '../../src/world/world.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { printedExports } from '../../harness/support/demo.ts';
import { publishFeed } from '../../harness/support/publish-feed.ts';
import { createTestKey, startTestServer } from '../../harness/support/server.ts';
import { blocksOf, patternOf } from '../../harness/guides/guide-blocks.ts';
import { runSample } from './run-sample.ts';
import { root, samplesRunBy } from '../../harness/guides/samples.ts';

// Runs the recipes that end by themselves, exactly as shown. What they say about a world of several years is
// computed again in SQL.

const database = await createTestDatabase();
await publishFeed(database.pool, [
  ...demoFeed(dayNumber('2026-11-14')),
  // The world of `npm run dev` does not have these years.
  ...world({ seed: 5, battles: 1_500, from: dayNumber('2021-01-01'), today: dayNumber('2023-11-14') }),
]);
const { key } = await createTestKey(database);
const server = await startTestServer(await database.loginAs('wartable_serve'));
const { API, KEY } = printedExports(server, key);

/** Turns a program into a command. It runs in the client's folder. */
const commands: Record<string, (quoted: string) => string> = {
  js: (quoted) => `node --input-type=module -e '${quoted}'`,
  py: (quoted) => `python3 -c '${quoted}'`,
};

for (const sample of samplesRunBy(import.meta.filename)) {
  test(`${sample.page}:${sample.line} prints what it shows`, async () => {
    const { page, language, text, line: at } = sample;
    const command = commands[language]?.(text.replaceAll("'", String.raw`'\''`)) ?? text;
    const { stdout } = await runSample(
      command,
      { API, KEY },
      language === 'sh' ? root : path.join(root, path.dirname(page)),
    );
    const blocks = blocksOf(readFileSync(path.join(root, page), 'utf8'));
    const shown = blocks.find(({ language: kind, line }) => kind === 'text' && line > at)?.text ?? '';
    assert.match(stdout, patternOf(shown));
  });
}

test('player-years: the busiest players, as SQL counts them', async () => {
  const { rows: busiest } = await database.pool.query<{ player: string }>(
    `select player from published.player_battle where date between '2021-01-01' and '2023-12-31'
      group by player order by count(*) desc, player limit 3`,
  );
  for (const { player } of busiest) {
    const printed = await lines(`node docs/recipes/player-years.mjs '${player}' 2021`);
    const { rows: records } = await database.pool.query<{ line: string }>(
      `select extract(year from date) || ' ' || coalesce(faction, 'faction not known') || ': '
         || count(*) filter (where outcome = 'win') || ' won, '
         || count(*) filter (where outcome = 'draw') || ' drawn, '
         || count(*) filter (where outcome = 'loss') || ' lost' as line
       from published.player_battle
       where player = $1 and outcome is not null and date between '2021-01-01' and '2023-12-31'
       group by extract(year from date), coalesce(faction, 'faction not known')`,
      [player],
    );
    const { rows: places } = await database.pool.query<{ line: string }>(
      `select distinct extract(year from b.date) || ' ' || ((t.document || '"}')::json ->> 'name') || ': '
         || case when t.status = 'finished'
            then 'place ' || coalesce(p.placement::text, '?') || ' of ' || ((t.document || '"}')::json ->> 'players')
            else t.status end as line
       from published.player_battle pb
       join published.battle b on b.id = pb.battle
       join published.tournament t on t.slug = b.tournament
       join published.player_tournament p on p.player = pb.player and p.tournament = t.slug
       where pb.player = $1 and b.date between '2021-01-01' and '2023-12-31'`,
      [player],
    );
    let year = '';
    const found = printed.flatMap((line) => {
      if (/^\d/.test(line)) year = line;
      return /^\d/.test(line) ? [] : [`${year} ${line.trim()}`];
    });
    assert.ok(records.length > 2 && places.length > 2, player);
    assert.deepEqual(found.toSorted(), [...records, ...places].map(({ line }) => line).toSorted());
  }
});

test('win-rates: the rates of a season, as SQL counts them', async () => {
  const { rows } = await database.pool.query<{ line: string }>(
    `with sides as (
       select (b.document || '"}')::json #> array['players', own] as own,
         (b.document || '"}')::json #> array['players', foe] as foe
       from published.tournament t
       join published.battle b on b.tournament = t.slug
       cross join (values ('0', '1'), ('1', '0')) as s (own, foe)
       where t.status = 'finished' and t.start_date between '2022-01-01' and '2022-12-31'
     ), counts as (
       select own ->> 'faction' as faction, count(*) as n,
         count(*) filter (where own ->> 'outcome' = 'win') as won,
         count(*) filter (where own ->> 'outcome' = 'draw') as drawn,
         count(*) filter (where own ->> 'outcome' = 'loss') as lost
       from sides where own ->> 'outcome' is not null and own ->> 'faction' <> foe ->> 'faction'
       group by 1
     ), rates as (select *, (won + 0.5 * drawn) / n as rate from counts)
     select concat_ws(E'\\t', faction, n, won, drawn, lost, round(100 * rate, 1) || ' %') as line
     from rates order by rate desc, faction collate "C"`,
  );
  assert.ok(rows.length > 10, `${rows.length} factions`);
  const title = 'faction\tbattles\twon\tdrawn\tlost\trate';
  for (const each of ['node docs/recipes/win-rates.mjs', 'python3 docs/recipes/win-rates.py'])
    assert.deepEqual(await lines(`${each} 2022-01-01 2022-12-31`), [title, ...rows.map(({ line }) => line)]);
});

test('win-rates: half wins, and what is left out', async () => {
  const battle = (id: number, factions: string[], winner: number | null, finished = true) => ({
    id: `known-${id}`,
    stage: 'swiss',
    round: 1,
    finished,
    winner: winner === null ? null : `p${winner}`,
    sides: [0, 1].map((side) => ({
      participant: `p${side}`,
      ...(factions[side] && { faction: factions[side] }),
    })),
  });
  const fixtures: [times: number, factions: string[], winner: number | null, finished?: boolean][] = [
    [8, ['Eight', 'Two'], 0],
    [2, ['Eight', 'Two'], 1],
    [10, ['Ten', 'None'], 0],
    [10, ['Half', 'Other half'], null],
    // These are left out: mirror matches, unknown factions, games without a result.
    [5, ['Eight', 'Eight'], 0],
    [5, ['Ten', ''], 1],
    [5, ['Ten', 'None'], null, false],
  ];
  await publishFeed(database.pool, [
    {
      kind: 'tournament',
      slug: 'known',
      published: true,
      name: 'Known',
      status: 'finished',
      startDate: '2019-03-02',
      battleSize: 1000,
      stages: [{ id: 'swiss', label: 'Swiss', type: 'board', rounds: 1 }],
      participants: [
        { id: 'p0', name: 'Ada' },
        { id: 'p1', name: 'Ben' },
      ],
      battles: fixtures.flatMap(([times, ...rest], kind) =>
        Array.from({ length: times }, (_, turn) => battle(100 * kind + turn, ...rest)),
      ),
    },
  ]);
  for (const each of ['node docs/recipes/win-rates.mjs', 'python3 docs/recipes/win-rates.py'])
    assert.deepEqual((await lines(`${each} 2019-01-01 2019-12-31`)).slice(1), [
      'Ten\t10\t10\t0\t0\t100.0 %',
      'Eight\t10\t8\t0\t2\t80.0 %',
      'Half\t10\t0\t10\t0\t50.0 %',
      'Other half\t10\t0\t10\t0\t50.0 %',
      'Two\t10\t2\t0\t8\t20.0 %',
      'None\t10\t0\t0\t10\t0.0 %',
    ]);
});

test('a recipe ends with the message of the API', async () => {
  const running = runSample('node docs/recipes/player-years.mjs unknown 2024', { API, KEY });
  await assert.rejects(running, ({ stderr }: { stderr: string }) =>
    /WartableError: Player not found/.test(stderr),
  );
});

test('spreadsheet: each address gives a file with the rows of the API', async () => {
  const page = readFileSync(path.join(root, 'docs/api/spreadsheets.md'), 'utf8');
  const addresses = [...page.matchAll(/"http:\/\/localhost:3001([^"]+)"/g)].map(
    ([, address = '']) => address,
  );
  assert.deepEqual(
    new Set(addresses.map((each) => path.basename(new URL(each, API).pathname))),
    new Set(['standings.csv', 'participants.csv', 'battles.csv']),
  );
  assert.equal(addresses.length, 5);
  for (const address of addresses) {
    const response = await fetch(`${server.siteUrl}${address}`);
    assert.equal(response.status, 200, address);
    const rows: Record<string, string>[] = parse(await response.text(), { columns: true, bom: true });
    const headers = { Authorization: `Bearer ${KEY}` };
    const answer = await fetch(`${API}/api/v1${address.replace('.csv', '')}`, { headers });
    const { data } = (await answer.json()) as { data: Record<string, string | number | null>[] };
    // A battle has one row for each side.
    const perRow = address.includes('battles.csv') ? 2 : 1;
    const first = Object.keys(data[0] ?? {}).find((name) => ['rank', 'player', 'id'].includes(name)) ?? '';
    assert.ok(data.length > 0);
    assert.deepEqual(
      rows.map((row) => row[first]),
      data.flatMap((each) => Array.from({ length: perRow }, () => String(each[first] ?? ''))),
      address,
    );
  }
});

/** Returns the lines that a command prints. */
async function lines(command: string): Promise<string[]> {
  const { stdout } = await runSample(command, { API, KEY });
  return stdout.trimEnd().split('\n');
}
