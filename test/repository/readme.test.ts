import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { createTestDatabase } from '../support/database.ts';
import { freePort } from '../../scripts/postgres.ts';
import { bearer, get } from '../support/server.ts';

const root = new URL('../..', import.meta.url);

test('the script in the README, run as written, ends in a 200 with a club and shows the three 401s', async () => {
  const database = await createTestDatabase();
  await database.pool.query('drop schema keys, published, record cascade');
  const readme = await readFile(new URL('README.md', root), 'utf8');
  const script = /^```bash\n(.*?)^```$/ms.exec(readme)?.[1] ?? '';
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: root,
    timeout: 60_000,
    env: {
      ...process.env,
      DATABASE_URL: database.url,
      API_PORT: String(await freePort()),
      OPS_PORT: String(await freePort()),
      SITE_PORT: '0',
    },
  });
  const [missing, format, key, status] = stdout.trim().split('\n').slice(2);
  assert.equal(
    missing,
    '{"error":{"status":401,"message":"Missing or invalid Authorization header","code":"UNAUTHORIZED"}}',
  );
  assert.equal(format, '{"error":{"status":401,"message":"Invalid API key format","code":"UNAUTHORIZED"}}');
  assert.equal(key, '{"error":{"status":401,"message":"Invalid API key","code":"UNAUTHORIZED"}}');
  assert.equal(status?.trim(), 'HTTP/1.1 200 OK');
  assert.match(stdout, /\{"data":\{"slug":"north-gate","name":"Würfelbund Nordtor",.*\}\}\s*$/);
});

test('npm run dev prints a key that works, and ends with its PostgreSQL on SIGTERM', async () => {
  const apiPort = await freePort();
  const child = spawn(process.execPath, ['scripts/dev.ts'], {
    cwd: root,
    env: { ...process.env, API_PORT: String(apiPort), OPS_PORT: String(await freePort()), SITE_PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  let output = '';
  for await (const chunk of child.stdout) {
    output += String(chunk);
    if (output.includes('Ctrl-C')) break;
  }
  const key = /KEY=(\S+)/.exec(output)?.[1] ?? '';
  const answer = await get(`http://127.0.0.1:${apiPort}/api/v1/clubs/north-gate`, bearer(key));
  assert.equal(answer.status, 200);
  child.kill('SIGTERM');
  assert.equal(await ended, 0);
  const port = Number(/@127\.0\.0\.1:(\d+)/.exec(output)?.[1]);
  await assert.rejects(fetch(`http://127.0.0.1:${port}`));
});
