import assert from 'node:assert/strict';
import { generateKeyPairSync, sign } from 'node:crypto';
import { test } from 'node:test';
import { createTestDatabase } from '../support/database.ts';
import { exampleFeed } from '../support/feed.ts';
import { publishFeed } from '../support/publish-feed.ts';
import { createTestKey, startTestServer } from '../support/server.ts';
import type { FeedRecord } from '../../src/record/feed/records.ts';
import { freePort } from '../../scripts/postgres.ts';
import { runSample, startSample } from './run-sample.ts';
import { samplesRunBy } from './samples.ts';

// docs/recipes/discord-reply.md, started as the page says. The requests are signed as Discord signs them.

const database = await createTestDatabase();
const example = exampleFeed().trim().split('\n');
await publishFeed(database.pool, [
  ...example.map((line) => JSON.parse(line) as FeedRecord),
  {
    kind: 'tournament',
    slug: 'rude-names',
    published: true,
    name: '*Loud* Cup',
    status: 'finished',
    battleSize: 1000,
    stages: [{ id: 'swiss', label: 'Swiss', type: 'board', rounds: 1 }],
    participants: [
      { id: 'p1', name: '@everyone', faction: 'A_B', finalPlacement: 1 },
      { id: 'p2', name: '[x](https://x.example)', finalPlacement: 2 },
      ...[3, 4, 5, 6, 7].map((place) => ({ id: `p${place}`, name: `P${place}`, finalPlacement: place })),
    ],
  },
]);
const { key: KEY } = await createTestKey(database);
const server = await startTestServer(await database.loginAs('wartable_serve'));
const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const DISCORD_PUBLIC_KEY = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString(
  'hex',
);
const [sample] = samplesRunBy(import.meta.filename);
const PORT = String(await freePort());
const started = await startSample(sample?.text ?? '', { KEY, API: server.apiUrl, PORT, DISCORD_PUBLIC_KEY });

test('it prints its address and answers a ping', async () => {
  assert.equal(started, `http://localhost:${PORT}/`);
  const answer = await send({ type: 1 });
  assert.equal(answer.status, 200);
  assert.deepEqual(await answer.json(), { type: 1 });
});

test('without its key it says in one sentence what to set', async () => {
  for (const wrong of [undefined, '', 'PUBLIC_KEY', DISCORD_PUBLIC_KEY.slice(2)]) {
    const env = { KEY, PORT: '0', ...(wrong !== undefined && { DISCORD_PUBLIC_KEY: wrong }) };
    await assert.rejects(runSample(sample?.text ?? '', env), {
      code: 1,
      stdout: '',
      stderr: 'Set DISCORD_PUBLIC_KEY to the public key of your application, 64 hexadecimal digits.\n',
    });
  }
});

test('it answers with the top of the final standings, or of each group', async () => {
  const open = await replyTo('tidewatch-open-2025');
  assert.deepEqual(open, {
    type: 4,
    data: {
      content: [
        String.raw`**Tidewatch Open 2025**, Final Standings`,
        String.raw`1\. Ana Quiroga \(Lanternsworn\) 2\/0\/0`,
        String.raw`2\. Deleted player \(Rimehold Kin\) 0\/1\/2`,
        String.raw`3\. Guest Gwen \(Marrow Choir\) 1\/1\/0`,
      ].join('\n'),
      allowed_mentions: { parse: [] },
    },
  });
  const { content } = (await replyTo('lantern-league')).data;
  assert.match(
    content,
    /^\*\*Lantern League\*\*, .*\nGroup A 1\\\. Chidi Eze .*\nGroup A 2\\\. Ana Quiroga [^\n]*$/,
  );
});

test('names are escaped, only five are shown, and the message says why there is none', async () => {
  assert.deepEqual((await replyTo('rude-names')).data.content.split('\n'), [
    String.raw`**\*Loud\* Cup**, Final Standings`,
    String.raw`1\. \@everyone \(A\_B\) 0\/0\/0`,
    String.raw`2\. \[x\]\(https\:\/\/x\.example\) \(\?\) 0\/0\/0`,
    ...[3, 4, 5].map((place) => String.raw`${place}\. P${place} \(\?\) 0\/0\/0`),
  ]);
  assert.equal((await replyTo('../clubs/tidewatch')).data.content, 'No standings: Tournament not found');
});

test('a request without the signature of Discord gets a 401 before anything is read', async () => {
  const other = generateKeyPairSync('ed25519').privateKey;
  const body = JSON.stringify({ type: 1 });
  const good = sign(null, Buffer.from(`17${body}`), privateKey).toString('hex');
  const wrong: [signature: string | undefined, timestamp: string | undefined, body: string][] = [
    [sign(null, Buffer.from(`17${body}`), other).toString('hex'), '17', body],
    [good, '18', body],
    [good, '17', '{"type":2}'],
    [good, undefined, body],
    [undefined, '17', body],
    ['', '17', body],
    ['zz', '17', body],
    [good.slice(2), '17', body],
    [`${good}00`, '17', body],
    [good, '17', 'not JSON'],
  ];
  for (const [signature, timestamp, text] of wrong) {
    const answer = await post(signature, timestamp, text);
    assert.equal(answer.status, 401, `${signature} ${timestamp} ${text}`);
  }
  assert.equal((await post(good, '17', body)).status, 200);
});

test('a body that is too large is not read to its end, and the program goes on', async () => {
  await post('00', '1', 'x'.repeat(1_000_000)).then(
    ({ status }) => assert.equal(status, 500),
    () => undefined,
  );
  assert.equal((await send({ type: 1 })).status, 200);
});

interface Reply {
  type: number;
  data: { content: string; allowed_mentions: { parse: string[] } };
}

async function replyTo(tournament: string): Promise<Reply> {
  const options = [{ type: 3, name: 'tournament', value: tournament }];
  const answer = await send({ type: 2, data: { name: 'standings', options } });
  assert.equal(answer.status, 200);
  return (await answer.json()) as Reply;
}

function send(interaction: object): Promise<Response> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const body = JSON.stringify(interaction);
  return post(sign(null, Buffer.from(timestamp + body), privateKey).toString('hex'), timestamp, body);
}

function post(signature: string | undefined, timestamp: string | undefined, body: string): Promise<Response> {
  return fetch(`http://127.0.0.1:${PORT}/`, {
    method: 'POST',
    headers: {
      ...(signature !== undefined && { 'X-Signature-Ed25519': signature }),
      ...(timestamp !== undefined && { 'X-Signature-Timestamp': timestamp }),
    },
    body,
  });
}
