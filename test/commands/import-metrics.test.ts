import assert from 'node:assert/strict';
import { lstat, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { atEnd } from '../support/at-end.ts';
import { wartable } from '../support/command.ts';
import { createTestDatabase } from '../support/database.ts';
import { endOf, openImport } from '../support/open-import.ts';
import { eventually } from '../support/server.ts';

const database = await createTestDatabase();
const environment = { DATABASE_URL: await database.loginAs('wartable_publish') };
const folder = await mkdtemp(path.join(tmpdir(), 'wartable-metrics-'));
atEnd(() => rm(folder, { recursive: true }));
const file = path.join(folder, 'night ly.prom');
const club = (slug: string) => `${JSON.stringify({ kind: 'club', slug, name: slug })}\n`;
const run = (feed: string, settings: Record<string, string> = environment, to = file) =>
  wartable(['import', '--metrics-file', to, '-'], settings, feed);

test('an import writes what it did, and when it last succeeded, into a file that others may read', async () => {
  const before = Date.now() / 1_000;
  assert.equal((await run(club('one') + club('two'))).code, 0);
  const metrics = await valuesIn(file);
  const { started_timestamp_seconds: started, updated_timestamp_seconds: updated, ...others } = metrics;
  const { last_success_timestamp_seconds: success = 0, ...counts } = others;
  assert.deepEqual(counts, {
    running: 0,
    line: 2,
    records_total: 2,
    battles_total: 0,
    refused_total: 0,
    exit_code: 0,
  });
  assert.ok(before < success && success <= (updated ?? 0) && (started ?? 0) < success);
  assert.equal((await stat(file)).mode & 0o777, 0o644);
  assert.deepEqual(await readdir(folder), ['night ly.prom']);
});

test('an import that refuses or fails says so, and keeps the time of the last success', async () => {
  const { last_success_timestamp_seconds: success } = await valuesIn(file);
  assert.ok(success);
  for (const [feed, settings, code, refused] of [
    [`${club('three')}{\n`, environment, 1, 1],
    [club('four'), { DATABASE_URL: 'postgres://away@127.0.0.1:1/none', RECONNECT_SECONDS: '0' }, 2, 0],
    [club('four'), {}, 2, 0],
  ] as const) {
    assert.equal((await run(feed, settings)).code, code);
    const metrics = await valuesIn(file);
    assert.equal(metrics['exit_code'], code);
    assert.equal(metrics['refused_total'], refused);
    assert.equal(metrics['last_success_timestamp_seconds'], success);
  }
});

test('a live import writes it every few seconds, with the end of the import before', async () => {
  const open = openImport(environment, '--metrics-file', file);
  open.stdin.write(club('five'));
  await eventually(async () => {
    const { running, line, exit_code: code } = await valuesIn(file);
    assert.deepEqual({ running, line, code }, { running: 1, line: 1, code: 2 });
  });
  open.stdin.end();
  assert.equal((await endOf(open)).code, 0);
  const { running, exit_code: code } = await valuesIn(file);
  assert.deepEqual({ running, code }, { running: 0, code: 0 });
});

test('a stopped import runs no more, and keeps the end of the import before', async () => {
  const open = openImport(environment, '--metrics-file', file);
  open.stdin.write(club('stopped'));
  await eventually(async () => assert.equal((await valuesIn(file))['running'], 1));
  open.child.kill('SIGTERM');
  await open.ended;
  assert.equal(open.child.signalCode, 'SIGTERM');
  const { running, exit_code: code } = await valuesIn(file);
  assert.deepEqual({ running, code }, { running: 0, code: 0 });
});

test('an import that is stopped at the moment of its first file leaves no running import behind', async () => {
  const stopAtRename = `import fs from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    const { renameSync } = fs;
    fs.renameSync = (...names) => (renameSync(...names), process.kill(process.pid, 'SIGTERM'));
    syncBuiltinESMExports();`;
  const open = openImport(
    { ...environment, NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(stopAtRename)}` },
    '--metrics-file',
    file,
  );
  await endOf(open);
  assert.equal(open.child.signalCode, 'SIGTERM');
  assert.equal((await valuesIn(file))['running'], 0);
});

test('a link under the name of its temporary file is replaced, and its target stays', async () => {
  const target = path.join(folder, 'mine.txt');
  await writeFile(target, 'mine', { mode: 0o600 });
  const link = `import { symlinkSync } from 'node:fs';
    symlinkSync(${JSON.stringify(target)}, ${JSON.stringify(file)} + '.' + process.pid + '.tmp');`;
  const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(link)}`;
  const { code, stderr } = await wartable(
    ['import', '--metrics-file', file, '-'],
    { ...environment, NODE_OPTIONS },
    club('linked'),
  );
  assert.deepEqual([code, stderr], [0, '']);
  assert.equal(await readFile(target, 'utf8'), 'mine');
  assert.equal((await stat(target)).mode & 0o777, 0o600);
  assert.ok((await lstat(file)).isFile());
  assert.equal((await valuesIn(file))['records_total'], 1);
});

test('a file that cannot be written is told once, and the import goes on', async () => {
  const away = path.join(folder, 'missing', 'a.prom');
  const { code, stdout, stderr } = await run(club('six'), environment, away);
  assert.equal(code, 0);
  assert.match(stdout, /^1 recorded/);
  assert.equal(stderr, `The metrics file ${away} cannot be written (ENOENT); the import goes on.\n`);
});

test('a name that the textfile collector would not read is refused', async () => {
  const { code, stderr } = await run('', environment, path.join(folder, 'a.txt'));
  assert.equal(code, 2);
  assert.match(stderr, /must end with \.prom/);
});

/** Without the prefix of their names. */
async function valuesIn(name: string): Promise<Record<string, number>> {
  const values: Record<string, number> = {};
  for (const line of (await readFile(name, 'utf8')).trimEnd().split('\n')) {
    if (line.startsWith('# ')) continue;
    const [, metric = '', value] = /^wartable_import_(\w+)\{import="night ly"\} ([\d.]+)$/.exec(line) ?? [];
    assert.notEqual(metric, '', line);
    values[metric] = Number(value);
  }
  return values;
}
