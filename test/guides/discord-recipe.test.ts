import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import type { FeedRecord } from '../../src/record/feed/records.ts';
import { listen } from '../client/listen.ts';
import { atEnd } from '../support/at-end.ts';
import { createTestDatabase } from '../support/database.ts';
import { publishFeed } from '../support/publish-feed.ts';
import { createTestKey, eventually, startTestServer } from '../support/server.ts';
import { runSample, startSample } from './run-sample.ts';
import { samplesRunBy } from './samples.ts';

// docs/recipes/discord-results.md, started as the page says, in both languages, with a Discord of our own.

const database = await createTestDatabase();
const { key: KEY } = await createTestKey(database);
const server = await startTestServer(await database.loginAs('wartable_serve'));
const API = `http://localhost:${new URL(server.apiUrl).port}`;
const folder = await mkdtemp(path.join(tmpdir(), 'wartable-discord-'));
atEnd(() => rm(folder, { recursive: true }));

const battle = (id: string, points: number | null, ...names: string[]) => ({
  id,
  stage: 'swiss',
  round: 2,
  finished: points !== null,
  winner: points === null || points === 20 ? null : 'p0',
  sides: names.map((participant) => ({
    participant,
    ...(points !== null && { victoryPoints: participant === 'p0' ? points : 20 }),
  })),
});
const rude = (...battles: ReturnType<typeof battle>[]): FeedRecord => ({
  kind: 'tournament',
  slug: 'tidewatch-open-2025',
  published: true,
  name: 'Tidewatch Open 2025',
  status: 'ongoing',
  battleSize: 1000,
  stages: [{ id: 'swiss', label: 'Swiss', type: 'board', rounds: 3 }],
  participants: [
    { id: 'p0', name: '@everyone', faction: 'A_B' },
    { id: 'p1', name: '[x](https://x.example)' },
    ...Array.from({ length: 24 }, (_, i) => ({ id: `q${i}`, name: `Q${i}` })),
  ],
  battles,
});
const won = (points: number) =>
  String.raw`Round 2\: \@everyone \(A\_B\) ${points}–20 \[x\]\(https\:\/\/x\.example\) \(\?\)\, \@everyone won`;

for (const sample of samplesRunBy(import.meta.filename)) {
  const [program = ''] = sample.text.split(' ');

  test(`${program}: each result once, corrections, and nothing that calls anybody`, async (t) => {
    await publishFeed(database.pool, [rude()]);
    const posted: { content: string; allowed_mentions: unknown }[] = [];
    let refusals = 0;
    const webhook = await listen(async (request, response) => {
      const body = JSON.parse(await text(request)) as (typeof posted)[number];
      if (refusals > 0) {
        refusals -= 1;
        return response.writeHead(429, { 'retry-after': '1' }).end('{}');
      }
      posted.push(body);
      return response.writeHead(204).end();
    });
    const STATE = path.join(folder, `${program}.json`);
    const env = { API, KEY, STATE, DISCORD_WEBHOOK: `${webhook}/api/webhooks/1/secret`, POLL_SECONDS: '0.1' };
    const contents = () => posted.map(({ content }) => content);

    await t.test('without a webhook it says in one sentence what to set', async () => {
      await assert.rejects(runSample(sample.text, { API, KEY }), {
        code: 1,
        stdout: '',
        stderr: 'Give the slug of a tournament, and set DISCORD_WEBHOOK to the address of your webhook.\n',
      });
    });
    await t.test('a result, its correction, and no battle that is not finished', async () => {
      assert.equal(await startSample(sample.text, env), 'Following Tidewatch Open 2025');
      await eventually(20_000, async () => assert.match(await readFile(STATE, 'utf8'), /"after":\s*"/));
      refusals = 1;
      await publishFeed(database.pool, [
        rude(battle(`${program}-1`, 30, 'p0', 'p1'), battle(`${program}-2`, null, 'q0', 'q1')),
      ]);
      await eventually(20_000, () => assert.deepEqual(contents(), [won(30)]));
      await publishFeed(database.pool, [
        rude(battle(`${program}-1`, 31, 'p0', 'p1'), battle(`${program}-2`, null, 'q0', 'q1')),
      ]);
      await eventually(20_000, () =>
        assert.deepEqual(contents(), [won(30), String.raw`Corrected\: ${won(31)}`]),
      );
    });
    await t.test('many at once come ten in a message', async () => {
      const many = Array.from({ length: 12 }, (_, i) =>
        battle(`${program}-m${i}`, 20, `q${2 * i}`, `q${2 * i + 1}`),
      );
      await publishFeed(database.pool, [rude(battle(`${program}-1`, 31, 'p0', 'p1'), ...many)]);
      await eventually(20_000, () => assert.equal(contents().slice(2).join('\n').split('\n').length, 12));
      const lines = contents()
        .slice(2)
        .map((each) => each.split('\n').length);
      assert.ok(Math.max(...lines) <= 10 && lines.length < 12, String(lines));
      assert.match(
        contents().at(-1) ?? '',
        /^Round 2\\: Q\d+ \\\(\\\?\\\) 20–20 Q\d+ \\\(\\\?\\\)\\, a draw/,
      );
      for (const { allowed_mentions } of posted) assert.deepEqual(allowed_mentions, { parse: [] });
    });
    assert.doesNotMatch(await readFile(STATE, 'utf8'), /svc_v1_/);
  });
}
