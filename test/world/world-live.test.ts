import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayNumber } from '../../src/world/dates.ts';
import { type OneEventOptions, eventFeed, eventSeries } from '../../src/world/one-event.ts';
import { world } from '../../src/world/world.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { allFacts, emptyFacts, importLines } from '../../harness/support/feed.ts';

// The world and the importer were written separately, using only the shapes of the feed. Here they meet.

const database = await createTestDatabase();
const client = await database.pool.connect();
atEnd(async () => client.release());

const formats = [
  'swiss',
  'groups+knockout',
  'swiss+knockout+placements+placement-swiss',
  'swiss+knockout+placement-swiss',
];
for (const [index, format] of formats.entries()) {
  test(`${format}, followed live to its end, is the finished event imported whole`, async () => {
    for (const seed of [1, 2, 3]) {
      const players = 20 + 9 * index + seed;
      const options: OneEventOptions = { seed, players, format, rounds: 4, start: dayNumber('2026-10-10') };
      const live = await factsOf(eventSeries(options).map((moment) => moment.record));
      assert.deepEqual(live, await factsOf(eventFeed(options, 'finished')));
      assert.ok((live['record.battle'] ?? []).length > 30);
    }
  });
}

test('a world imports without one refusal, and a second time', async () => {
  const records = [
    ...world({ seed: 3, battles: 1000, from: dayNumber('2022-01-01'), today: dayNumber('2026-11-14') }),
  ];
  const facts = await factsOf(records);
  assert.equal((facts['record.battle'] ?? []).length, 1000);
  assert.deepEqual((await importLines(client, records)).refusals, []);
});

async function factsOf(records: Parameters<typeof importLines>[1]): Promise<Record<string, string[]>> {
  await emptyFacts(client);
  assert.deepEqual((await importLines(client, records)).refusals, []);
  return allFacts(client);
}
