import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { demoFeed } from '../../src/commands/demo/world.ts';
import { dayOf } from '../../src/world/dates.ts';
import { world } from '../../src/world/world.ts';
import { createTestDatabase } from '../support/database.ts';
import { publishFeed } from '../support/publish-feed.ts';
import { createTestKey, startTestServer } from '../support/server.ts';
import { blocksOf, patternOf } from './guide-blocks.ts';
import { runSample } from './run-sample.ts';
import { root, samplesRunBy } from './samples.ts';

// The recipes that end, as they stand. What they say about a world of several years is computed again in SQL.

const database = await createTestDatabase();
await publishFeed(database.pool, [
  ...demoFeed(dayOf('2026-11-14')),
  // Years that the world of `npm run dev` does not have.
  ...world({ seed: 5, battles: 1_500, from: dayOf('2021-01-01'), today: dayOf('2023-11-14') }),
]);
const { key: KEY } = await createTestKey(database);
const server = await startTestServer(await database.loginAs('wartable_serve'));
const API = `http://localhost:${new URL(server.apiUrl).port}`;

for (const sample of samplesRunBy(import.meta.filename)) {
  test(`${sample.page} prints what it shows`, async () => {
    const { stdout } = await runSample(sample.text, { API, KEY });
    const blocks = blocksOf(readFileSync(path.join(root, sample.page), 'utf8'));
    const shown = blocks.find(({ line }) => line > sample.line)?.text ?? '';
    assert.match(stdout, patternOf(shown));
  });
}

test('player-years: the busiest players, as SQL counts them', async () => {
  const { rows: busiest } = await database.pool.query<{ player: string }>(
    `select player from published.player_battle group by player order by count(*) desc, player limit 3`,
  );
  for (const { player } of busiest) {
    const printed = await recipe(`player-years.mjs '${player}' 2021`);
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
            then 'place ' || coalesce(p.place::text, '?') || ' of ' || ((t.document || '"}')::json ->> 'players')
            else t.status end as line
       from published.player_battle pb
       join published.battle b on b.id = pb.battle
       join published.tournament t on t.slug = b.tournament
       join published.player_tournament p on p.player = pb.player and p.tournament = t.slug
       where pb.player = $1 and b.date between '2021-01-01' and '2023-12-31'`,
      [player],
    );
    let year = '';
    const lines = printed.flatMap((line) => {
      if (/^\d/.test(line)) year = line;
      return /^\d/.test(line) ? [] : [`${year} ${line.trim()}`];
    });
    assert.ok(records.length > 2 && places.length > 2, player);
    assert.deepEqual(lines.toSorted(), [...records, ...places].map(({ line }) => line).toSorted());
  }
});

test('a recipe ends with the message of the API', async () => {
  const running = runSample('node docs/recipes/player-years.mjs unknown 2024', { API, KEY });
  await assert.rejects(running, ({ stderr }: { stderr: string }) => /Error: Player not found/.test(stderr));
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

/** The lines that it prints. */
async function recipe(command: string): Promise<string[]> {
  const { stdout } = await runSample(`node docs/recipes/${command}`, { API, KEY });
  return stdout.trimEnd().split('\n');
}
