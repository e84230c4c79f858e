import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FeedRecord } from '../../src/record/feed/records.ts';
import { listen, send } from '../client/listen.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { printedExports } from '../../harness/support/demo.ts';
import { publishFeed } from '../../harness/support/publish-feed.ts';
import { createTestKey, eventually, startTestServer } from '../../harness/support/server.ts';
import { runSample, startSample } from './run-sample.ts';
import { root, samplesRunBy } from '../../harness/guides/samples.ts';

// Starts the program of docs/recipes/discord-results.md as the page says, in both languages, with a Discord
// of our own.

const database = await createTestDatabase();
const { key } = await createTestKey(database);
const server = await startTestServer(await database.loginAs('wartable_serve'));
const { API, KEY } = printedExports(server, key);
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

  test(`${program}: each result, corrections, and nothing that calls anybody`, async (t) => {
    await publishFeed(database.pool, [rude()]);
    const posted: { content: string; allowed_mentions: unknown }[] = [];
    let refused = 0;
    const faults: ((response: ServerResponse) => unknown)[] = [];
    const webhook = await listen(async (request, response) => {
      const body = JSON.parse(await text(request)) as (typeof posted)[number];
      const fault = faults.shift();
      if (fault !== undefined) return fault(response);
      if (body.content.includes(' 32–20 ')) {
        refused += 1;
        return response.writeHead(400).end('{}');
      }
      posted.push(body);
      return response.writeHead(204).end();
    });
    const STATE = path.join(folder, `${program}.json`);
    const env = { API, KEY, STATE, DISCORD_WEBHOOK: `${webhook}/api/webhooks/1/secret`, POLL_SECONDS: '0.1' };
    const contents = () => posted.map(({ content }) => content);

    await t.test('without a webhook or a key it says in one sentence what to set', async () => {
      for (const given of [
        { API, KEY },
        { ...env, KEY: '' },
      ])
        await assert.rejects(runSample(sample.text, given), {
          code: 1,
          stdout: '',
          stderr:
            'Give the slug of a tournament, and set KEY to an API key and DISCORD_WEBHOOK to your webhook.\n',
        });
    });
    await t.test('a result, its correction, and no battle that is not finished', async () => {
      assert.equal(await startSample(sample.text, env), 'Following Tidewatch Open 2025');
      await eventually(async () => assert.match(await readFile(STATE, 'utf8'), /"after":\s*"/));
      faults.push(
        (response) => response.writeHead(429, { 'retry-after': '1' }).end('{}'),
        (response) => response.socket?.end('This is not HTTP\r\n\r\n'),
      );
      await publishFeed(database.pool, [
        rude(battle(`${program}-1`, 30, 'p0', 'p1'), battle(`${program}-2`, null, 'q0', 'q1')),
      ]);
      await eventually(() => assert.deepEqual(contents(), [won(30)]));
      await publishFeed(database.pool, [
        rude(battle(`${program}-1`, 31, 'p0', 'p1'), battle(`${program}-2`, null, 'q0', 'q1')),
      ]);
      await eventually(() => assert.deepEqual(contents(), [won(30), String.raw`Corrected\: ${won(31)}`]));
    });
    await t.test('many at once come ten in a message', async () => {
      const many = Array.from({ length: 12 }, (_, i) =>
        battle(`${program}-m${i}`, 20, `q${2 * i}`, `q${2 * i + 1}`),
      );
      await publishFeed(database.pool, [rude(battle(`${program}-1`, 31, 'p0', 'p1'), ...many)]);
      await eventually(() => assert.equal(contents().slice(2).join('\n').split('\n').length, 12));
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
    await t.test('a message that Discord never takes stops no other one', async () => {
      const before = posted.length;
      const bad = battle(`${program}-1`, 32, 'p0', 'p1');
      await publishFeed(database.pool, [rude(bad)]);
      await eventually(() => assert.ok(refused > 0));
      await publishFeed(database.pool, [rude(bad, battle(`${program}-5`, 33, 'p0', 'p1'))]);
      await eventually(() => assert.deepEqual(contents().slice(before), [won(33)]));
      assert.equal(refused, 1);
    });
    await t.test('a text that is cut is still a text', async () => {
      const before = posted.length;
      // One of the two is cut inside an emoji, because they differ by one UTF-16 unit.
      const name = '😀'.repeat(99);
      const participants = [
        { id: 'p0', name: 'P' },
        { id: 'p1', name },
        { id: 'q0', name: `x${name}` },
      ];
      const battles = [battle(`${program}-3`, 30, 'p0', 'p1'), battle(`${program}-4`, 30, 'p0', 'q0')];
      await publishFeed(database.pool, [Object.assign(rude(...battles), { participants })]);
      await eventually(() => assert.equal(contents().slice(before).join('\n').split('\n').length, 2));
      for (const each of contents().slice(before)) assert.ok(each.isWellFormed(), each);
    });
    assert.doesNotMatch(await readFile(STATE, 'utf8'), /svc_v1_/);
  });

  test(`${program}: without settings, a file of the tournament and a pause`, async () => {
    let asked = 0;
    const api = await listen(({ url = '' }, response) => {
      if (!url.includes('/changes')) return send(response, 200, { data: { name: 'Cup' } });
      asked += 1;
      return send(response, 200, { data: [], next: null, after: '1.0' });
    });
    const cwd = await mkdtemp(path.join(folder, 'cwd-'));
    const [file = ''] = sample.text.split(' ').slice(1);
    await startSample(`cd ${cwd} && ${program} ${root}/${file} cup`, {
      API: api,
      KEY,
      DISCORD_WEBHOOK: api,
      POLL_SECONDS: '',
      STATE: '',
    });
    const isSaved = async () => assert.deepEqual(await readdir(cwd), ['discord-results-cup.json']);
    await eventually(isSaved);
    await sleep(1_000);
    await isSaved();
    assert.equal(asked, 1);
  });
}
