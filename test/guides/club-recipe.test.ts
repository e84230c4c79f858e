import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import type { FeedRecord } from '../../src/record/feed/records.ts';
import { listen } from '../client/listen.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { printedExports } from '../../harness/support/demo.ts';
import { publishFeed } from '../../harness/support/publish-feed.ts';
import { createTestKey, eventually, startTestServer } from '../../harness/support/server.ts';
import { runSample, startSample } from './run-sample.ts';
import { samplesRunBy } from '../../harness/guides/samples.ts';

// Starts the program of docs/recipes/club-results.md as the page says, with a chat of our own.

const database = await createTestDatabase();
const { key } = await createTestKey(database);
const server = await startTestServer(await database.loginAs('wartable_serve'));
const { API, KEY } = printedExports(server, key);
const folder = await mkdtemp(path.join(tmpdir(), 'wartable-club-'));
atEnd(() => rm(folder, { recursive: true }));

const event = (slug: string): FeedRecord => ({
  kind: 'tournament',
  slug,
  published: true,
  name: `Event ${slug}`,
  status: 'ongoing',
  battleSize: 1000,
  stages: [{ id: 'swiss', label: 'Swiss', type: 'board', rounds: 3 }],
  participants: [
    { id: 'a', player: 'ana', club: 'tidewatch' },
    { id: 'b', player: 'bo', club: 'other' },
    { id: 'c', player: 'cy', club: 'other' },
    { id: 'd', name: '@everyone', club: 'tidewatch' },
  ],
});
const game = (
  tournament: string,
  id: string,
  points: [number, number] | null,
  ...ids: string[]
): FeedRecord => ({
  kind: 'battle',
  tournament,
  id,
  stage: 'swiss',
  round: 1,
  finished: points !== null,
  ...(points && points[0] !== points[1] && { winner: ids[points[0] > points[1] ? 0 : 1] ?? null }),
  sides: ids.map((participant, i) => ({ participant, ...(points && { victoryPoints: points[i] ?? 0 }) })),
});

for (const sample of samplesRunBy(import.meta.filename))
  test(`${sample.page}: new results of players of the club, in any event, each once`, async () => {
    await publishFeed(database.pool, [
      { kind: 'club', slug: 'tidewatch', name: 'Tidewatch Gamers' },
      { kind: 'club', slug: 'other', name: 'Other' },
      ...['ana', 'bo', 'cy'].map((id): FeedRecord => ({ kind: 'player', id, name: `*${id}*` })),
      event('one'),
      event('two'),
      game('one', 'before', [20, 1], 'a', 'b'),
      { ...game('one', 'old', [5, 1], 'a', 'b'), date: '2020-02-01' } as FeedRecord,
    ]);
    const posted: string[] = [];
    const answers = [429];
    const webhook = await listen(async (request, response) => {
      const { content, allowed_mentions } = JSON.parse(await text(request)) as {
        content: string;
        allowed_mentions: unknown;
      };
      assert.deepEqual(allowed_mentions, { parse: [] });
      const status = answers.shift() ?? 204;
      if (status === 204) posted.push(content.replaceAll('\\', ''));
      response.writeHead(status).end();
    });
    const STATE = path.join(folder, 'state.json');
    const env = { API, KEY, STATE, CHAT_WEBHOOK: `${webhook}/secret`, POLL_SECONDS: '0.1' };
    for (const given of [
      { API, KEY },
      { ...env, KEY: '' },
    ])
      await assert.rejects(runSample(sample.text, given), {
        code: 1,
        stderr: 'Give the slug of a club, and set KEY to an API key and CHAT_WEBHOOK to your webhook.\n',
      });
    assert.equal(await startSample(sample.text, env), 'Following Tidewatch Gamers');
    await eventually(async () => assert.match(await readFile(STATE, 'utf8'), /"after":\s*"/));
    await publishFeed(database.pool, [
      game('one', 'g1', [20, 11], 'a', 'b'),
      game('one', 'g2', [20, 11], 'b', 'c'),
      game('one', 'g3', [3, 4], 'd', 'c'),
      game('one', 'g4', null, 'a', 'c'),
    ]);
    const first = '*ana* beat *bo* 20–11 (Event one, round 1)';
    await eventually(() => assert.deepEqual(posted, [first]));
    await publishFeed(database.pool, [
      game('two', 'g5', [7, 7], 'c', 'a'),
      game('one', 'g1', [2, 11], 'a', 'b'),
    ]);
    await eventually(() => assert.equal(posted.length, 3));
    assert.deepEqual(posted.slice(1).toSorted(), [
      '*ana* drew with *cy* 7–7 (Event two, round 1)',
      'Corrected: *ana* lost to *bo* 2–11 (Event one, round 1)',
    ]);
    // A second run continues from what the first has saved.
    await startSample(sample.text, env);
    await publishFeed(database.pool, [game('two', 'g6', [8, 7], 'a', 'c')]);
    await eventually(() => assert.ok(posted.includes('*ana* beat *cy* 8–7 (Event two, round 1)')));
    assert.deepEqual(posted.filter((each) => each === first).length, 1);
    // All battles of a player change with the name. Those from before the start have no day, or an old one.
    await publishFeed(database.pool, [{ kind: 'player', id: 'ana', name: 'Renamed' }]);
    await publishFeed(database.pool, [game('two', 'g7', [9, 7], 'a', 'c')]);
    await eventually(() => assert.ok(posted.includes('Renamed beat *cy* 9–7 (Event two, round 1)')));
    assert.deepEqual(
      posted.filter((each) => /Renamed/.test(each) && !/9–7|20–1 /.test(each)),
      [],
    );
  });
