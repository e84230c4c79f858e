import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { atEnd } from '../../harness/support/at-end.ts';

// What the service `nightly` of Compose does when it starts, with stand-ins for the programs that it calls.
// The one for `sleep` ends the script when it waits for the night.

const folder = await mkdtemp(path.join(tmpdir(), 'wartable-nightly-'));
atEnd(() => rm(folder, { recursive: true }));
const [bin, backups, files, log] = ['bin', 'backups', 'files', 'log'].map((name) =>
  path.join(folder, name),
) as [string, string, string, string];
for (const each of [bin, backups, files]) await mkdir(each);
const stand = async (name: string, text: string) => {
  await writeFile(path.join(bin, name), `#!/bin/sh\n${text}\n`);
  await chmod(path.join(bin, name), 0o755);
};
await stand('wartable', `echo "$*" >> ${log}`);
await stand('sleep', `if [ "$1" -gt 60 ]; then kill $PPID; else echo wait >> ${log}; fi`);
// PostgreSQL is ready when it is asked for the second time.
await stand('pg_isready', `if [ -e ${folder}/ready ]; then exit 0; fi; touch ${folder}/ready; exit 2`);
const script = path.join(folder, 'nightly.sh');
const text = await readFile(new URL('../../deploy/compose/nightly.sh', import.meta.url), 'utf8');
await writeFile(script, text.replaceAll('/backups', backups).replaceAll('/srv/wartable-files', files));

/** Returns what the script called before it went to sleep. */
async function started(): Promise<string[]> {
  await writeFile(log, '');
  await rm(path.join(folder, 'ready'), { force: true });
  await new Promise<void>((resolve) => {
    execFile('sh', [script], { env: { PATH: `${bin}:${process.env['PATH']}` } }, () => resolve());
  });
  return (await readFile(log, 'utf8')).trim().split('\n');
}

const all = ['wait', `backup ${backups}`, `files ${files}`, 'doctor --backup-age 12h'];
const backup = path.join(backups, 'wartable-20261115T030000000Z');

test('a new installation works at once, as soon as PostgreSQL is ready', async () => {
  assert.deepEqual(await started(), all);
});

test('a restart does nothing if there is a backup of the last day, and catches up if there is none', async () => {
  await writeFile(path.join(files, 'index.json'), '{}');
  await mkdir(backup);
  assert.deepEqual(await started(), ['']);
  const yesterday = Date.now() / 1_000 - 25 * 3_600;
  await utimes(backup, yesterday, yesterday);
  assert.deepEqual(await started(), all);
});
