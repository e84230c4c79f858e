import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { bareEnvironment } from '../../harness/support/bare-environment.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { withoutPassword } from '../../harness/support/on-server.ts';
import { blocksOf, patternOf } from '../../harness/guides/guide-blocks.ts';
import { runSample } from './run-sample.ts';
import { root, samplesRunBy } from '../../harness/guides/samples.ts';

// Runs the commands of docs/platform.md in order, with the platform of examples/platform.

const database = await createTestDatabase();
const platform = await createTestDatabase();
const folder = await mkdtemp(path.join(tmpdir(), 'wartable-platform-'));
atEnd(() => rm(folder, { recursive: true }));
// Programs that the samples can start, and the example at the page's path. A machine may have no psql.
const sent = path.join(folder, 'sent.ndjson');
const programs = {
  wartable: `#!/bin/sh
case "$*" in *--acknowledge*) tee -a ${sent} | exec ${process.execPath} ${root}/src/cli.ts "$@" ;;
*) exec ${process.execPath} ${root}/src/cli.ts "$@" ;; esac
`,
  psql: `#!${process.execPath}
const { readFileSync } = require('node:fs');
const { Client } = require('${root}/node_modules/pg');
const [url, quiet, ...options] = process.argv.slice(2);
const client = new Client({ connectionString: url });
(async () => {
  await client.connect();
  for (const option of options) {
    const [, kind, text] = /^--(file|command)=([^]*)$/.exec(option);
    await client.query(kind === 'file' ? readFileSync(text, 'utf8') : text);
  }
  await client.end();
})();
`,
};
for (const [name, text] of Object.entries(programs))
  await writeFile(path.join(folder, name), text, { mode: 0o755 });
await symlink(path.join(root, 'examples'), path.join(folder, 'examples'));
const { url: platformUrl, PGPASSWORD } = withoutPassword(platform.url);
const environment = {
  DATABASE_URL: await database.loginAs('wartable_publish'),
  // The samples pass it to psql as an argument.
  PLATFORM_URL: platformUrl,
  PGPASSWORD,
  PATH: `${folder}:${bareEnvironment['PATH'] ?? ''}`,
};

const page = await readFile(path.join(root, 'docs/platform.md'), 'utf8');
const samples = samplesRunBy(import.meta.filename);
/**
 * Runs the samples of a section. The lines that the page shows below them must have been sent, in this order.
 */
const run = async (section: string): Promise<string> => {
  let out = '';
  await writeFile(sent, '');
  for (const { text } of samples.filter((sample) => sample.section === section)) {
    const { stdout, stderr } = await runSample(text, environment, folder);
    out += stdout + stderr;
  }
  assert.doesNotMatch(out, /[1-9]\d* refused/);
  let lines = (await readFile(sent, 'utf8')).split('\n');
  const shown = blocksOf(page).filter(
    (block) => block.section === section && block.text.startsWith('{"kind"'),
  );
  for (const line of shown.flatMap(({ text }) => text.trim().split('\n'))) {
    const index = lines.findIndex((each) => patternOf(line).test(each));
    assert.ok(index >= 0, `${section}: ${line} was not sent, or too early`);
    lines = lines.slice(index + 1);
  }
  return out;
};

const slugs = async (): Promise<string[]> => {
  const { rows } = await database.pool.query<{ slug: string }>(
    'select slug from record.tournament order by slug',
  );
  return rows.map(({ slug }) => slug);
};

test('backfill and live: only our game system, and the outbox is empty', async () => {
  await run('Keeping a platform in step');
  assert.match(await run('Backfill'), /^\d+ recorded \(\d+ changed, 0 unchanged; 1 battle\), 0 refused/m);
  assert.deepEqual(await slugs(), ['autumn-cup', 'spring-cup']);
  assert.match(await run('Live'), /recorded \(0 changed/);
  const { rows } = await platform.pool.query('select from platform.outbox');
  assert.equal(rows.length, 0);
});

test('correct, delete, rename, merge, erase', async () => {
  assert.match(await run('Correct'), /3 recorded \(1 changed/);
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

/** Merges two accounts that are both in the event, so the entry of one cannot become that of the other. */
async function mergeOfTwoEntries(): Promise<void> {
  const tell = (record: object) =>
    runSample(`echo '${JSON.stringify(record)}' | wartable import -`, environment, folder);
  const [first, second] = ['e1', 'e9'].map((id) => ({ kind: 'participant', tournament: 'spring-open', id }));
  await tell({ ...second, player: 'u3' });
  await assert.rejects(tell({ ...first, player: 'u3' }), ({ stderr }: { stderr: string }) =>
    /^standard input:1: player: expected .*, found "u3", who is participant "e9"/.test(stderr),
  );
  // The page advises to do this.
  assert.match(page, /`\{"kind":"participant","tournament":"spring-open","id":"e1","name":"Ana"\}`/);
  await tell({ ...first, name: 'Ana' });
  await tell({ kind: 'remove', of: 'participant', tournament: 'spring-open', id: 'e9' });
}

test('compare: after all that the page did, both are equal, and what is erased stays erased', async () => {
  const out = await run('Compare');
  assert.match(out, /^Equal: /m);
  assert.doesNotMatch(out, /not equal|only in|differs/);
  assert.match(out, /recorded \(0 changed/);
  assert.deepEqual(await slugs(), ['spring-open']);
  const { rows } = await database.pool.query('select id, name from record.player where erased order by id');
  assert.deepEqual(rows, [
    { id: 'u1', name: null },
    { id: 'u2', name: null },
  ]);
});
