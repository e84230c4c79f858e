import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { createTestDatabase } from '../support/database.ts';
import { samplesRunBy } from '../guides/samples.ts';
import { freePort } from '../../scripts/postgres.ts';

const root = new URL('../..', import.meta.url);

test('the script in the README, run as written, ends in a 200 with a club and shows the three 401s', async () => {
  const database = await createTestDatabase();
  await database.pool.query('drop schema audit, keys, published, record cascade');
  const [sample, ...more] = samplesRunBy(import.meta.filename);
  assert.ok(sample && more.length === 0);
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', sample.text], {
    cwd: root,
    timeout: 120_000,
    env: {
      ...process.env,
      DATABASE_URL: database.url,
      API_PORT: String(await freePort()),
      OPS_PORT: String(await freePort()),
      SITE_PORT: '0',
    },
  });
  // The server warns on the same stream when a busy machine lets a connection time out.
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
