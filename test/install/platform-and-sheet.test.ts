import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { startProofServer } from '../../harness/proofs/serving.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { bareEnvironment } from '../../harness/support/bare-environment.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { eventually } from '../../harness/support/eventually.ts';

// A platform and a live sheet share one server. Only commands and the timer's script are run, as an operator
// would run them.

const root = path.resolve(import.meta.dirname, '../..');
const folder = await mkdtemp(path.join(tmpdir(), 'wartable-platform-and-sheet-'));
const { url } = await createTestDatabase();
const site = await startProofServer(url);
const sheets = new Map<string, string>();
for (const name of ['event', 'players', 'games']) {
  sheets.set(`/${name}.csv`, await readFile(path.join(root, `docs/sheets/${name}.csv`), 'utf8'));
}
const web = createServer(({ url: target = '' }, response) => {
  response.writeHead(200, { 'content-type': 'text/csv' }).end(sheets.get(target));
});
web.listen(0, '127.0.0.1');
await once(web, 'listening');
const address = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
const command = path.join(folder, 'wartable');
await writeFile(command, `#!/bin/sh\nexec "${process.execPath}" "${root}/src/cli.ts" "$@"\n`);
await chmod(command, 0o755);
atEnd(async () => {
  web.close();
  await site.close();
  await rm(folder, { recursive: true });
});

const options = '--new-clubs --status ongoing';
const env = {
  ...bareEnvironment,
  PATH: `${folder}:${bareEnvironment['PATH'] ?? process.env['PATH']}`,
  DATABASE_URL: url,
  STATE_DIRECTORY: path.join(folder, 'state'),
  SHEET_EVENT: `${address}/event.csv`,
  SHEET_PLAYERS: `${address}/players.csv`,
  SHEET_GAMES: `${address}/games.csv`,
  SHEET_OPTIONS: options,
};

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a line in the folder of the feeds, as if it were typed. */
const shell = (line: string): Promise<Ended> =>
  promisify(execFile)('sh', ['-c', line], { env, cwd: folder }).then(
    (ended) => ({ code: 0, ...ended }),
    (error: unknown) => error as Ended,
  );
const tick = (): Promise<Ended> => shell(`sh "${root}/deploy/live-sheet.sh" sheet-cup`);

const isShown = async (page: string) => (await fetch(`${site.siteUrl}${page}`)).status === 200;
const event = '/tournaments/autumn-cup-2026';

const major = {
  kind: 'tournament',
  slug: 'spring-major',
  name: 'Spring Major',
  status: 'planned',
  battleSize: 2000,
  published: true,
  organizer: 'harbour',
};
const platform = [{ kind: 'club', slug: 'harbour', name: 'Harbour' }, major];
const closed = { kind: 'club', slug: 'closed', name: 'Closed' };
const feed = (...records: object[]) =>
  [...records, { kind: 'end', records: records.length }]
    .map((record) => `${JSON.stringify(record)}\n`)
    .join('');

test("the nightly comparison of a platform, with its removals, leaves a sheet's event alone", async () => {
  await writeFile(path.join(folder, 'yesterday.ndjson'), feed(...platform, closed));
  await writeFile(path.join(folder, 'today.ndjson'), feed(...platform));
  assert.equal((await shell('wartable import yesterday.ndjson')).code, 0);
  const first = await tick();
  assert.equal(first.code, 0, first.stderr);
  await eventually(async () => assert.ok(await isShown(event)));

  const compared = await shell('wartable feed compare --removals surplus.ndjson -- cat today.ndjson');
  assert.match(compared.stdout, /^only in Wartable: club closed\n0 differ, 1 only in Wartable, /);
  const removals = await readFile(path.join(folder, 'surplus.ndjson'), 'utf8');
  assert.equal(removals, '{"kind":"remove","of":"club","id":"closed"}\n');
  assert.match((await shell('wartable import surplus.ndjson')).stdout, /^1 recorded \(1 changed, /);
  assert.match(
    (await shell('wartable feed compare today.ndjson')).stdout,
    /^Equal: 2 things\. Source main owns 2 things\.\n$/,
  );

  assert.deepEqual(await tick(), { code: 0, stdout: '', stderr: '' });
  // The page really exists; it is not just a kept copy.
  await eventually(async () => assert.equal(await isShown('/clubs/closed'), false));
  for (const page of [event, '/tournaments/spring-major', '/clubs/harbour', '/clubs/wurfelbund-nordtor'])
    assert.ok(await isShown(page), page);
});

test('an event was imported by hand: the sheet is refused, and the command of the message changes that', async () => {
  const named = (sheets.get('/event.csv') ?? '').replace('autumn-cup-2026', 'winter-cup');
  sheets.set('/event.csv', named);
  for (const name of ['event', 'players', 'games'])
    await writeFile(path.join(folder, `${name}.csv`), sheets.get(`/${name}.csv`) ?? '');
  const byHand = await shell(
    `wartable convert ${options} event.csv players.csv games.csv | wartable import -`,
  );
  assert.equal(byHand.code, 0, byHand.stderr);
  sheets.set('/event.csv', named.replace('Lübeck', 'Kiel'));

  const refused = await tick();
  assert.equal(refused.code, 1);
  const [, printed = ''] = /: `(wartable sources give [^`]+)` hands it over/.exec(refused.stderr) ?? [];
  assert.equal(printed, 'wartable sources give sheet-cup --tournament winter-cup');
  const given = await shell(printed);
  assert.deepEqual([given.code, given.stderr], [0, '']);

  const kept = await tick();
  assert.deepEqual([kept.code, kept.stderr], [0, '']);
  assert.match(kept.stdout, / recorded \(1 changed, \d+ unchanged; .* 0 refused/);
  assert.deepEqual(await tick(), { code: 0, stdout: '', stderr: '' });
  await eventually(async () => {
    const text = await (await fetch(`${site.siteUrl}/tournaments/winter-cup`)).text();
    assert.match(text, /Kiel/);
  });
});

test('a source whose sheet has mistakes is refusing until its sheet is right again', async () => {
  const isRefusing = async () => {
    const { stdout } = await shell('wartable sources --json');
    const all = JSON.parse(stdout) as { name: string; isRefusing: boolean; lastRefusal: string | null }[];
    return all.map((each) => `${each.name} ${each.isRefusing ? each.lastRefusal : 'fine'}`);
  };
  const right = sheets.get('/games.csv') ?? '';
  // The first mistake stops the import. With the second, everything else is imported.
  for (const [wrong, code, said] of [
    [right.replace('Broken Causeway', '#REF!'), 1, 'games.csv:2: scenario: expected a value'],
    [right.replace('2 minor,11,20', 'Ana 11-20,11,20'), 0, 'games.csv:2: result: expected 1, 2, draw'],
  ] as const) {
    sheets.set('/games.csv', wrong);
    const ended = await tick();
    assert.equal(ended.code, code, ended.stderr);
    const [main, sheet = ''] = await isRefusing();
    assert.equal(main, 'main fine');
    assert.ok(sheet.startsWith(`sheet-cup ${said}`), sheet);
    assert.doesNotMatch(sheet, /Ana/);
    sheets.set('/games.csv', right);
    assert.equal((await tick()).code, 0);
    assert.deepEqual(await isRefusing(), ['main fine', 'sheet-cup fine']);
  }
});

test('the command of a refusal is one that a shell runs as it stands, whatever the name is', async () => {
  const names = [
    '$(touch ran)',
    '`touch ran` Warden\'s "Almanac" \\ $HOME',
    `The longest name ${'x'.repeat(150)}`,
  ];
  for (const [index, name] of names.entries()) {
    const pack = { kind: 'battlePack', name, objectives: true };
    const send = async (source: string, record: object) => {
      await writeFile(path.join(folder, 'pack.ndjson'), `${JSON.stringify(record)}\n`);
      return shell(`wartable import --source ${source} pack.ndjson`);
    };
    assert.equal((await send('main', pack)).code, 0);
    const refused = await send('north', { ...pack, battleTactics: true });
    const [, printed = ''] = /: `(wartable sources give .*)` hands it over\n/.exec(refused.stderr) ?? [];
    const given = await shell(printed);
    assert.equal(
      given.stdout,
      `The battle pack ${name} belongs to north now, and no longer to main.\n`,
      printed,
    );
    assert.equal((await send('north', { ...pack, battleTactics: true })).code, 0, String(index));
  }
  assert.ok(!(await readdir(folder)).includes('ran'));
});
