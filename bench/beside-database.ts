import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { onClient } from '../src/database/on-client.ts';
import { keyDigest } from '../src/keys/key.ts';
import { databaseUrl, onServer } from '../harness/support/on-server.ts';
import { fill, type World } from './world.ts';
import { root } from '../harness/support/root.ts';

/**
 * Lends a database to another checkout, whose schema may differ. The checkout migrates it and imports the
 * same world.
 */
export async function withDatabaseOf<T>(
  folder: string,
  world: World,
  battles: number,
  work: (url: string) => Promise<T>,
): Promise<T> {
  const name = 'beside';
  const url = databaseUrl(world.url, name);
  await onServer(world.url, `create database ${name} template template0`);
  try {
    await run(folder, ['migrate'], url);
    await fill(url, battles, 1, folder);
    await onClient(url, async (client) => {
      await client.query("insert into keys.account (name) values ('bench')");
      await client.query('insert into keys.key (account_id, digest) select id, $1 from keys.account', [
        keyDigest(world.key),
      ]);
      await client.query('vacuum analyze');
    });
    return await work(url);
  } finally {
    await onServer(world.url, `drop database ${name} with (force)`);
  }
}

/** Returns the digests of what both checkouts export. */
export async function exportsOf(folder: string, urls: { before: string; after: string }): Promise<string[]> {
  const before = await run(folder, ['feed', 'export'], urls.before);
  const after = await run(root, ['feed', 'export'], urls.after);
  return [before, after].map((feed) => createHash('sha256').update(feed).digest('hex'));
}

/** Runs a script of the checkout and returns its output. */
export async function run(
  folder: string | URL,
  args: string[],
  url: string,
  script = 'src/cli.ts',
): Promise<string> {
  const child = spawn(process.execPath, [script, ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', DATABASE_URL: url },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close');
  const [printed, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = (await ended) as [number];
  assert.equal(code, 0, errors.slice(-2_000));
  return printed;
}
