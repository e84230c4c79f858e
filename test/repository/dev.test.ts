import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { dateOf, dayOf } from '../../src/world/dates.ts';
import { atEnd } from '../support/at-end.ts';
import { bareEnvironment } from '../support/bare-environment.ts';
import { freePort } from '../../scripts/postgres.ts';
import { bearer, get } from '../support/server.ts';

// `npm run dev`, started as a person starts it. Its PostgreSQL lies in a folder of this test.

const scratch = await mkdtemp(path.join(tmpdir(), 'wartable-dev-'));
// Where root runs the tests, PostgreSQL runs as nobody.
await chmod(scratch, 0o755);
atEnd(() => rm(scratch, { recursive: true }));

test('it prints a key that works, its world is of today, and it ends with its PostgreSQL on SIGTERM', async () => {
  const [apiPort, sitePort, opsPort] = [await freePort(), await freePort(), await freePort()];
  const dev = await startDev({ API_PORT: apiPort, SITE_PORT: sitePort, OPS_PORT: opsPort });
  const api = `http://127.0.0.1:${apiPort}/api/v1`;
  const answer = await get(`${api}/clubs/north-gate`, bearer(dev.key));
  assert.equal(answer.status, 200);
  const { data: club } = answer.json as { data: { url: string } };
  assert.equal(club.url, `http://localhost:${sitePort}/clubs/north-gate`);

  const { json } = await get(`${api}/tournaments?status=ongoing`, bearer(dev.key));
  const { data: ongoing } = json as { data: { startDate: string | null }[] };
  const today = new Date().toLocaleDateString('sv-SE');
  const lately = ongoing.filter(({ startDate }) => startDate && startDate >= dateOf(dayOf(today) - 2));
  assert.ok(lately.length > 0, JSON.stringify(ongoing));
  assert.doesNotMatch(dev.output, /not all free/);

  await dev.end();
  await assert.rejects(fetch(`http://127.0.0.1:${dev.postgresPort}`));
  assert.deepEqual(await readdir(scratch), []);
});

test('it takes free ports when the usual ones are taken, says so in one line, and documents name the site', async (t) => {
  for (const port of [3000, 3001, 9090]) {
    const other = await take(port);
    t.after(() => other?.close());
  }
  const dev = await startDev({});
  const notice = dev.output.split('\n').filter((line) => /not all free/.test(line));
  assert.equal(notice.length, 1);
  const [, apiPort, sitePort] =
    /the API is on (\d+) instead of 3000, the site is on (\d+) instead of 3001, the private listener is on \d+ instead of 9090\.$/.exec(
      notice[0] ?? '',
    ) ?? [];
  const answer = await get(`http://localhost:${apiPort}/api/v1/clubs/north-gate`, bearer(dev.key));
  const { data: club } = answer.json as { data: { url: string } };
  assert.equal(new URL(club.url).host, `localhost:${sitePort}`);
  assert.equal((await fetch(new URL('/openapi.json', club.url))).status, 200);
  await dev.end();
});

for (const [setting, listener] of [
  ['API', 'API'],
  ['SITE', 'site'],
  ['OPS', 'private listener'],
] as const) {
  test(`a taken ${setting}_PORT is one sentence, and no PostgreSQL stays`, async () => {
    const other = await take(0);
    assert.ok(other);
    const { port } = other.address() as AddressInfo;
    const child = spawnDev({ [`${setting}_PORT`]: port });
    const [output, errors, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'exit'),
    ]);
    assert.equal(
      errors,
      `The ${listener} cannot listen on 127.0.0.1:${port} (${setting}_HOST, ${setting}_PORT): the port is taken.\n`,
    );
    assert.equal(output, '');
    assert.equal(code, 1);
    assert.deepEqual(await readdir(scratch), []);
    other.close();
  });
}

test('a setting that is no port is told without a stack', async () => {
  const child = spawnDev({ API_PORT: 70_000 });
  const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  assert.equal(errors, 'The configuration is not usable:\n  API_PORT must be a port number, not "70000"\n');
  assert.equal(code, 1);
});

test('a port that a setting names is kept for it, also a usual one of another listener', async (t) => {
  const usual = await take(3000);
  if (usual === undefined) return t.skip('another program has port 3000');
  usual.close();
  await once(usual, 'close');
  const dev = await startDev({ SITE_PORT: 3000 });
  assert.match(dev.output, /the API is on \d+ instead of 3000/);
  assert.equal((await fetch('http://127.0.0.1:3000/openapi.json')).status, 200);
  await dev.end();
});

function spawnDev(ports: Record<string, number>) {
  const given = Object.entries(ports).map(([name, port]) => [name, String(port)]);
  const child = spawn(process.execPath, ['scripts/dev.ts'], {
    cwd: new URL('../..', import.meta.url),
    env: {
      ...bareEnvironment,
      TEST_POSTGRES_VERSION: process.env['TEST_POSTGRES_VERSION'],
      TMPDIR: scratch,
      ...Object.fromEntries(given),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  atEnd(async () => {
    // Only after a failure: it has to take its PostgreSQL with it.
    if (child.exitCode === null && child.signalCode === null) await end(child);
  });
  return child;
}

async function startDev(ports: Record<string, number>) {
  const child = spawnDev(ports);
  const errors = text(child.stderr);
  let output = '';
  for await (const chunk of child.stdout) {
    output += String(chunk);
    if (output.includes('Ctrl-C')) break;
  }
  if (child.exitCode !== null || !output.includes('Ctrl-C')) assert.fail(await errors);
  return {
    output,
    key: /KEY=(\S+)/.exec(output)?.[1] ?? '',
    postgresPort: Number(/@127\.0\.0\.1:(\d+)/.exec(output)?.[1]),
    end: () => end(child),
  };
}

async function end(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  assert.deepEqual(await ended, [0, null]);
}

/** Listens there; undefined when another program already does. */
async function take(port: number) {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
    return server.unref();
  } catch {
    return undefined;
  }
}
