import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { startEpoch } from '../../src/publish/number-changes.ts';
import { publishBacklog } from '../../src/publish/publisher.ts';
import type { FeedRecord } from '../../src/record/feed/records.ts';
import { setPublished } from '../../src/record/write/set-published.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { publishFeed } from '../../harness/support/publish-feed.ts';
import { createTestKey, eventually, startTestServer } from '../../harness/support/server.ts';
import { root } from '../../harness/guides/samples.ts';

// Runs the program of docs/api/following.md while publishers change and remove what it keeps.

const database = await createTestDatabase();
const { key } = await createTestKey(database);
const server = await startTestServer(await database.loginAs('wartable_serve'));

const club = (number: number, name: string): FeedRecord => ({ kind: 'club', slug: `club-${number}`, name });
const cup = (number: number, name: string): FeedRecord => ({
  kind: 'tournament',
  slug: `cup-${number}`,
  published: true,
  name,
  status: 'ongoing',
  organizer: `club-${number}`,
  battleSize: 1000,
  stages: [{ id: 'swiss', label: 'Swiss', type: 'board', rounds: 3 }],
  participants: ['a', 'b'].map((id) => ({ id, name: `${id} ${name}` })),
});
const battle = (number: number, points: number): FeedRecord => ({
  kind: 'battle',
  id: `battle-${number}`,
  tournament: `cup-${number}`,
  stage: 'swiss',
  round: 1,
  table: 1,
  finished: true,
  battleSize: 1000,
  sides: ['a', 'b'].map((participant) => ({ participant, victoryPoints: points })),
});
const numbers = [1, 2, 3, 4, 5, 6];

test('the copy equals the documents after changes, removals and a restore that was announced', async () => {
  await publishFeed(
    database.pool,
    numbers.flatMap((number) => [club(number, 'Club'), cup(number, 'Cup'), battle(number, 1)]),
  );
  const folder = await startMirror(server.apiUrl, '0.02');
  await untilEqual(folder);
  for (let turn = 0; turn < 4; turn += 1) {
    for (const number of numbers) {
      const name = `Cup ${turn}`;
      await publishFeed(database.pool, [
        cup(number, name),
        battle(number, turn),
        club(number, `Club ${turn}`),
      ]);
      await setPublished(database.pool, `cup-${number}`, number % 2 !== turn % 2);
    }
    await publishBacklog(database.pool);
  }
  await untilEqual(folder);
  // A change that will be lost, and for which the copy waits.
  await database.pool.query(`insert into published.change (kind, key, gone, revision, since)
    values ('battle', 'lost', false, 1, now()); select published.number_changes()`);
  await eventually(async () =>
    assert.deepEqual(
      (await copyIn(folder)).pending.map(({ key: lost }) => lost),
      ['lost'],
    ),
  );
  // Simulates a restore: the copy has what is lost, and lacks what has come back, and no change says so.
  await database.pool.query(`delete from published.battle where id = 'battle-1';
    update published.club set revision = revision + 1, document = replace(document, 'Club 3', 'Old Club');
    delete from published.change`);
  await startEpoch(database.pool);
  await untilEqual(folder);
});

test('a new copy is right when another server hears of the last change later', async () => {
  const document = '/api/v1/tournaments/cup-1';
  for (const number of numbers) await setPublished(database.pool, `cup-${number}`, true);
  await publishFeed(
    database.pool,
    numbers.map((number) => cup(number, 'An old name')),
  );
  const { text: old } = await server.get(document, { authorization: `Bearer ${key}` });
  await publishFeed(database.pool, [cup(1, 'The newest name')]);
  // The sequence number comes from a server that knows the change. Other servers do not know it for two more
  // seconds.
  let heardAt = Infinity;
  const proxy = createServer(async ({ url = '' }, response) => {
    if (url.startsWith('/api/extra/')) heardAt = Math.min(heardAt, performance.now() + 2_000);
    const isOld = url === document && performance.now() < heardAt;
    const answer = await server.get(url, { authorization: `Bearer ${key}` });
    response.statusCode = answer.status;
    if (!isOld) response.setHeader('etag', answer.headers.get('etag') ?? '');
    response.end(isOld ? old : answer.text);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  atEnd(async () => {
    proxy.closeAllConnections();
    proxy.close();
  });
  const { port } = proxy.address() as AddressInfo;
  await untilEqual(await startMirror(`http://127.0.0.1:${port}`, '3'));
});

/** Runs the program in its own folder. */
async function startMirror(apiUrl: string, pollSeconds: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'wartable-mirror-'));
  for (const file of ['wartable.mjs', 'mirror.mjs'])
    await copyFile(path.join(root, 'docs/recipes/client', file), path.join(folder, file));
  const child = spawn(process.execPath, ['mirror.mjs'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: 290_000,
    env: { API: apiUrl, KEY: key, POLL_SECONDS: pollSeconds },
  });
  atEnd(async () => {
    const ended = child.exitCode === null ? once(child, 'exit') : undefined;
    child.kill();
    await ended;
    await rm(folder, { recursive: true });
  });
  return folder;
}

async function copyIn(
  folder: string,
): Promise<{ things: Record<string, unknown>; pending: { key: string }[] }> {
  return JSON.parse(await readFile(path.join(folder, 'mirror.json'), 'utf8'));
}

/** Waits until the copy contains every published document. */
async function untilEqual(folder: string): Promise<void> {
  await eventually(async () => {
    const wanted: Record<string, unknown> = {};
    const { rows } = await database.pool.query<{ name: string; address: string }>(
      `select 'tournament ' || slug as name, 'tournaments/' || slug as address from published.tournament
      union all select 'club ' || slug, 'clubs/' || slug from published.club
      union all select 'battle ' || id, 'battles/' || id from published.battle`,
    );
    for (const { name, address } of rows) {
      const { json } = await server.get(`/api/v1/${address}`, { authorization: `Bearer ${key}` });
      wanted[name] = (json as { data: unknown }).data;
    }
    const mirror = await copyIn(folder);
    assert.deepEqual(mirror.pending, []);
    assert.deepEqual(mirror.things, wanted);
  });
}
