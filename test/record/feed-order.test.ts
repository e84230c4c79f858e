import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { atEnd } from '../../harness/support/at-end.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { allFacts, emptyFacts, importText } from '../../harness/support/feed.ts';
import { anyWorld, shuffled, type Step } from './feed-worlds.ts';

// However a feed is split into files and ordered, the facts are the same, as long as references come before
// uses and the records of one thing keep their order. An event sent in small records equals the event sent as
// a whole.

const database = await createTestDatabase();
const client = await database.pool.connect();
atEnd(async () => client.release());

async function factsOf(files: string[]): Promise<Record<string, string[]>> {
  await emptyFacts(client);
  for (const file of files) assert.deepEqual((await importText(client, file)).refusals, []);
  return allFacts(client);
}

const textOf = (steps: Step[]): string => steps.map(({ record }) => `${JSON.stringify(record)}\n`).join('');

test('any admissible order, in any split into files, gives the same facts', async () => {
  const numRuns = Number(process.env['PROPERTY_RUNS'] ?? 25);
  await fc.assert(
    fc.asyncProperty(
      anyWorld,
      fc.infiniteStream(fc.nat()),
      fc.integer({ min: 1, max: 6 }),
      async (world, choices, cuts) => {
        const expected = await factsOf([textOf(world.whole)]);
        const other = shuffled(world.whole, choices);
        const length = Math.ceil(other.length / cuts);
        const files = Array.from({ length: cuts }, (_, cut) =>
          textOf(other.slice(cut * length, (cut + 1) * length)),
        );
        assert.deepEqual(await factsOf(files), expected);
      },
    ),
    { numRuns },
  );
});

test('an event told by small records, in any order, gives the same facts as the event told whole', async () => {
  const numRuns = Number(process.env['PROPERTY_RUNS'] ?? 25);
  await fc.assert(
    fc.asyncProperty(anyWorld, fc.infiniteStream(fc.nat()), async (world, choices) => {
      const expected = await factsOf([textOf(world.whole)]);
      assert.deepEqual(await factsOf([textOf(shuffled(world.small, choices))]), expected);
    }),
    { numRuns },
  );
});

test('importing any feed twice ends in the same facts', async () => {
  await fc.assert(
    fc.asyncProperty(anyWorld, async (world) => {
      const expected = await factsOf([textOf(world.whole)]);
      await importText(client, textOf(world.whole));
      assert.deepEqual(await allFacts(client), expected);
    }),
    { numRuns: 10 },
  );
});
