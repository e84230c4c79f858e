import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync, readdirSync, readFileSync, watch } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { stream } from '../../src/world/chance/random.ts';
import { bareEnvironment } from '../support/bare-environment.ts';
import { wartable } from '../support/command.ts';
import { assertEqualsDatabase, wholeIndex } from '../support/data-files.ts';
import { withDuckDB } from '../support/duckdb.ts';
import { onClient, type Proof, withDatabase, withFolder } from './proof.ts';
import { dayNumber } from '../../src/world/dates.ts';
import { world } from '../../src/world/world.ts';

const sizes = {
  small: { battles: 1_500, fewer: 500, kills: 3 },
  stated: { battles: 100_000, fewer: 10_000, kills: 20 },
};

/**
 * Proves that the files of a world equal its database, also as DuckDB reads them. A killed run leaves the
 * index and everything that it names intact. Memory does not grow with the number of battles.
 */
export const files: Proof = ({ serverUrl, size }) =>
  withFolder(async (folder) => {
    const { battles, fewer, kills } = sizes[size];
    const little = await withWorld(serverUrl, folder, fewer, (url) =>
      peakOf(url, path.join(folder, 'little')),
    );
    return withWorld(serverUrl, folder, battles, async (url) => {
      const [first, second] = [path.join(folder, 'first'), path.join(folder, 'second')];
      const peak = await peakOf(url, first);
      const documents = await onClient(url, (client) => assertEqualsDatabase(client, first));
      const rows = await onClient(url, (client) => assertSameRows(client, first));
      await onClient(url, changeMonths);
      const between = await killRuns(url, first, second, kills);
      await onClient(url, (client) => assertEqualsDatabase(client, second));
      const ratio = peak / little;
      const memory = `Peak memory ${Math.round(peak / 1024)} MB, ${ratio.toFixed(2)} of that of ${fewer} battles; must be at most 1.2.`;
      assert.ok(ratio <= 1.2, memory);
      return [
        `${documents} documents equal, ${kills} kills, ${ratio.toFixed(2)} of the memory of fewer.`,
        `The files of a world of ${battles} battles equal the database: ${documents} documents. DuckDB reads ${rows} sides of battles from NDJSON, and the same from CSV.`,
        `${kills} kills at random moments of a run that replaces files, ${between} of them when new files were there and the index was old. Each time the index was the old or the new one, all that it names was whole, and the next run left the same folder as a run that was never killed.`,
        memory,
      ];
    });
  });

async function withWorld<T>(
  serverUrl: string,
  folder: string,
  battles: number,
  work: (url: string) => Promise<T>,
): Promise<T> {
  return withDatabase(serverUrl, async (url) => {
    const feed = path.join(folder, 'feed.ndjson');
    await pipeline(function* lines() {
      for (const record of world({
        seed: 32,
        battles,
        from: dayNumber('2023-01-01'),
        today: dayNumber('2026-06-30'),
      }))
        yield `${JSON.stringify(record)}\n`;
    }, createWriteStream(feed));
    const { code, stderr } = await wartable(['import', feed], { DATABASE_URL: url });
    assert.equal(code, 0, stderr);
    return work(url);
  });
}

/** Runs the command to its end. Returns its peak memory in kilobytes, as the operating system counts it. */
async function peakOf(url: string, folder: string): Promise<number> {
  const { code, stderr } = await wartable(['files', folder], {
    DATABASE_URL: url,
    NODE_OPTIONS: `--import=${reportPeak}`,
  });
  assert.equal(code, 0, stderr);
  return Number(/peak (\d+)/.exec(stderr)?.[1]);
}

const reportPeak = `data:text/javascript,process.on('exit',()=>console.error('peak',process.resourceUsage().maxRSS))`;

/**
 * Asserts that DuckDB reads the same rows from both, and as many as the database has. Returns their number.
 */
async function assertSameRows(client: pg.Client, folder: string): Promise<number> {
  const ofBattle = ['id', 'date', 'tournament', 'stage', 'round', 'scenario', 'battlePack', 'battleSize'];
  const ofResult = ['winner', 'victorySize'];
  const ofSide = ['player', 'playerId', 'faction', 'subFaction', 'outcome', 'battlePoints', 'victoryPoints'];
  const ofPack = ['objectivePoints', 'battleTacticsScored', 'grandStrategy', 'grandStrategyScored'];
  const sides = [...ofSide, ...ofPack, 'drops', 'role'];
  const members = [...ofBattle, ...ofResult];
  const types = (names: string[]) => names.map((name) => `"${name}" VARCHAR`).join(', ');
  return withDuckDB(async (run) => {
    await run(`create table of_csv as select ${members.join(', ')}, side, ${sides.join(', ')}, metrics
      from read_csv('battle-sides-*.csv.gz', all_varchar = true, header = true, delim = ',', quote = '"', escape = '"')`);
    await run(`create table of_ndjson as
      select ${members.join(', ')}, number::varchar as side,
        ${sides.map((name) => `nullif(players[number].${name}, '') as ${name}`).join(', ')},
        nullif(players[number].metrics::varchar, '{}') as metrics
      from read_ndjson('battles-*.ndjson.gz', columns = {
        ${members.map((name) => `${name}: 'VARCHAR'`).join(', ')},
        players: 'STRUCT(${types(sides)}, metrics JSON)[]'})
      cross join (values (1), (2)) as numbers (number)`);
    const [count] = await run(`select
      (select count(*) from of_csv)::int as csv, (select count(*) from of_ndjson)::int as ndjson,
      (select count(*) from (from of_csv except all from of_ndjson))::int as surplus`);
    const { rows } = await client.query<{ sides: number }>(
      `select 2 * count(*)::int as sides from published.battle`,
    );
    const all = rows[0]?.sides ?? 0;
    assert.deepEqual(count, { csv: all, ndjson: all, surplus: 0 });
    return all;
  }, folder);
}

/** Changes battles so that the next run replaces some files of most months. */
async function changeMonths(client: pg.Client): Promise<void> {
  await client.query(
    `update published.battle set document = replace(document, '"scenario":"', '"scenario":"New ') where id ~ '[0-4]$'`,
  );
}

/** Returns how many kills happened between the first new file and the new index. */
async function killRuns(url: string, first: string, second: string, kills: number): Promise<number> {
  await cp(first, second, { recursive: true });
  const milliseconds = await runFiles(url, second);
  const [old, fresh] = [indexOf(first), indexOf(second)];
  assert.notEqual(old, fresh);
  const random = stream(Number(process.env['KILL_SEED'] ?? Date.now() % 100_000), 'kills');
  let between = 0;
  for (let kill = 0; kill < kills; kill += 1) {
    const copy = `${second}-killed`;
    await cp(first, copy, { recursive: true });
    await runFiles(url, copy, random.unit() * milliseconds);
    const names = new Set(wholeIndex(copy).files.map(({ name }) => name));
    const index = indexOf(copy);
    assert.ok(index === old || index === fresh, 'the index is neither the old nor the new one');
    if (index === old && readdirSync(copy).some((name) => name !== 'index.json' && !names.has(name)))
      between += 1;
    // This run starts at once, while PostgreSQL may still be reading for the one that was killed.
    await runFiles(url, copy);
    assert.deepEqual(readdirSync(copy).toSorted(), readdirSync(second).toSorted());
    assert.equal(indexOf(copy), fresh);
    wholeIndex(copy);
    await rm(copy, { recursive: true });
  }
  assert.ok(between > 0 || kills < 20, 'no kill fell between the first new file and the index');
  return between;
}

/** Returns the index without its day, because a run may go past midnight. */
const indexOf = (folder: string): string =>
  readFileSync(path.join(folder, 'index.json'), 'utf8').replace(/"date":"[^"]*",/, '');

/** Runs the command to its end, or kills it. Counts the milliseconds from its first file. */
async function runFiles(url: string, folder: string, killAfter?: number): Promise<number> {
  const beginning = new AbortController();
  const began = new Promise<void>((resolve) => watch(folder, beginning).once('change', () => resolve()));
  const child = spawn(process.execPath, ['src/cli.ts', 'files', folder], {
    cwd: new URL('../..', import.meta.url),
    env: { ...bareEnvironment, DATABASE_URL: url },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit') as Promise<[number | null]>;
  await Promise.race([began, ended]);
  beginning.abort();
  const startedAt = performance.now();
  if (killAfter !== undefined) {
    await Promise.race([sleep(killAfter), ended]);
    child.kill('SIGKILL');
  }
  const [code] = await ended;
  if (killAfter === undefined) assert.equal(code, 0);
  assert.ok(existsSync(path.join(folder, 'index.json')));
  return performance.now() - startedAt;
}
