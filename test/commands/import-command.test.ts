import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { importLine, startProgress } from '../../src/commands/progress.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { wartable } from '../../harness/support/command.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { exampleFeed } from '../../harness/support/feed.ts';
import { endOf, openImport } from '../../harness/support/open-import.ts';
import { eventually } from '../../harness/support/server.ts';

const database = await createTestDatabase();
const environment = { DATABASE_URL: await database.loginAs('wartable_publish') };
const folder = await mkdtemp(path.join(tmpdir(), 'wartable-import-'));
atEnd(() => rm(folder, { recursive: true }));

test('import takes files, reports what it refused by file and line, and exits with 1', async () => {
  const [good, bad] = [path.join(folder, 'good.ndjson'), path.join(folder, 'bad.ndjson')];
  await writeFile(good, exampleFeed());
  await writeFile(
    bad,
    '{"kind":"club","slug":"new","name":"New"}\n{"kind":"bye","tournament":"a","stage":"swiss","round":1}\n{"kind":"battle","id":"x","battleSize":1,"sides":[{"player":"nobody"},{"player":"noone"}]}\n',
  );
  const dry = await wartable(['import', '--dry-run', good, bad], environment);
  assert.match(
    dry.stdout,
    /^18 would be recorded \(17 changed, 1 unchanged; 5 battles\), 2 refused, in [\d.]+ s\.\ntidewatch-open-2025: [^\n]+\nlantern-league: [^\n]+\n$/,
  );
  const { code, stdout, stderr } = await wartable(['import', good, bad], environment);
  assert.match(
    stdout,
    /^18 recorded \(17 changed, 1 unchanged; 5 battles\), 2 refused, in [\d.]+ s; 11 published, 69 rows written\.\n/,
  );
  assert.equal(
    stderr,
    `${bad}:2: participant: expected letters, digits, _ and -, 1 to 64, found nothing\n` +
      `${bad}:2: win: expected true or false, found nothing\n` +
      `${bad}:3: sides[0].player: expected a recorded player, found "nobody"\n` +
      `${bad}:3: sides[1].player: expected a recorded player, found "noone"\n`,
  );
  assert.equal(stderr, dry.stderr);
  assert.deepEqual([code, dry.code], [1, 1]);
});

test('import of a draft says that it is recorded and not published, also when it was public before', async () => {
  const draft = (published: boolean) =>
    `{"kind":"tournament","slug":"quiet","name":"Q","published":${published},"status":"planned","battleSize":1}\n`;
  const said = async (published: boolean) =>
    (await wartable(['import', '-'], environment, draft(published))).stdout;
  const hidden =
    /; 0 published, 0 rows written\.\nquiet: 0 participants, 0 of 0 rounds played; recorded, not published\n$/;
  assert.match(await said(false), hidden);
  assert.match(await said(true), /; 1 published, \d+ rows written\.\nquiet: .* rounds played\n$/);
  assert.match(
    await said(false),
    /; 0 published, [1-9]\d* rows written\.\nquiet: .*; recorded, not published\n$/,
  );
  await wartable(['import', '-'], environment, '{"kind":"remove","of":"tournament","id":"quiet"}\n');
});

test('import stops at the first refusal when told so', async () => {
  const feed = '{"kind":"club","slug":"one","name":"One"}\n{\n{"kind":"club","slug":"two","name":"Two"}\n';
  const stopped = await wartable(['import', '--stop-on-error', '-'], environment, feed);
  assert.match(stopped.stdout, /^1 recorded/);
  assert.equal(stopped.stderr, 'standard input:2: expected JSON, found something else at character 2\n');
  assert.equal(stopped.code, 1);
  const { rows } = await database.pool.query(`select slug from record.club where slug in ('one', 'two')`);
  assert.deepEqual(rows, [{ slug: 'one' }]);
});

test('what arrives on a pipe is recorded while the pipe stays open', async () => {
  const child = spawn(process.execPath, ['src/cli.ts', 'import', '-'], {
    cwd: new URL('../..', import.meta.url),
    env: { PATH: process.env['PATH'] ?? '', ...environment },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.stdin.write('{"kind":"club","slug":"live","name":"Live"}\n');
  await eventually(async () => {
    const { rowCount } = await database.pool.query(`select from record.club where slug = 'live'`);
    assert.equal(rowCount, 1);
  });
  child.stdin.end();
  assert.equal(await ended, 0);
});

test('with stop-on-error an open pipe is left at the first refusal', async () => {
  for (const bad of ['{', '{"kind":"club","slug":"nameless"}']) {
    const open = openImport(environment, '--stop-on-error');
    open.stdin.write(`{"kind":"club","slug":"left","name":"Left"}\n${bad}\n`);
    const { code, stderr } = await endOf(open);
    assert.equal(code, 1);
    assert.match(stderr, /^standard input:2: [^\n]+\n$/);
  }
});

test('a failure of the database ends an import from an open pipe at once', async () => {
  await failWith('query_canceled');
  try {
    const open = openImport(environment);
    open.stdin.write('{"kind":"player","id":"unlucky","name":"U"}\n');
    const { code, stderr } = await endOf(open);
    assert.deepEqual([code, stderr], [2, 'wartable: The database cancelled a statement: try again.\n']);
  } finally {
    await database.pool.query('drop function record.fail cascade');
  }
});

test('a full disk of the database: the import waits for space, up to RECONNECT_SECONDS', async () => {
  const noSpace = 'The database has no space on its disk';
  await failWith('disk_full');
  const patient = openImport(environment);
  try {
    const impatient = openImport({ ...environment, RECONNECT_SECONDS: '1' });
    for (const { stdin } of [patient, impatient]) stdin.write('{"kind":"player","id":"lucky","name":"L"}\n');
    const { code, stderr } = await endOf(impatient);
    await eventually(() => assert.ok(patient.printed.stderr.includes(noSpace)));
    assert.equal(code, 2);
    assert.match(stderr, new RegExp(`^${noSpace}: free some. Trying again until then.$`, 'm'));
    assert.match(stderr, /, for more than 1 s \(RECONNECT_SECONDS\)\. Free some, then start again\.$/m);
  } finally {
    await database.pool.query('drop function record.fail cascade');
    patient.stdin.end();
  }
  const { code, stdout, stderr } = await endOf(patient);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^1 recorded/);
  assert.match(stderr, new RegExp(`^${noSpace}[^]*The database works again after [\\d.]+ s\\.$`, 'm'));
});

/** Makes every new player fail. */
async function failWith(condition: string): Promise<void> {
  await database.pool.query(`create function record.fail() returns trigger language plpgsql as
    $$ begin raise exception 'on purpose' using errcode = '${condition}'; end $$;
    create trigger fail before insert on record.player execute function record.fail()`);
}

test('feed schema prints the JSON Schema of a line, and the example fits it', async () => {
  const { stdout, code } = await wartable(['feed', 'schema'], environment);
  assert.equal(code, 0);
  const check = new Ajv2020({ strict: false }).compile(JSON.parse(stdout) as object);
  for (const line of exampleFeed().trim().split('\n')) assert.ok(check(JSON.parse(line)), line);
  assert.ok(!check({ kind: 'club', slug: 'A' }));
});

test('progress says records, battles, rate, time left and refusals', () => {
  const progress = { records: 100, changed: 90, battles: 900, refused: 2, bytes: 1_000 };
  assert.equal(
    importLine(progress, 10, 7_000),
    '100 records · 900 battles · 100/s · 1 min 0 s left · 2 refused',
  );
  assert.equal(importLine(progress, 10, undefined), '100 records · 900 battles · 100/s · 2 refused');
  assert.match(importLine(progress, 10, 1_000_000), / · 2 h 46 min left · /);
});

test('on a terminal progress rewrites its line and lets refusals stand', async () => {
  const written: string[] = [];
  const stream = { isTTY: true, write: (text: string) => written.push(text) > 0 };
  const progress = startProgress(stream);
  await new Promise((resolve) => setTimeout(resolve, 110));
  progress.show(() => '1 records');
  progress.print('a refusal');
  progress.end();
  assert.equal(written[0], '1 records');
  assert.deepEqual(written.slice(1), ['\r\u001b[K', 'a refusal\n']);
});
