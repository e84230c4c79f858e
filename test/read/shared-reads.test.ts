import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Read } from '../../src/database/read.ts';
import { apiStatements, siteStatements } from '../../src/serve/statements.ts';
import { dayOf } from '../../src/text/days.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { publishFeed } from '../../harness/support/publish-feed.ts';
import { bearer, createTestKey, eventually, startTestServer } from '../../harness/support/server.ts';

// Phones that watch an event hold whatever was newest when each of them last asked. When a result arrives,
// they all ask again with different old tags, and one read must be enough for all of them.

const phones = 48;
const documentStatements = new Set([...apiStatements, ...siteStatements].map(({ name }) => name));
const database = await createTestDatabase();
const { key } = await createTestKey(database);
const server = await startTestServer(await database.loginAs('wartable_serve'), { cacheMegabytes: 64 });
const addresses = [
  `${server.siteUrl}/tournaments/cup`,
  `${server.siteUrl}/tournaments/cup/rounds`,
  `${server.siteUrl}/embed/tournaments/cup`,
  `${server.apiUrl}/api/extra/v1/tournaments/cup/now`,
  `${server.apiUrl}/api/v1/tournaments/cup/standings`,
  `${server.apiUrl}/api/v1/tournaments/cup/battles`,
];
await publishFeed(database.pool, [
  {
    kind: 'tournament',
    slug: 'cup',
    name: 'Cup',
    published: true,
    status: 'ongoing',
    startDate: dayOf(Date.now()),
    battleSize: 1000,
    stages: [{ id: 'swiss', label: 'Swiss', type: 'board', rounds: 5 }],
    participants: Array.from({ length: 2 * (phones + 1) }, (_, index) => ({
      id: `p${index}`,
      name: `Player ${index}`,
    })),
    battles: Array.from({ length: phones + 1 }, (_, index) => pairing(index)),
  },
]);

function pairing(index: number) {
  return {
    id: `b${index}`,
    stage: 'swiss',
    round: 1,
    table: index + 1,
    sides: [2 * index, 2 * index + 1].map((number) => ({ participant: `p${number}` })),
  };
}

test(`${phones} callers with ${phones} different old tags cause one read`, async ({ mock }) => {
  const heldTags: string[][] = addresses.map(() => []);
  for (let index = 0; index < phones; index += 1) {
    for (const [which, address] of addresses.entries()) heldTags[which]?.push(await tagOf(address));
    await sendResult(index);
  }
  for (const [which, address] of addresses.entries()) {
    const tags = heldTags[which] ?? [];
    assert.equal(new Set(tags).size, phones, `${address} has a tag for each result`);
    const submit = mock.method(Read.prototype, 'submit');
    const statuses = await Promise.all(
      tags.map(async (tag) => (await ask(address, { 'if-none-match': tag })).status),
    );
    assert.deepEqual(statuses, Array(phones).fill(200), address);
    const reads = submit.mock.calls.filter((call) => documentStatements.has((call.this as Read).name));
    assert.equal(reads.length, 1, address);
    mock.reset();
  }
});

/** Sends a result, and waits until the server knows that the previous tags are old. */
async function sendResult(index: number): Promise<void> {
  const before = await revisionsHeard();
  const result = { ...pairing(index), finished: true, winner: `p${2 * index}` };
  await publishFeed(database.pool, [{ kind: 'battle', tournament: 'cup', ...result }]);
  await eventually(async () => {
    assert.ok((await revisionsHeard()) > before);
  });
}

async function ask(address: string, headers: Record<string, string> = {}): Promise<Response> {
  const answer = await fetch(address, { headers: { ...bearer(key), ...headers } });
  await answer.arrayBuffer();
  return answer;
}

async function tagOf(address: string): Promise<string> {
  return (await ask(address)).headers.get('etag') ?? '';
}

async function revisionsHeard(): Promise<number> {
  const metrics = await (await fetch(`${server.opsUrl}/metrics`)).text();
  return Number(/^wartable_revisions_heard_total (\d+)$/m.exec(metrics)?.[1]);
}
