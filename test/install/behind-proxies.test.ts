import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTestDatabase } from '../../harness/support/database.ts';
import { publishWorld } from '../../harness/support/published-world.ts';
import { bearer, createTestKey, eventually } from '../../harness/support/server.ts';
import { proxies, withoutProxies } from '../../harness/install/proxies.ts';
import type { ProxyCaller } from '../../harness/install/proxy-caller.ts';
import { withTwoInstances } from '../../harness/install/two-instances.ts';

// Runs two servers behind each proxy of deploy/: the files of `wartable files`, and callers without a key who
// ask for more tournament files than the servers can produce, so that some get 503. A proxy must not take
// this for a failure of the server, because then it would not ask any server for anything.

const database = await createTestDatabase();
const tournaments = 60;
await publishWorld(database.pool, { tournaments, battles: 200 });
const { key } = await createTestKey(database);
const settings = { DATABASE_URL: await database.loginAs('wartable_serve'), CACHE_MB: '0' };
const page = { path: '/clubs/club-1' };
const document = { path: '/api/v1/clubs/club-1', headers: bearer(key) };
const skip = await withoutProxies();

for (const kind of proxies) {
  test(`${kind.program} offers the files and only them, and a crowd leaves the others alone`, { skip }, () =>
    withTwoInstances(kind, settings, async (instances, caller, { data }) => {
      await caller.untilAnswered(page, document);
      await checkFiles(caller, data);
      // Retried because on a busy machine a server itself may be too slow for other callers.
      await eventually(async () => {
        const { ofCrowd, ofBystander } = await besideCrowd(caller);
        assert.deepEqual(new Set(ofCrowd), new Set([200, 503]));
        assert.deepEqual(new Set(ofBystander), new Set([200]));
      });

      const refused = await caller.ask({ path: document.path });
      assert.equal(refused.status, 401);
      assert.equal(errorOf(refused.text).code, 'UNAUTHORIZED');

      await Promise.all(instances.map((instance) => instance.kill()));
      // nginx has copies of pages that it has sent, but none of this one.
      const [none, noPage] = await Promise.all([caller.ask(document), caller.ask({ path: '/clubs/club-2' })]);
      assert.equal(none.status, 503);
      assert.match(none.header('content-type'), /^application\/json/);
      assert.equal(none.header('retry-after'), '5');
      assert.deepEqual(errorOf(none.text), {
        status: 503,
        message: 'Service temporarily unavailable',
        code: 'UNAVAILABLE',
      });
      assert.equal(noPage.status, 503);
      assert.match(noPage.header('content-type'), /^text\/plain/);
      assert.equal(noPage.header('retry-after'), '5');
      assert.match(noPage.text, /^The results are not available/);
    }),
  );
}

/** Checks the files of `wartable files`, for which none of our servers is asked. */
async function checkFiles(caller: ProxyCaller, data: string): Promise<void> {
  await writeFile(path.join(data, 'index.json'), '{}');
  await writeFile(path.join(data, 'battles-2026-04-0123456789abcdef.ndjson.gz'), 'bytes');
  const answerOf = async (name: string) => {
    const { status, text, header } = await caller.ask({ path: `/data/${name}` });
    const names = ['cache-control', 'access-control-allow-origin', 'content-type', 'content-encoding'];
    return [status, text, ...names.map(header)];
  };
  const index = ['no-cache', '*', 'application/json', ''];
  assert.deepEqual(await answerOf('index.json'), [200, '{}', ...index]);
  const battles = ['public, max-age=86400', '*', 'application/gzip', ''];
  const found = await answerOf('battles-2026-04-0123456789abcdef.ndjson.gz');
  assert.deepEqual(found, [200, 'bytes', ...battles]);
  const statusOf = async (address: string) => (await caller.ask({ path: address })).status;
  assert.equal(await statusOf('/data/battles-2026-04-fedcba9876543210.ndjson.gz'), 404);
  for (const outside of ['/data/..%2fCaddyfile', '/data/../nginx.conf', '/data../nginx.conf'])
    assert.notEqual(await statusOf(outside), 200, outside);
  assert.ok([403, 404].includes(await statusOf('/data/')), 'no list of files');
}

/**
 * Returns the statuses that a crowd gets for files, and those that other callers get for other things. It
 * continues until there are enough of both to show a fault.
 */
async function besideCrowd(caller: ProxyCaller) {
  const [ofCrowd, ofBystander]: [number[], number[]] = [[], []];
  const isOn = () => ofBystander.length < 60 || ofCrowd.filter((status) => status !== 200).length < 20;
  let asked = 0;
  const askForFiles = async () => {
    while (isOn()) {
      asked += 1;
      // nginx keeps what it has sent, so each request has a different address.
      const file = `/tournaments/event-${asked % tournaments}/battles.csv?${asked}`;
      ofCrowd.push((await caller.ask({ path: file })).status);
    }
  };
  const askForOthers = async () => {
    while (isOn()) {
      for (const target of [page, document]) ofBystander.push((await caller.ask(target)).status);
      await sleep(50);
    }
  };
  await Promise.all([
    ...Array.from({ length: 2 }, askForOthers),
    ...Array.from({ length: 100 }, askForFiles),
  ]);
  return { ofCrowd, ofBystander };
}

function errorOf(text: string): { code?: string } {
  return (JSON.parse(text) as { error: { code?: string } }).error;
}
