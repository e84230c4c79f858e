import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { atEnd } from '../../harness/support/at-end.ts';
import { wartable } from '../../harness/support/command.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { unprivileged } from '../../harness/support/unprivileged.ts';

const database = await createTestDatabase();
const folder = await mkdtemp(path.join(tmpdir(), 'wartable-files-'));
atEnd(() => rm(folder, { recursive: true }));

test('a file that cannot be read is one sentence, and nothing is recorded', async () => {
  const [good, closed] = [path.join(folder, 'good.ndjson'), path.join(folder, 'closed.ndjson')];
  await writeFile(good, '{"kind":"club","slug":"early","name":"Early"}\n');
  await writeFile(closed, '{"kind":"club","slug":"late","name":"Late"}\n');
  await chmod(closed, 0o000);
  await mkdir(path.join(folder, 'feeds'));
  const cases: [file: string, says: string][] = [
    ['missing.ndjson', `There is no file ${folder}/missing.ndjson: check the name.`],
    ['feeds', `${folder}/feeds is a folder: name the files in it.`],
    ['closed.ndjson', `The file ${closed} cannot be read: give this user the right to read it.`],
  ];
  for (const [file, says] of cases) {
    const run = await unprivileged(['import', good, path.join(folder, file)], {
      DATABASE_URL: database.url,
    });
    assert.deepEqual(run, { code: 2, stdout: '', stderr: `wartable: ${says}\n` });
  }
  const again = await wartable(['import', good], { DATABASE_URL: database.url });
  assert.match(again.stdout, /^1 recorded .*; 1 published/);
});

test('a folder named .env is no settings file', async () => {
  const project = path.join(folder, 'project');
  await mkdir(path.join(project, '.env'), { recursive: true });
  const child = spawn(process.execPath, [cli, 'feed', 'schema'], { cwd: project, env: {} });
  const [stderr, code] = await Promise.all([text(child.stderr), ended(child), text(child.stdout)]);
  assert.deepEqual([stderr, code], ['', 0]);
});

const cli = path.join(import.meta.dirname, '../../src/cli.ts');

function ended(child: ReturnType<typeof spawn>): Promise<number | null> {
  return new Promise((resolve) => child.once('close', resolve));
}
