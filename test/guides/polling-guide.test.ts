import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { test, type TestContext } from 'node:test';
import { freePort } from '../../harness/support/postgres.ts';
import { smallRecords } from '../../src/demo/world.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { publishFeed } from '../../harness/support/publish-feed.ts';
import { createTestKey, eventually, startTestServer } from '../../harness/support/server.ts';
import { blocksOf } from '../../harness/guides/guide-blocks.ts';
import { root, samplesRunBy } from '../../harness/guides/samples.ts';

// Runs the program of docs/api/polling.md exactly as shown. test/client tests it with the faults of a server.

const [sample] = samplesRunBy(import.meta.filename);
const blocks = blocksOf(await readFile(path.join(root, 'docs/api/polling.md'), 'utf8'));
const shown = blocks[blocks.findIndex(({ line }) => line === sample?.line) + 1]?.text.trim() ?? '';

test('the program prints what the page shows, and goes on after a restart of the server', async (t) => {
  const database = await createTestDatabase();
  await publishFeed(database.pool, smallRecords());
  const { key } = await createTestKey(database);
  const serving = await database.loginAs('wartable_serve');
  const apiPort = await freePort();
  const server = await startTestServer(serving, { apiPort });
  const lines = startProgram(t, apiPort, key);
  await eventually(() => assert.deepEqual(lines, [shown]));
  await server.close();
  await publishFeed(
    database.pool,
    smallRecords().map((record) =>
      record.kind === 'tournament' && record.slug === 'tidewatch-open-2025'
        ? { ...record, standingsLabel: 'Corrected' }
        : record,
    ),
  );
  await startTestServer(serving, { apiPort });
  await eventually(() => assert.deepEqual(lines, [shown, shown.replace('Final Standings', 'Corrected')]));
});

/** Starts the program. Returns the lines that it has printed so far. */
function startProgram(t: TestContext, port: number, KEY: string): string[] {
  const lines: string[] = [];
  const child = spawn(process.execPath, ['--input-type=module', '-e', sample?.text ?? ''], {
    cwd: path.join(root, 'docs/recipes/client'),
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 290_000,
    env: { API: `http://127.0.0.1:${port}`, KEY, POLL_SECONDS: '0.1' },
  });
  createInterface(child.stdout).on('line', (line) => lines.push(line));
  t.after(async () => {
    const ended = child.exitCode === null ? once(child, 'exit') : undefined;
    child.kill();
    await ended;
  });
  return lines;
}
