import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { startProofServer } from '../proofs/serving.ts';
import { atEnd } from '../support/at-end.ts';
import { bareEnvironment } from '../support/bare-environment.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { isInstalled } from './proxies.ts';

// An event that is live from sheets: this serves three CSV files over HTTP and runs the script of the timer.

const root = path.resolve(import.meta.dirname, '../..');
const script = path.join(root, 'deploy/live-sheet.sh');
const folder = await mkdtemp(path.join(tmpdir(), 'wartable-live-sheet-'));
const state = path.join(folder, 'state');
const { url, pool } = await createTestDatabase();
const site = await startProofServer(url);
const sheets = new Map<string, string>();
for (const name of ['event', 'players', 'games']) {
  sheets.set(`/${name}.csv`, await readFile(path.join(root, `docs/sheets/${name}.csv`), 'utf8'));
}
const web = createServer(({ url: target = '' }, response) => {
  const text = sheets.get(target);
  response.writeHead(text === undefined ? 404 : 200, { 'content-type': 'text/csv' }).end(text);
});
web.listen(0, '127.0.0.1');
await once(web, 'listening');
const address = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
const wrapper = path.join(folder, 'wartable');
await writeFile(wrapper, `#!/bin/sh\nexec "${process.execPath}" "${root}/src/cli.ts" "$@"\n`);
await chmod(wrapper, 0o755);
atEnd(async () => {
  web.close();
  await site.close();
  await rm(folder, { recursive: true });
});

const env = {
  ...bareEnvironment,
  PATH: `${folder}:${bareEnvironment['PATH'] ?? process.env['PATH']}`,
  DATABASE_URL: url,
  STATE_DIRECTORY: state,
  SHEET_EVENT: `${address}/event.csv`,
  SHEET_PLAYERS: `${address}/players.csv`,
  SHEET_GAMES: `${address}/games.csv`,
  SHEET_OPTIONS: '--new-clubs --status ongoing',
};

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

const tick = (): Promise<Ended> =>
  promisify(execFile)('sh', [script], { env }).then(
    (ended) => ({ code: 0, ...ended }),
    (error: unknown) => error as Ended,
  );

/** Differs as soon as any row of the event is written again. */
async function rowVersions(): Promise<string> {
  const tables = ['record.battle', 'record.participant', 'record.match', 'record.tournament', 'record.stale'];
  const all = [
    ...tables,
    'published.tournament',
    'published.battle',
    'published.participant',
    'published.standings',
  ];
  const query = all
    .map((table) => `select '${table}' || xmin || ctid as version from ${table}`)
    .join(' union all ');
  const { rows } = await pool.query<{ all: string }>(
    `select md5(string_agg(version, ',' order by version)) as all from (${query}) versions`,
  );
  return rows[0]?.all ?? '';
}

const [header = '', ...games] = (sheets.get('/games.csv') ?? '').trim().split('\n');
/** The pairings of the next game are known before its result. */
function serveGames(count: number): void {
  const next = games[count]?.split(',').slice(0, 4).join(',');
  sheets.set('/games.csv', `${[header, ...games.slice(0, count), next ?? ''].join('\n')}\n`);
}
const battlePage = (count: number): string => {
  const [round, , ...players] = (games[count - 1] ?? '').split(',').slice(0, 4);
  const [one, other] = players.map(Number).toSorted((a, b) => a - b);
  return `${site.siteUrl}/battles/autumn-cup-2026_swiss_${round}_${one}_${other}`;
};

// Each change starts two programs: a busy machine needs minutes.
const timeout = 1_200_000;
test(
  'the pages follow a sheet of 30 games as it grows, and unchanged fetches write no row',
  { timeout },
  async () => {
    for (const count of [1, 2, 3, 10, 29, 30]) {
      serveGames(count);
      const { code, stderr } = await tick();
      assert.equal(code, 0, stderr);
      const [, , , , , one, other] = (games[count - 1] ?? '').split(',');
      await eventually(20_000, async () => {
        const response = await fetch(battlePage(count));
        const text = (await response.text()).replaceAll(/<[^>]*>/g, ' ');
        assert.equal(response.status, 200);
        assert.match(
          text,
          new RegExp(`\\b(${one} +Victory points +${other}|${other} +Victory points +${one})\\b`),
        );
      });
      const before = await rowVersions();
      assert.deepEqual(await tick(), { code: 0, stdout: '', stderr: '' });
      assert.equal(await rowVersions(), before);
    }
  },
);

test('without its state the script imports again, and no row is written', async () => {
  const before = await rowVersions();
  await rm(state, { recursive: true });
  const { code, stdout } = await tick();
  assert.deepEqual([code, /0 rows written/.test(stdout)], [0, true], stdout);
  assert.equal(await rowVersions(), before);
});

test('with fewer than half of the rows it imports nothing and says so, until the sheet is whole again', async () => {
  const before = await rowVersions();
  serveGames(14);
  const { code, stderr } = await tick();
  assert.equal(code, 1);
  assert.match(
    stderr,
    /the games have 15 rows, fewer than half of the 31 rows last imported: nothing is imported/,
  );
  assert.equal(await rowVersions(), before);
  serveGames(31);
  assert.equal((await tick()).code, 0);
  assert.notEqual(await rowVersions(), before);
});

test('a sheet that is wrong or cannot be fetched imports nothing and says why', async () => {
  const before = await rowVersions();
  const right = sheets.get('/games.csv') ?? '';
  sheets.set('/games.csv', right.replace('Broken Causeway', '#REF!'));
  const wrong = await tick();
  assert.equal(wrong.code, 1);
  assert.match(
    wrong.stderr,
    /^games\.csv:2: scenario: expected a value, found the error #REF! of a formula\n/,
  );
  sheets.delete('/games.csv');
  const missing = await tick();
  assert.equal(missing.code, 1);
  assert.match(missing.stderr, /games\.csv could not be fetched: nothing is imported\.\n$/);
  sheets.set('/games.csv', right);
  assert.equal((await tick()).code, 0);
  assert.equal(await rowVersions(), before);
});

test('killed at any moment, the next run brings the same', async () => {
  for (const [index, moment] of [200, 1_500, 2_500, 4_000].entries()) {
    serveGames(32 + index);
    const child = spawn('sh', [script], { env, stdio: 'ignore', detached: true });
    const ended = once(child, 'exit');
    await sleep(moment);
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    await ended;
    // A killed import lets its locks go as soon as the database notices.
    await eventually(20_000, async () => {
      const { code, stderr } = await tick();
      assert.equal(code, 0, stderr);
    });
    const page = await fetch(battlePage(32 + index));
    assert.equal(page.status, 200);
  }
  const left = (await readdir(state)).filter((name) => !name.startsWith('fetched.'));
  assert.deepEqual(left.toSorted(), ['event.ndjson']);
});

test('a changed option counts, though the sheets are the same', async () => {
  const changed = { ...env, SHEET_OPTIONS: '--new-clubs --status ongoing --city Lübeck' };
  await promisify(execFile)('sh', [script], { env: changed });
  const { rows } = await pool.query<{ city: string }>('select city from record.tournament');
  assert.deepEqual(rows, [{ city: 'Lübeck' }]);
});

test('the script is plain POSIX shell', async () => {
  await promisify(execFile)('sh', ['-n', script]);
  if (await isInstalled('dash')) await promisify(execFile)('dash', ['-n', script]);
});

const skip = (await isInstalled('systemd-analyze')) ? false : 'no systemd-analyze here';
test('systemd-analyze verify has no remarks about the units of the sheet', { skip }, async () => {
  const units = path.join(folder, 'units');
  await cp(path.join(root, 'deploy/systemd'), units, { recursive: true });
  const service = path.join(units, 'wartable-sheet@.service');
  // Only this differs: the command need not be installed here.
  await writeFile(
    service,
    (await readFile(service, 'utf8')).replace('ExecStart=wartable-live-sheet', 'ExecStart=/bin/true'),
  );
  const names = ['wartable-sheet@cup.service', 'wartable-sheet@cup.timer'].map((name) =>
    path.join(units, name),
  );
  const { stderr } = await promisify(execFile)('systemd-analyze', ['verify', ...names], {
    env: { ...process.env, SYSTEMD_UNIT_PATH: `${units}:` },
  });
  assert.deepEqual(
    stderr.split('\n').filter((line) => line.includes('wartable')),
    [],
  );
});
