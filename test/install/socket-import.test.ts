import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { withFolder } from '../proofs/proof.ts';
import { bareEnvironment } from '../support/bare-environment.ts';
import { createTestDatabase } from '../support/database.ts';
import { deployed } from './proxies.ts';

const database = await createTestDatabase();

test('an import whose input and output are one connection acknowledges, and ends with the feed', async () => {
  const unit = await deployed('systemd/wartable-import@.service');
  const [, command = ''] = /^ExecStart=wartable (.*)$/m.exec(unit) ?? [];
  await withFolder(async (folder) => {
    const socket = path.join(folder, 'import.sock');
    // As systemd does it: accept, then start the command with the connection as its input and output.
    const server = createServer({ pauseOnConnect: true, allowHalfOpen: true }).listen(socket);
    await once(server, 'listening');
    const platform = connect({ path: socket, allowHalfOpen: true });
    const [connection] = (await once(server, 'connection')) as [Socket];
    const child = spawn(process.execPath, ['src/cli.ts', ...command.split(' ')], {
      cwd: new URL('../..', import.meta.url),
      env: { ...bareEnvironment, DATABASE_URL: database.url },
      stdio: [connection, connection, 'ignore'],
    });
    const ended = once(child, 'exit');
    connection.destroy();
    platform.end('{"kind":"club","slug":"north-gate","name":"Würfelbund Nordtor"}\n{"kind":"club"}\n');
    const answer = await text(platform);
    const told = answer
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    assert.deepEqual(
      told.map((line) => line['refused'] ?? line['recorded'] ?? line['published']),
      [2, 2, 2],
      answer,
    );
    assert.deepEqual(await ended, [1, null], 'a line was refused');
    server.close();
  });
});
