import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { atEnd } from '../../harness/support/at-end.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { databaseUrl, onServer, withoutPassword } from '../../harness/support/on-server.ts';
import { samplesRunBy } from '../../harness/guides/samples.ts';
import { freePort } from '../../harness/support/postgres.ts';

const root = new URL('../..', import.meta.url);
const [sample, ...more] = samplesRunBy(import.meta.filename);
assert.ok(sample && more.length === 0);

test('the script for a checkout, run as written, ends in a 200 with a club and shows the three 401s', async () => {
  const { url } = await createTestDatabase();
  const apart = withoutPassword(url);
  const name = `${new URL(url).pathname.slice(1)}_checkout`;
  atEnd(() => onServer(databaseUrl(url, 'postgres'), `drop database if exists ${name} with (force)`));
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', sample.text], {
    cwd: root,
    timeout: 290_000,
    env: {
      ...process.env,
      PATH: `${process.env['PATH']}:${await standInForCreatedb()}`,
      DATABASE_URL: databaseUrl(apart.url, name),
      PGPASSWORD: apart.PGPASSWORD,
      API_PORT: String(await freePort()),
      OPS_PORT: String(await freePort()),
      SITE_PORT: '0',
    },
  });
  // On a busy machine the server may log a connection timeout to the same stream.
  const shown = stdout
    .trim()
    .split('\n')
    .filter((line) => !line.startsWith('{"level"'));
  const [missing, format, key, status] = shown.slice(2);
  assert.equal(
    missing,
    '{"error":{"status":401,"message":"Missing or invalid Authorization header","code":"UNAUTHORIZED"}}',
  );
  assert.equal(format, '{"error":{"status":401,"message":"Invalid API key format","code":"UNAUTHORIZED"}}');
  assert.equal(key, '{"error":{"status":401,"message":"Invalid API key","code":"UNAUTHORIZED"}}');
  assert.equal(status?.trim(), 'HTTP/1.1 200 OK');
  assert.match(stdout, /\{"data":\{"slug":"north-gate","name":"Würfelbund Nordtor",.*\}\}\s*$/);
});

test('the script stops waiting for a server that runs and never becomes ready', async () => {
  const port = await freePort();
  const neverReady = createServer((_, response) => response.writeHead(503).end());
  await once(neverReady.listen(port, '127.0.0.1'), 'listening');
  const waiting = sample.text.split('\n').filter((line) => line.includes('/ready'));
  const script = `OPS=http://127.0.0.1:${port}; SERVER=$$; sleep() { :; }; ${waiting.join('\n')}`;
  try {
    await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], { timeout: 290_000 });
  } finally {
    neverReady.close();
  }
});

/**
 * Creates a folder with a substitute for `createdb`, for machines without PostgreSQL's programs, because our
 * package contains only the server.
 */
async function standInForCreatedb(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'wartable-checkout-'));
  atEnd(() => rm(folder, { recursive: true }));
  const { href } = new URL('../../harness/support/on-server.ts', import.meta.url);
  const code = `import { onServer } from '${href}'; await onServer(process.argv[1], 'create database ' + process.argv[2]);`;
  const script = `#!/bin/sh\nexec '${process.execPath}' --input-type=module -e "${code}" "$2" "$3"\n`;
  await writeFile(path.join(folder, 'createdb'), script, { mode: 0o755 });
  return folder;
}
