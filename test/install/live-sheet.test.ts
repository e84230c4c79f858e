import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createServer as createEncryptedServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { startProofServer } from '../../harness/proofs/serving.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { bareEnvironment } from '../../harness/support/bare-environment.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { eventually } from '../../harness/support/eventually.ts';
import { importText } from '../../harness/support/feed.ts';
import { setPublished } from '../../src/record/write/set-published.ts';
import { isInstalled } from '../../harness/install/proxies.ts';

// Tests an event that is live from sheets: serves three CSV files over HTTP and runs the timer's script.

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

const source = 'sheet-cup';
const tick = (more: Record<string, string> = {}): Promise<Ended> =>
  promisify(execFile)('sh', [script, source], { env: { ...env, ...more } }).then(
    (ended) => ({ code: 0, ...ended }),
    (error: unknown) => error as Ended,
  );

async function importing(line: string, from = source): Promise<{ refusals: string[] }> {
  const client = await pool.connect();
  return importText(client, `${line}\n`, { source: from }).finally(() => client.release());
}

/** Returns a text that differs as soon as any row of the event has been written again. */
async function rowVersions(): Promise<string> {
  const tables = ['record.battle', 'record.participant', 'record.match', 'record.tournament', 'record.mark'];
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
/** Serves that many games, and the pairing of the next one, whose result is not known yet. */
function serveGames(count: number): void {
  const next = games[count]?.split(',').slice(0, 4).join(',');
  sheets.set('/games.csv', `${[header, ...games.slice(0, count), next ?? ''].join('\n')}\n`);
}
const battlePage = (count: number): string => {
  const [round, , ...players] = (games[count - 1] ?? '').split(',').slice(0, 4);
  const [one, other] = players.map(Number).toSorted((a, b) => a - b);
  return `${site.siteUrl}/battles/autumn-cup-2026_swiss_${round}_${one}_${other}`;
};

// Each change starts two programs, for which a busy machine needs minutes.
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
      await eventually(async () => {
        const response = await fetch(battlePage(count));
        const text = (await response.text()).replaceAll(/<[^>]*>/g, ' ');
        assert.equal(response.status, 200);
        assert.match(text, new RegExp(`Victory points: +(${one} –${other}|${other} –${one})\\b`));
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
  assert.deepEqual(await tick(), { code: 0, stdout: '', stderr: '' });
  assert.equal(await rowVersions(), before);
});

test('what the server has lost comes back with the next run, though the sheet is the same', async () => {
  const isShown = async (page: string) => (await fetch(page)).status === 200;
  const event = `${site.siteUrl}/tournaments/autumn-cup-2026`;
  for (const [of, id] of [
    ['battle', 'autumn-cup-2026_swiss_1_7_10'],
    ['tournament', 'autumn-cup-2026'],
  ]) {
    assert.deepEqual((await importing(JSON.stringify({ kind: 'remove', of, id }))).refusals, []);
    const { code, stdout, stderr } = await tick();
    assert.deepEqual([code, stderr], [0, ''], of);
    assert.match(stdout, /, 0 refused, /);
    const { rows } = await pool.query(
      `select count(*)::int as battles from record.battle join record.tournament t on t.id = tournament_id
        where t.slug = 'autumn-cup-2026' and finished`,
    );
    assert.deepEqual(rows, [{ battles: 30 }], of);
    await eventually(async () => assert.ok((await isShown(event)) && (await isShown(battlePage(30)))));
  }
});

test('a hidden event stays hidden, whatever the sheet says, until an operator shows it', async () => {
  const isPublished = async () => {
    const { rows } = await pool.query<{ published: boolean }>(
      `select published from record.tournament where slug = 'autumn-cup-2026'`,
    );
    return rows[0]?.published;
  };
  await setPublished(pool, 'autumn-cup-2026', false);
  assert.deepEqual(await tick(), { code: 0, stdout: '', stderr: '' });
  assert.equal(await isPublished(), false);
  const event = sheets.get('/event.csv') ?? '';
  for (const [from, to, published] of [
    ['Herbstcup Nordtor 2026', 'Herbstcup', false],
    ['published,yes', 'published,no', false],
    ['', '', false],
  ] as const) {
    sheets.set('/event.csv', event.replace(from, to));
    const { code, stdout, stderr } = await tick();
    assert.equal(code, 0, stderr);
    assert.match(stdout, to === '' ? /^$/ : /\([1-9]\d* changed/);
    assert.equal(await isPublished(), published, to);
  }

  // The message about too few rows says that this file should be removed.
  await rm(path.join(state, 'event.ndjson'));
  assert.equal((await tick()).code, 0);
  assert.equal(await isPublished(), false);
  await setPublished(pool, 'autumn-cup-2026', true);
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
    const child = spawn('sh', [script, source], { env, stdio: 'ignore', detached: true });
    const ended = once(child, 'exit');
    await sleep(moment);
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    await ended;
    // A killed import releases its locks as soon as the database notices.
    await eventually(async () => {
      const { code, stderr } = await tick();
      assert.equal(code, 0, stderr);
    });
    const page = await fetch(battlePage(32 + index));
    assert.equal(page.status, 200);
  }
  const left = (await readdir(state)).filter((name) => !name.startsWith('fetched.'));
  assert.deepEqual(left, ['event.ndjson']);
});

test('who edits the sheet cannot reach the event of somebody else, and the script needs a source', async () => {
  const event = sheets.get('/event.csv') ?? '';
  const other = JSON.stringify({
    kind: 'tournament',
    slug: 'spring-major',
    name: 'Spring Major',
    status: 'planned',
    battleSize: 2000,
    published: true,
  });
  assert.deepEqual((await importing(other, 'main')).refusals, []);
  // The next import publishes it.
  assert.equal((await tick()).code, 0);
  const before = await rowVersions();
  sheets.set('/event.csv', event.replace('autumn-cup-2026', 'spring-major'));
  const { code, stderr } = await tick();
  assert.equal(code, 1);
  assert.match(
    stderr,
    /expected a tournament of source sheet-cup, found "spring-major" of main: `wartable sources give sheet-cup --tournament spring-major` hands it over/,
  );
  assert.equal(await rowVersions(), before);
  sheets.set('/event.csv', event);
  const without = await promisify(execFile)('sh', [script], { env }).catch(
    (error: unknown) => error as Ended,
  );
  assert.match(without.stderr, /the source, such as sheet-cup/);
});

test('a penalty that came by feed stays when the sheet changes, and its entry cannot go', async () => {
  const penalty = { stage: 'swiss', participant: 'p5', battlePoints: -3, reason: 'late list' };
  const adjustments = [penalty];
  const record = { kind: 'tournament', slug: 'autumn-cup-2026', adjustments };
  assert.deepEqual((await importing(JSON.stringify(record))).refusals, []);
  serveGames(36);
  assert.equal((await tick()).code, 0);
  const recorded = 'select participant, battle_points::float as points from record.adjustment';
  assert.deepEqual((await pool.query(recorded)).rows, [{ participant: 'p5', points: -3 }]);
  // Player 5 is removed, with all games.
  const [players = '', right = ''] = [sheets.get('/players.csv'), sheets.get('/games.csv')];
  sheets.set('/players.csv', players.replace(/^5,.*\n/m, ''));
  sheets.set('/games.csv', right.replaceAll(/^\w+,\d*,(?:5,\d+|\d+,5),.*\n/gm, ''));
  const { code, stderr } = await tick();
  assert.equal(code, 1);
  assert.match(
    stderr,
    /participants: expected "p5", which an adjustment still names, found it left out: keep it, or/,
  );
  assert.match(stderr, /live-sheet: Nothing was imported\.\nlive-sheet: the import failed\.\n$/);
  // A club has a line of its own, which is not refused.
  sheets.set(
    '/players.csv',
    players.replace(/^5,.*\n/m, '').replaceAll('Tidewatch Gamers', 'Tidewatch Trio'),
  );
  assert.match(
    (await tick()).stderr,
    /live-sheet: Only a part was imported\.\nlive-sheet: the import failed\.\n$/,
  );
  sheets.set('/players.csv', players);
  sheets.set('/games.csv', right);
  assert.equal((await tick()).code, 0);
});

test('a typo costs one result, and the chat is told whenever the problems change', async () => {
  const told: Record<string, unknown>[] = [];
  let status = 500;
  const chat = createServer((request, response) => {
    void json(request).then((body) => {
      if (status === 204) told.push(body as Record<string, unknown>);
      return response.writeHead(status).end();
    });
  });
  chat.listen(0, '127.0.0.1');
  await once(chat, 'listening');
  const report = { SHEET_REPORT_URL: `http://127.0.0.1:${(chat.address() as AddressInfo).port}/hook` };
  const resultOf = async (id: string) => {
    const { rows } = await pool.query(
      'select finished, first_victory_points from record.battle where id = $1',
      [id],
    );
    return rows[0] as unknown;
  };
  const [typo, fine] = ['autumn-cup-2026_swiss_1_7_10', 'autumn-cup-2026_swiss_5_13_15'];
  try {
    assert.equal((await tick(report)).code, 0);
    serveGames(37);
    const [players = '', right = ''] = [sheets.get('/players.csv'), sheets.get('/games.csv')];
    sheets.set('/games.csv', right.replace('2 minor,11,20', '<!here> @everyone 11-20,11,20'));
    const bad = await tick(report);
    assert.equal(bad.code, 0, bad.stderr);
    assert.match(
      bad.stderr,
      /^games\.csv:2: result: expected 1, 2, draw .*: the game has no result until this is/m,
    );
    assert.match(bad.stderr, /the report could not be sent: the next run tries again\.\n$/);
    assert.deepEqual(await resultOf(typo), { finished: false, first_victory_points: null });
    assert.deepEqual(await resultOf(fine), { finished: true, first_victory_points: '21.00' });
    status = 204;
    for (let run = 1; run <= 3; run++) assert.equal((await tick(report)).code, 0);
    assert.equal(told.length, 1);
    const { text = '', content, ...rest } = told[0] ?? {};
    assert.match(
      String(text),
      /^sheet-cup: something is wrong\. Everything else was imported\.\ngames\.csv:2: result: expected .* found "‹!here> ＠everyone/,
    );
    assert.deepEqual([content, rest], [text, { allowed_mentions: { parse: [] } }]);
    // A mistake in another sheet is more serious and stops everything. After it is corrected, the first one
    // remains.
    sheets.set('/players.csv', players.replace('16,Pål', 'sixteen,Pål'));
    for (let run = 1; run <= 2; run++) assert.equal((await tick(report)).code, 1);
    assert.match(
      String(told[1]?.['text']),
      /^sheet-cup: something is wrong\. Nothing was imported\.\nplayers\.csv:\d+: /,
    );
    sheets.set('/players.csv', players);
    assert.equal((await tick(report)).code, 0);
    assert.equal(told[2]?.['text'], text);
    // A different number of missing rows is not a new problem.
    for (const rows of [5, 3]) {
      serveGames(rows);
      assert.equal((await tick(report)).code, 1);
    }
    assert.match(
      String(told[3]?.['text']),
      /Nothing was imported\.\n.*the games have 6 rows, fewer than half/s,
    );
    sheets.set('/games.csv', right);
    const nowhere = new URL(url);
    nowhere.pathname = '/nowhere';
    assert.equal((await tick({ ...report, DATABASE_URL: nowhere.href })).code, 1);
    assert.match(String(told[4]?.['text']), /Nothing was imported\.\nwartable: There is no such database: /);
    for (let run = 1; run <= 2; run++) assert.equal((await tick(report)).code, 0);
    assert.deepEqual(
      told.slice(5).map((message) => message['text']),
      ['sheet-cup: all is right again.'],
    );
    assert.deepEqual(await resultOf(typo), { finished: true, first_victory_points: '11.00' });
  } finally {
    chat.close();
  }
});

test('the addresses of sheets and of the chat are not arguments of a program', async () => {
  const seen = path.join(folder, 'arguments');
  const { stdout: real } = await promisify(execFile)('sh', ['-c', 'command -v curl']);
  const spy = path.join(folder, 'spy');
  await mkdir(spy);
  await writeFile(
    path.join(spy, 'curl'),
    `#!/bin/sh\nprintf '%s\\n' "$@" >> '${seen}'\nexec '${real.trim()}' "$@"\n`,
    { mode: 0o755 },
  );
  const asked: string[] = [];
  const chat = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.end();
  });
  chat.listen(0, '127.0.0.1');
  await once(chat, 'listening');
  const { port } = chat.address() as AddressInfo;
  // Quotation marks and backslashes have a meaning in curl's config file.
  const secret = '/?key="hush\\n"';
  try {
    const { code, stderr } = await tick({
      PATH: `${spy}:${env.PATH}`,
      SHEET_GAMES: `http://127.0.0.1:${port}${secret}`,
      SHEET_REPORT_URL: `http://127.0.0.1:${port}${secret}`,
    });
    assert.equal(code, 1, stderr);
    assert.deepEqual(asked, [secret, secret]);
    const args = await readFile(seen, 'utf8');
    assert.equal(args.match(/^--silent$/gm)?.length, 4);
    assert.doesNotMatch(args, /http:|hush/);
  } finally {
    chat.close();
  }
});

test('a sheet may redirect to an encrypted address only', async () => {
  const certificate = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=localhost'];
  const files = ['-keyout', 'key.pem', '-out', 'cert.pem', '-addext', 'subjectAltName=DNS:localhost'];
  await promisify(execFile)('openssl', ['req', ...certificate, ...files], { cwd: folder });
  const [key, cert] = await Promise.all(
    ['key.pem', 'cert.pem'].map((name) => readFile(path.join(folder, name))),
  );
  const encrypted = createEncryptedServer({ key, cert }, (_, response) => {
    response.end(sheets.get('/games.csv'));
  }).listen(0, 'localhost');
  await once(encrypted, 'listening');
  let target = '';
  const redirecting = createServer((_, response) => {
    response.writeHead(302, { location: target }).end();
  }).listen(0, '127.0.0.1');
  await once(redirecting, 'listening');
  const settings = {
    SHEET_GAMES: `http://127.0.0.1:${(redirecting.address() as AddressInfo).port}/`,
    CURL_CA_BUNDLE: path.join(folder, 'cert.pem'),
  };
  try {
    target = `https://localhost:${(encrypted.address() as AddressInfo).port}/`;
    const good = await tick(settings);
    assert.equal(good.code, 0, good.stderr);
    target = `${address}/games.csv`;
    const { code, stderr } = await tick(settings);
    assert.equal(code, 1);
    assert.match(stderr, /games\.csv could not be fetched: nothing is imported\.\n$/);
  } finally {
    encrypted.close();
    redirecting.close();
  }
});

test('a changed option counts, though the sheets are the same', async () => {
  const changed = { ...env, SHEET_OPTIONS: '--new-clubs --status ongoing --city Kiel' };
  await promisify(execFile)('sh', [script, source], { env: changed });
  const { rows } = await pool.query<{ city: string }>(
    `select city from record.tournament where slug = 'autumn-cup-2026'`,
  );
  assert.deepEqual(rows, [{ city: 'Kiel' }]);
});

test('the script is plain POSIX shell', async () => {
  await promisify(execFile)('sh', ['-n', script]);
  if (await isInstalled('dash')) await promisify(execFile)('dash', ['-n', script]);
});

test('the service of Compose reads the settings of a sheet as systemd does', async () => {
  const settings = path.join(folder, 'settings');
  await mkdir(settings);
  const lines = [
    '# SHEET_EVENT=no',
    'SHEET_EVENT=https://a.example/?a=1&b="2"',
    'SHEET_OPTIONS=--a b',
    'PATH=/no',
  ];
  await writeFile(path.join(settings, 'bare.env'), lines.join('\n'));
  await writeFile(
    path.join(settings, 'quoted.env'),
    'SHEET_EVENT="https://a.example/?a=1&b="2""\r\nSHEET_OPTIONS=\'--a b\'\r\n',
  );
  const [sheet, loop] = [path.join(folder, 'sheet.sh'), path.join(folder, 'sheets.sh')];
  await writeFile(sheet, 'echo "$1 $STATE_DIRECTORY $SHEET_EVENT $SHEET_OPTIONS"\n');
  const text = await readFile(path.join(root, 'deploy/compose/sheets.sh'), 'utf8');
  // It has the paths of the container, and would go on for ever.
  const here = text
    .replaceAll('/live-sheet.sh', sheet)
    .replaceAll('/sheets/*', `${settings}/*`)
    .replace('sleep 60', 'exit');
  await writeFile(loop, here);
  const { stdout } = await promisify(execFile)('sh', [loop], { env: bareEnvironment });
  const told = (name: string) =>
    `sheet-${name} /var/lib/wartable-sheets/${name} https://a.example/?a=1&b="2" --a b\n`;
  assert.equal(stdout, told('bare') + told('quoted'));
});

const skip = (await isInstalled('systemd-analyze')) ? false : 'no systemd-analyze here';
test('systemd-analyze verify has no remarks about the units of the sheet', { skip }, async () => {
  const units = path.join(folder, 'units');
  await cp(path.join(root, 'deploy/systemd'), units, { recursive: true });
  const service = path.join(units, 'wartable-sheet@.service');
  // Only this differs, because the command need not be installed here.
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
