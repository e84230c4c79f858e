import assert from 'node:assert/strict';
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { withFolder } from '../../harness/proofs/proof.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { bareEnvironment } from '../../harness/support/bare-environment.ts';
import { cuttingProxy } from '../../harness/support/cutting-proxy.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { eventually } from '../../harness/support/eventually.ts';
import { deployed } from '../../harness/install/proxies.ts';

const database = await createTestDatabase();
const proxy = await cuttingProxy(database.url);
atEnd(() => proxy.close());
const feed = '{"kind":"club","slug":"north-gate","name":"Würfelbund Nordtor"}\n{"kind":"club"}\n';

test('an import whose input and output are one connection acknowledges, and ends with the feed', async () => {
  await overSocket(async (platform, child) => {
    const ended = once(child, 'exit');
    platform.end(feed);
    assert.deepEqual(linesOf(await text(platform)), [2, 2, 2]);
    assert.deepEqual(await ended, [1, null], 'a line was refused');
  });
});

test('a platform that connects while the database is starting up gets its acknowledgements later', async () => {
  proxy.refuseWith('57P03');
  await overSocket(async (platform, child) => {
    const ended = once(child, 'exit');
    let journal = '';
    child.stderr.on('data', (bytes: Buffer) => (journal += String(bytes)));
    platform.end(feed);
    await eventually(() => assert.match(journal, /^The database is starting or stopping: /));
    // That is the first attempt and at least one more.
    await eventually(() => assert.ok(proxy.refused() > 1));
    proxy.refuseWith(undefined);
    assert.deepEqual(linesOf(await text(platform)), [2, 2, 2]);
    assert.deepEqual(await ended, [1, null], journal);
  });
});

/** Returns the line number in each acknowledgement: refused, recorded, published. */
function linesOf(answer: string): unknown[] {
  const told = answer.trim().split('\n');
  return told
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .map((line) => line['refused'] ?? line['recorded'] ?? line['published']);
}

/**
 * Does what systemd does: accepts a connection, then starts the unit's command with the connection as its
 * input and output.
 */
async function overSocket(
  work: (platform: Socket, child: ChildProcessByStdio<null, null, Readable>) => Promise<void>,
): Promise<void> {
  const unit = await deployed('systemd/wartable-import@.service');
  const [, command = ''] = /^ExecStart=wartable (.*)$/m.exec(unit) ?? [];
  await withFolder(async (folder) => {
    const socket = path.join(folder, 'import.sock');
    const server = createServer({ pauseOnConnect: true, allowHalfOpen: true }).listen(socket);
    await once(server, 'listening');
    const platform = connect({ path: socket, allowHalfOpen: true });
    const [connection] = (await once(server, 'connection')) as [Socket];
    const child = spawn(process.execPath, ['src/cli.ts', ...command.split(' ')], {
      cwd: new URL('../..', import.meta.url),
      env: { ...bareEnvironment, DATABASE_URL: proxy.url },
      stdio: [connection, connection, 'pipe'],
    });
    connection.destroy();
    try {
      await work(platform, child);
    } finally {
      child.kill();
      server.close();
    }
  });
}
