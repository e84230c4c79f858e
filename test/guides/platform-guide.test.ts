import assert from 'node:assert/strict';
import { chmod, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { bareEnvironment } from '../support/bare-environment.ts';
import { atEnd } from '../support/at-end.ts';
import { createTestDatabase } from '../support/database.ts';
import { runSample } from './run-sample.ts';
import { root, samplesRunBy } from './samples.ts';

// The commands of docs/platform.md, in their order, with the platform of examples/platform.

const database = await createTestDatabase();
const platform = await createTestDatabase();
const folder = await mkdtemp(path.join(tmpdir(), 'wartable-platform-'));
atEnd(() => rm(folder, { recursive: true }));
// A program that the exporter can start, and the example at the path of the page.
const program = path.join(folder, 'wartable');
await writeFile(program, `#!/bin/sh\nexec ${process.execPath} ${root}/src/cli.ts "$@"\n`);
await chmod(program, 0o755);
await symlink(path.join(root, 'examples'), path.join(folder, 'examples'));
const environment = {
  DATABASE_URL: await database.loginAs('wartable_publish'),
  PLATFORM_URL: platform.url,
  PATH: `${folder}:${bareEnvironment['PATH'] ?? ''}`,
};

const page = await readFile(path.join(root, 'docs/platform.md'), 'utf8');
const samples = samplesRunBy(import.meta.filename);
const run = async (section: string): Promise<string> => {
  let out = '';
  for (const { text } of samples.filter((sample) => sample.section === section)) {
    if (text.startsWith('psql ')) {
      await runPsql(text);
      continue;
    }
    const { stdout, stderr } = await runSample(text, environment, folder);
    out += stdout + stderr;
  }
  assert.doesNotMatch(out, /[1-9]\d* refused/);
  return out;
};

/** In place of psql: a machine may have none. */
async function runPsql(command: string): Promise<void> {
  const files = [...command.matchAll(/--file=(\S+)/g)].map(([, file = '']) => file);
  assert.deepEqual(files, ['examples/platform/schema.sql', 'examples/platform/rows.sql']);
  for (const file of files) await platform.pool.query(await readFile(path.join(root, file), 'utf8'));
}

const slugs = async (): Promise<string[]> => {
  const { rows } = await database.pool.query<{ slug: string }>(
    'select slug from record.tournament order by slug',
  );
  return rows.map(({ slug }) => slug);
};

test('backfill and live: only our game system, and the outbox is empty', async () => {
  await run('Keeping a platform in step');
  assert.match(await run('Backfill'), /^\d+ recorded \(\d+ changed, 0 unchanged; 1 battles\), 0 refused/m);
  assert.deepEqual(await slugs(), ['autumn-cup', 'spring-cup']);
  assert.match(await run('Live'), /recorded \(0 changed/);
  const { rows } = await platform.pool.query('select from platform.outbox');
  assert.equal(rows.length, 0);
});

test('correct, delete, rename, merge, erase', async () => {
  assert.match(await run('Correct'), /1 recorded \(1 changed/);
  await run('Delete');
  await run('Rename');
  assert.deepEqual(await slugs(), ['spring-open']);
  const { rows: moved } = await database.pool.query('select id, target from record.moved');
  assert.deepEqual(moved, [{ id: 'spring-cup', target: 'spring-open' }]);
  await mergeOfTwoEntries();
  assert.doesNotMatch(await run('Merge'), /warning/);
  await run('Erase');
  const { rows } = await database.pool.query('select id from record.player where erased order by id');
  assert.deepEqual(
    rows.map(({ id }) => id),
    ['u1', 'u2'],
  );
});

/** Both accounts are in the event, so the first line of the recipe is refused. */
async function mergeOfTwoEntries(): Promise<void> {
  const tell = (record: object) =>
    runSample(`echo '${JSON.stringify(record)}' | wartable import -`, environment, folder);
  const second = { tournament: 'spring-open', id: 'e9' };
  await tell({ kind: 'participant', ...second, player: 'u3' });
  await assert.rejects(run('Merge'), ({ stderr }: { stderr: string }) =>
    /^merged\.ndjson:1: player: expected .*, found "u3", who is participant "e9"/.test(stderr),
  );
  const { rows } = await database.pool.query('select id from record.player where erased');
  assert.deepEqual(rows, []);
  // As the page says.
  assert.match(page, /`\{"kind":"participant","tournament":"spring-open","id":"e1","name":"Ana"\}`/);
  await tell({ kind: 'participant', tournament: 'spring-open', id: 'e1', name: 'Ana' });
  await tell({ kind: 'remove', of: 'participant', ...second });
}

test('compare: what the page did by hand is found, and set right from the platform', async () => {
  const out = await run('Compare');
  assert.match(out, /^only in the feed: tournament spring-cup$/m);
  assert.match(out, /^only in Wartable: tournament spring-open$/m);
  assert.match(out, /^not equal$/m);
  // The record of the erased users says `erased: false` with a name.
  assert.deepEqual(await slugs(), ['autumn-cup', 'spring-cup']);
  const last = await runSample('wartable feed compare everything.ndjson', environment, folder);
  assert.match(last.stdout, /^Equal: /);
});
