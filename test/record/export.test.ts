import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ClientBase } from 'pg';
import { publishBacklog } from '../../src/publish/publisher.ts';
import { erasePerson } from '../../src/record/people/erase-person.ts';
import { NamePattern } from '../../src/record/people/name-pattern.ts';
import type { FeedRecord } from '../../src/record/feed/records.ts';
import { dayNumber } from '../../src/world/dates.ts';
import { world } from '../../src/world/world.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { allFacts, emptyFacts, importLines } from '../../harness/support/feed.ts';
import { compared, equal, exported, whole } from '../../harness/support/in-step.ts';
import { publishedRows } from '../../harness/support/published.ts';
import { anyWorld } from './feed-worlds.ts';

// Exporting and importing into an empty database preserves the facts, and therefore the documents. Each of
// the two databases is equal to the feed of the other.

const here = await createTestDatabase();
const there = await createTestDatabase();
const [left, right] = [await here.pool.connect(), await there.pool.connect()];
atEnd(async () => {
  left.release();
  right.release();
});

const erasures = ['guests', 'player', 'undone'] as const;

test('any world with erased players and guests survives the way out and in', async () => {
  await fc.assert(
    fc.asyncProperty(anyWorld, fc.subarray([...erasures]), async ({ whole: steps }, done) => {
      await empty(left);
      await empty(right);
      assert.deepEqual(
        (
          await importLines(
            left,
            steps.map(({ record }) => record),
          )
        ).refusals,
        [],
      );
      if (done.includes('guests')) await erase({ guest: new NamePattern('Guest'), tournament: undefined });
      if (done.includes('guests')) await erase({ guest: new NamePattern('Guest 1'), tournament: undefined });
      if (done.includes('player')) await erase({ player: 'y0' });
      // Of the lists of somebody who came back, only the sub-factions are left.
      const isBack = done.includes('undone');
      if (isBack) {
        await importLines(left, [{ kind: 'remove', of: 'player', id: 'y1' }]);
        await importLines(left, [{ kind: 'player', id: 'y1', erased: false, name: 'Back' }]);
      }
      const feed = await exported(left);
      const { refusals, records, changed } = await importLines(right, feed);
      assert.deepEqual([refusals, changed], [[], records]);
      assert.deepEqual(await factsOf(right), await factsOf(left));
      assert.deepEqual(await exported(right), feed);
      assert.deepEqual(await compared(left, whole(feed)), equal);
      assert.deepEqual(await compared(right, whole(feed)), equal);
      // The feed of the platform still contains the people whom an operator erased. Removed things also occur
      // once.
      const told = steps.map(({ record }) => record).filter(({ kind }) => kind !== 'remove');
      if (!isBack && told.length === steps.length && new Set(told.map(nameOf)).size === told.length)
        assert.deepEqual({ ...(await compared(left, whole(told))), stillNamed: [] }, equal);
    }),
    { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 15) },
  );
});

test('a world of events gives the same documents again', async () => {
  await empty(left);
  await empty(right);
  const window = { from: dayNumber('2024-01-01'), today: dayNumber('2025-06-30') };
  const feed = [...world({ seed: 30, battles: 600, ...window })];
  assert.deepEqual((await importLines(left, feed)).refusals, []);
  const guest = firstGuest(feed);
  await erase({ guest: new NamePattern(guest), tournament: undefined });
  await erase({ player: feed.flatMap((each) => (each.kind === 'player' ? each.id : []))[3] ?? '' });
  await left.query(`update record.tournament set published = false
    where id in (select id from record.tournament order by slug limit 2)`);
  assert.deepEqual(
    (await importLines(right, [...(await exported(left)), { kind: 'end', records: 0 }])).refusals,
    [],
  );
  for (const { pool } of [here, there]) assert.deepEqual((await publishBacklog(pool)).failed, []);
  assert.deepEqual(await publishedRows(right), await publishedRows(left));
});

test('a part of the tournaments comes with what they name, and drafts only on demand', async () => {
  const all = await exported(left);
  const drafts = all.filter((each) => each.kind === 'tournament' && !each.published);
  assert.ok(drafts.length >= 2);
  await left.query(`insert into record.moved (kind, id, target)
    select 'tournament', 'old-' || slug, slug from record.tournament where not published`);
  const published = await exported(left, {});
  assert.equal(published.length, all.length - drafts.length);
  await left.query('delete from record.moved');
  const one = published.find((each) => each.kind === 'tournament');
  assert.ok(one?.kind === 'tournament' && one.startDate);
  await empty(right);
  const part = await exported(left, { tournaments: [one.slug] });
  assert.ok(part.length < all.length / 2);
  assert.deepEqual((await importLines(right, part)).refusals, []);
  const ofDay = await exported(left, { from: one.startDate, to: one.startDate });
  assert.ok(ofDay.some((each) => each.kind === 'tournament' && each.slug === one.slug));
  assert.ok(ofDay.every((each) => each.kind !== 'tournament' || each.startDate === one.startDate));
});

test('a recorded text over the limit is exported and named', async () => {
  await empty(left);
  await importLines(left, [{ kind: 'club', slug: 'long', name: 'Long' }]);
  await left.query(`update record.club set description = repeat('a', 20001)`);
  const places: string[] = [];
  const feed = await exported(left, { onLongText: (place) => places.push(place) });
  assert.equal(feed.length, 1);
  assert.deepEqual(places, ['club long.description']);
});

const nameOf = (record: FeedRecord): string =>
  `${record.kind} ${'slug' in record ? record.slug : 'id' in record ? record.id : ''}`;

const firstGuest = (feed: FeedRecord[]): string =>
  feed.flatMap((each) =>
    each.kind === 'tournament' ? (each.participants ?? []).flatMap(({ name }) => name ?? []) : [],
  )[0] ?? '';

async function erase(of: Parameters<typeof erasePerson>[1]): Promise<void> {
  await erasePerson(here.pool, of);
}

/** Returns the facts without permanent erasures, which are not in a feed. */
async function factsOf(client: ClientBase): Promise<Record<string, string[]>> {
  const facts = await allFacts(client);
  return Object.fromEntries(
    Object.entries(facts).map(([table, rows]) => [
      table,
      rows.map((row) => row.replace(/"erased_for_good": (true|false)/, '"erased_for_good": …')),
    ]),
  );
}

async function empty(client: ClientBase): Promise<void> {
  await emptyFacts(client);
  await client.query('truncate record.erased_guest, record.erased_casual_guest');
}
