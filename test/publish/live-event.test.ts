import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { markEverything } from '../../src/publish/mark-all.ts';
import { nothingPublished } from '../../src/publish/kind-publisher.ts';
import { tournamentPublisher } from '../../src/publish/publish-tournaments.ts';
import { publishBacklog } from '../../src/publish/publisher.ts';
import type { FeedRecord } from '../../src/record/feed/records.ts';
import { dayNumber } from '../../src/world/dates.ts';
import { eventSeries } from '../../src/world/one-event.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { eventually } from '../../harness/support/eventually.ts';
import { importLines } from '../../harness/support/feed.ts';
import { publishedRows } from '../../harness/support/published.ts';

// Follows one event from its first result to a correction after its end, with results that arrive while the
// publisher is working.

const database = await createTestDatabase();
const records = eventSeries({
  seed: 11,
  players: 24,
  format: 'swiss+knockout',
  rounds: 3,
  start: dayNumber('2025-05-03'),
}).map(({ record }) => record);
const isResult = (record: FeedRecord | undefined) => record?.kind === 'battle' && record.finished === true;
const firstResult = records.findIndex(isResult);
const lastResult = records.findLastIndex(isResult);
const [recorder, holder] = [await connect(), await connect()];

test('everything that was recorded while the publisher worked is published, and a rebuild writes nothing', async () => {
  await send(records.slice(0, firstResult));
  await publish();
  for (let at = firstResult; at <= lastResult; at += 1) {
    await send(records.slice(at, at + 1));
    if (isResult(records[at]) && isResult(records[at + 1])) {
      at += 1;
      await publishWhile(() => send(records.slice(at, at + 1)));
    } else await publish();
    // This is checked at once, because a later change of the whole event would hide the loss.
    await assertEveryResultIsPublished();
  }
  await assertNothingToRebuild();

  await send(records.slice(lastResult + 1));
  await publish();
  await assertNothingToRebuild();

  await send([correctionOf(records[firstResult])]);
  await publish();
  await assertNothingToRebuild();
});

test('a second publisher leaves alone what the first one works on, so that it writes nothing older', async () => {
  await send([correctionOf(records[firstResult + 1])]);
  await publishWhile(async () => {
    let isDone = false;
    const second = tournamentPublisher
      .publish(database.pool, [slugOf(records[firstResult])])
      .finally(() => (isDone = true));
    await eventually(async () => {
      if (!isDone) await assertWaiting(2);
    });
    assert.ok(isDone, 'it does not wait for the same table');
    assert.deepEqual(await second, nothingPublished());
  });
});

test('a bye that arrives alone reaches the row of its player', async () => {
  const event: FeedRecord = {
    kind: 'tournament',
    slug: 'odd-cup',
    published: true,
    name: 'Odd Cup',
    status: 'ongoing',
    battleSize: 2000,
    stages: [{ id: 'swiss', label: 'Swiss', type: 'board', rounds: 3 }],
    participants: [
      { id: 'p1', player: 'odd' },
      { id: 'p2', name: 'Even' },
    ],
  };
  await send([{ kind: 'player', id: 'odd', name: 'Odd' }, event]);
  await publish();
  await send([
    { kind: 'bye', tournament: 'odd-cup', stage: 'swiss', round: 1, participant: 'p1', win: true },
  ]);
  await publish();
  const { rows } = await holder.query("select path from published.player_tournament where player = 'odd'");
  assert.deepEqual(rows, [{ path: 'B' }]);
  await assertNothingToRebuild();
});

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  atEnd(() => client.end());
  return client;
}

async function send(sent: FeedRecord[]): Promise<void> {
  assert.deepEqual((await importLines(recorder, sent)).refusals, []);
}

async function publish(): Promise<void> {
  assert.deepEqual((await publishBacklog(database.pool)).failed, []);
}

/** Does the work after the publisher has read the marks and before it has written its documents. */
async function publishWhile(work: () => Promise<void>): Promise<void> {
  await holder.query('begin; lock table published.standings in access exclusive mode');
  const publishing = publish();
  try {
    await eventually(() => assertWaiting(1));
    await work();
  } finally {
    await holder.query('commit');
    await publishing;
  }
}

async function assertWaiting(publishers: number): Promise<void> {
  const { rowCount } = await holder.query(
    "select from pg_locks where relation = 'published.standings'::regclass and not granted",
  );
  assert.equal(rowCount, publishers);
}

async function assertEveryResultIsPublished(): Promise<void> {
  const { rows: marks } = await holder.query('select kind, key, part from record.mark');
  assert.deepEqual(marks, []);
  const { rows: counts } = await holder.query<{ recorded: number; published: number }>(`
    select (select count(*)::integer from record.battle where finished) as recorded,
      (select count(*)::integer from published.battle
        where document not like '%"outcome":null%') as published`);
  assert.notEqual(counts[0]?.recorded, 0);
  assert.equal(counts[0]?.published, counts[0]?.recorded);
}

async function assertNothingToRebuild(): Promise<void> {
  const before = await publishedRows(holder);
  await markEverything(database.pool);
  const rebuilt = await publishBacklog(database.pool);
  assert.deepEqual([rebuilt.rows, rebuilt.failed], [0, []]);
  assert.deepEqual(await publishedRows(holder), before);
}

function slugOf(result: FeedRecord | undefined): string {
  assert.ok(result?.kind === 'battle' && 'tournament' in result);
  return result.tournament ?? '';
}

/** Returns the result with the other side as the winner. */
function correctionOf(result: FeedRecord | undefined): FeedRecord {
  assert.ok(result?.kind === 'battle' && 'tournament' in result && result.sides?.length === 2);
  const [first, second] = result.sides;
  assert.ok(first && second && 'participant' in first && 'participant' in second);
  const loser = result.winner === first.participant ? second : first;
  return {
    ...result,
    winner: loser.participant,
    sides: [
      { ...first, battlePoints: second.battlePoints ?? null, victoryPoints: second.victoryPoints ?? null },
      { ...second, battlePoints: first.battlePoints ?? null, victoryPoints: first.victoryPoints ?? null },
    ],
  };
}
