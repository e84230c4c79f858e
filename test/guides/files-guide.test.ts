import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { dayNumber } from '../../src/world/dates.ts';
import { world } from '../../src/world/world.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { wartable } from '../../harness/support/command.ts';
import { wholeIndex } from '../../harness/support/data-files.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { withDuckDB } from '../../harness/support/duckdb.ts';
import { publishFeed } from '../../harness/support/publish-feed.ts';
import { runSample } from './run-sample.ts';
import { samplesRunBy } from '../../harness/guides/samples.ts';

// Follows docs/api/files.md: a reader loads the files from a web server and queries them with DuckDB. The
// answers are computed again from the documents in the database, in PostgreSQL's SQL.

const samples = samplesRunBy(import.meta.filename);
const database = await createTestDatabase();
await publishFeed(database.pool, [
  ...world({ seed: 8, battles: 1_200, from: dayNumber('2025-09-01'), today: dayNumber('2026-11-14') }),
]);
const scratch = mkdtempSync(path.join(tmpdir(), 'wartable-files-guide-'));
atEnd(() => rm(scratch, { recursive: true }));
const offered = path.join(scratch, 'offered');
const { code } = await wartable(['files', offered], { DATABASE_URL: database.url });
assert.equal(code, 0);

let asked: string[] = [];
const web = createServer(({ url = '' }, response) => {
  const name = path.basename(url);
  asked.push(name);
  const file = path.join(offered, name);
  if (existsSync(file)) response.end(readFileSync(file));
  else response.writeHead(404).end();
}).listen(0, '127.0.0.1');
await once(web, 'listening');
atEnd(async () => void web.close());
const DATA = `http://127.0.0.1:${(web.address() as AddressInfo).port}/data`;
const data = path.join(scratch, 'data');

test('the sample loads all files, then only what is missing or broken, and removes what is old', async () => {
  const load = async () => {
    asked = [];
    for (const { text } of of('sh')) await runSample(text, { DATA }, scratch);
    assert.deepEqual(readdirSync(data).toSorted(), [...readdirSync(offered), 'sums'].toSorted());
    return asked;
  };
  const names = wholeIndex(offered).files.map(({ name }) => name);
  assert.deepEqual(await load(), ['index.json', ...names]);
  assert.deepEqual(await load(), ['index.json']);
  const broken = names[2] ?? '';
  writeFileSync(path.join(data, broken), 'half');
  writeFileSync(path.join(data, 'clubs-undated-0123456789abcdef.ndjson.gz'), 'old');
  assert.deepEqual(await load(), ['index.json', broken]);
  wholeIndex(data);
});

test('index.json has the members that the page shows', () => {
  const [shown] = of('json').map(({ text }) => JSON.parse(text) as { files: object[] });
  const index = wholeIndex(offered);
  assert.deepEqual(Object.keys(shown ?? {}), Object.keys(index));
  assert.deepEqual(Object.keys(shown?.files[0] ?? {}), Object.keys(index.files[0] ?? {}));
});

test('each query answers as the database does', async () => {
  const player = await one<{ id: string }>(
    `select player as id from published.player_battle group by player order by count(*) desc, player limit 1`,
  );
  const expected = [
    await rowsOf(
      `select faction, games, won, drawn, lost, round(100 * hits / games, 1) as rate,
        round(100 * (2 * hits + z * z - z * sqrt(z * z + 4 * hits * (1 - hits / games))) / (2 * (games + z * z)), 1) as low,
        round(100 * (2 * hits + z * z + z * sqrt(z * z + 4 * hits * (1 - hits / games))) / (2 * (games + z * z)), 1) as high
      from (
        select own ->> 'faction' as faction, count(*) as games, count(*) filter (where own ->> 'outcome' = 'win') as won,
          count(*) filter (where own ->> 'outcome' = 'draw') as drawn,
          count(*) filter (where own ->> 'outcome' = 'loss') as lost, sum(score) as hits, 1.959963984540054::numeric as z
        from game where own ->> 'faction' <> foe ->> 'faction' and start_date between '2026-01-01' and '2026-12-31'
        group by 1
      ) counts`,
    ),
    await rowsOf(
      `select to_char(start_date, 'YYYY-MM') as month, count(*) as games, round(100 * avg(score), 1) as rate
      from game where own ->> 'faction' = 'Lanternsworn' and foe ->> 'faction' <> 'Lanternsworn' group by 1`,
    ),
    await rowsOf(
      `select foe ->> 'player' as opponent, count(*) as games, sum(score) as points from game
      where own ->> 'playerId' = '${player.id}' and foe ->> 'playerId' is not null
      group by foe ->> 'playerId', foe ->> 'player' order by 2 desc, (foe ->> 'player') collate "C" limit 10`,
    ),
    await rowsOf(
      `select side ->> 'role' as role, side -> 'rounds' -> 0 ->> 'priority' as first, count(*) as games,
        round(100 * avg(case side ->> 'outcome' when 'win' then 1 when 'draw' then 0.5 else 0 end), 1) as rate
      from published.battle_detail, json_array_elements((document || '"}')::json -> 'players') side
      where side ->> 'outcome' is not null and side ->> 'role' is not null and side -> 'rounds' ->> 0 is not null
      group by 1, 2`,
    ),
    await rowsOf(
      `select size, faction, count(*) as entries, round(100.0 * count(*) / sum(count(*)) over (partition by size), 1) as share
      from (
        select entry ->> 'faction' as faction,
          case when players < 20 then 'under 20' when players < 60 then '20 to 59' else '60 or more' end as size
        from (select slug, ((document || '"}')::json ->> 'players')::int as players from published.tournament) t
        join published.standings s on s.tournament = slug and stage = 'standings',
          json_array_elements(s.document::json -> 'data') entry
        where entry ->> 'rank' is not null and entry ->> 'faction' is not null
      ) field group by 1, 2`,
    ),
  ];
  await withDuckDB(async (run) => {
    const [views, ...queries] = of('sql').map(({ text }) => text.replace("'ID'", `'${player.id}'`));
    await run(views ?? '');
    const parquet = path.join(scratch, 'battle-sides.parquet');
    await run((queries.pop() ?? '').replace('battle-sides.parquet', parquet));
    const [kept] = await run(`select count(*) as sides from '${parquet}'`);
    const { sides } = await one<{ sides: string }>(`select 2 * count(*) as sides from published.battle`);
    assert.equal(String(kept?.['sides']), sides);
    assert.equal(queries.length, expected.length);
    for (const [index, query] of queries.entries()) {
      const found = (await run(query)).map(asText);
      assert.ok(found.length > 1, query);
      assert.deepEqual(found.toSorted(), (expected[index] ?? []).map(asText).toSorted(), query);
    }
    // The expected bounds come from statsmodels, `proportion_confint(wins, 10, method='wilson')`.
    const known = await run(
      `select wins, round(100 * wilson(wins / 10, 10, -1), 1) as low, round(100 * wilson(wins / 10, 10, 1), 1) as high
      from (values (0), (2), (5), (8), (10)) as v (wins)`,
    );
    assert.deepEqual(known.map(asText), ['0|0|27.8', '2|5.7|51', '5|23.7|76.3', '8|49|94.3', '10|72.2|100']);
  }, data);
});

const of = (language: string) => samples.filter((sample) => sample.language === language);

async function rowsOf(text: string): Promise<Record<string, unknown>[]> {
  const games = `with game as (
    select t.start_date, side.own, side.foe, case side.own ->> 'outcome' when 'win' then 1 when 'draw' then 0.5 else 0 end as score
    from published.tournament t join published.battle b on b.tournament = t.slug
    cross join lateral (values
      ((b.document || '"}')::json -> 'players' -> 0, (b.document || '"}')::json -> 'players' -> 1),
      ((b.document || '"}')::json -> 'players' -> 1, (b.document || '"}')::json -> 'players' -> 0)) side (own, foe)
    where t.status = 'finished' and side.own ->> 'outcome' is not null)`;
  return (await database.pool.query<Record<string, unknown>>(`${games} ${text}`)).rows;
}

async function one<Row extends object>(text: string): Promise<Row> {
  const { rows } = await database.pool.query<Row>(text);
  assert.ok(rows[0]);
  return rows[0];
}

/** Writes numbers without trailing zeros, because the two databases format them differently. */
function asText(row: Record<string, unknown>): string {
  return Object.values(row)
    .map((value) =>
      Number.isFinite(Number(value)) && typeof value !== 'boolean' ? String(Number(value)) : String(value),
    )
    .join('|');
}
