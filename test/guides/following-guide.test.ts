import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { startEpoch } from '../../src/publish/give-places.ts';
import { publishStale } from '../../src/publish/publisher.ts';
import type { FeedRecord } from '../../src/record/feed/records.ts';
import { setPublished } from '../../src/record/write/set-published.ts';
import { atEnd } from '../support/at-end.ts';
import { createTestDatabase } from '../support/database.ts';
import { publishFeed } from '../support/publish-feed.ts';
import { createTestKey, eventually, startTestServer } from '../support/server.ts';
import { root, samplesRunBy } from './samples.ts';

// The program of docs/api/following.md, as it stands there, while publishers change and remove what it keeps.

const [sample] = samplesRunBy(import.meta.filename);
const database = await createTestDatabase();
const { key } = await createTestKey(database);
const server = await startTestServer(await database.loginAs('wartable_serve'));
const folder = await mkdtemp(path.join(tmpdir(), 'wartable-mirror-'));
atEnd(() => rm(folder, { recursive: true }));
await copyFile(path.join(root, 'docs/recipes/client/wartable.mjs'), path.join(folder, 'wartable.mjs'));

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
  const child = spawn(process.execPath, ['--input-type=module', '-e', sample?.text ?? ''], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: 120_000,
    env: { API: server.apiUrl, KEY: key, POLL_SECONDS: '0.02' },
  });
  atEnd(async () => {
    const ended = child.exitCode === null ? once(child, 'exit') : undefined;
    child.kill();
    await ended;
  });
  await untilEqual();
  for (let turn = 0; turn < 4; turn += 1) {
    for (const number of numbers) {
      const name = `Cup ${turn}`;
      await publishFeed(database.pool, [
        cup(number, name),
        battle(number, turn),
        club(number, `Club ${turn}`),
      ]);
      if (number % 2 === turn % 2) await setPublished(database.pool, `cup-${number}`, false);
    }
    await publishStale(database.pool);
  }
  await untilEqual();
  // A restore: the copy has what is lost, and lacks what is back. No change says so.
  await database.pool.query(`delete from published.battle where id = 'battle-1';
    update published.club set revision = revision + 1, document = replace(document, 'Club 3', 'Old Club');
    delete from published.change`);
  await startEpoch(database.pool);
  await untilEqual();
});

/** The copy of every document that is published. */
async function untilEqual(): Promise<void> {
  await eventually(60_000, async () => {
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
    const mirror = JSON.parse(await readFile(path.join(folder, 'mirror.json'), 'utf8'));
    assert.deepEqual(mirror.pending, []);
    assert.deepEqual(mirror.things, wanted);
  });
}
