import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from '../src/database/pool.ts';
import { stream } from '../src/world/chance/random.ts';
import { dayNumber } from '../src/world/dates.ts';
import { eventSeries } from '../src/world/one-event.ts';
import type { Measurement } from './measurement.ts';
import { type Publisher, startPublisher } from './publishing.ts';
import { withWorld } from './world.ts';

const recorders = 2;
/** The number of results that the halls of a weekend may send within a few milliseconds. */
const resultsAtOnce = 10;
const name = 'wartable-bench-publishers';

/**
 * Publishes the results of many events with one, two and four publishers, while the results are recorded in
 * random order. Samples how much of the time of their transactions the publishers spend waiting for
 * locks of each other.
 */
export const publishers: Measurement = (options) =>
  withWorld({ ...options, battles: 1_000 }, async ({ url, pool }) => {
    const events = options.quick ? 10 : 150;
    const random = stream(1, 'publishers');
    const figures: Record<string, { waiting: number; resultsPerSecond: number }> = {};
    const recording = await Promise.all(
      Array.from({ length: recorders }, () => startPublisher('.', url, pool, `${name}-recorder`)),
    );
    try {
      for (const count of [1, 2, 4]) {
        const { before, results } = roundsOf(events, 1_000 * count);
        await recording[0]?.record(before);
        await recording[0]?.publish();
        const shuffled = results
          .map((result) => ({ result, order: random.below(1e9) }))
          .toSorted((a, b) => a.order - b.order)
          .map(({ result }) => result);
        const publishing = await Promise.all(
          Array.from({ length: count }, () => startPublisher('.', url, pool, name)),
        );
        try {
          const began = performance.now();
          const waiting = await waitsWhile(pool, run(recording, publishing, shuffled));
          const resultsPerSecond = Math.round((1_000 * shuffled.length) / (performance.now() - began));
          figures[count] = { waiting, resultsPerSecond };
          options.say(`${count} publishers: ${waiting} of their time waiting, ${resultsPerSecond} results/s`);
        } finally {
          for (const each of publishing) await each.close();
        }
      }
    } finally {
      for (const each of recording) await each.close();
    }
    const lines = Object.entries(figures).map(
      ([count, { waiting, resultsPerSecond }]) =>
        `${count} publishers: ${(100 * waiting).toFixed(1)} % of the time in transactions waiting for locks, ${resultsPerSecond} results per second`,
    );
    return { lines, figures, failures: [] };
  });

/** Returns events of 24 players up to the pairings of their third round, and the results of that round. */
function roundsOf(events: number, seed: number): { before: string[]; results: string[] } {
  const before: string[] = [];
  const results: string[] = [];
  for (let event = 0; event < events; event += 1) {
    const records = eventSeries({
      seed: seed + event,
      players: 24,
      format: 'swiss',
      rounds: 5,
      start: dayNumber('2026-05-02'),
    }).map((each) => each.record);
    const isOf = (round: number) => (record: (typeof records)[number]) =>
      record.kind === 'battle' && 'round' in record && record.round === round;
    const end = records.findIndex(isOf(4));
    for (const record of records.slice(0, end)) {
      const isResult = isOf(3)(record) && 'finished' in record && record.finished;
      (isResult ? results : before).push(JSON.stringify(record));
    }
  }
  return { before, results };
}

/** Records the results a few at a time, and publishes until all are published. */
async function run(recording: Publisher[], publishing: Publisher[], results: string[]): Promise<void> {
  const left = results.values();
  const state = { isRecording: true };
  const record = async (each: Publisher): Promise<void> => {
    for (;;) {
      const some = left.take(resultsAtOnce).toArray();
      if (some.length === 0) return;
      await each.record(some);
    }
  };
  const publish = async (each: Publisher): Promise<void> => {
    while (state.isRecording) await each.publish();
    await each.publish();
  };
  const published = publishing.map(publish);
  await Promise.all(recording.map(record));
  state.isRecording = false;
  await Promise.all(published);
}

/** Returns the share of the publishers' time in transactions that they spend waiting for locks. */
async function waitsWhile(pool: Pool, work: Promise<void>): Promise<number> {
  const ended = work.then(() => 'ended' as const);
  let [waiting, all] = [0, 0];
  while ((await Promise.race([ended, sleep(5)])) !== 'ended') {
    const { rows } = await pool.query<{ waiting: number; all: number }>(
      `select count(*) filter (where wait_event_type = 'Lock')::integer as waiting, count(*)::integer as all
       from pg_stat_activity where application_name = $1 and state <> 'idle'`,
      [name],
    );
    waiting += rows[0]?.waiting ?? 0;
    all += rows[0]?.all ?? 0;
  }
  assert.ok(all > 50, `only ${all} samples of a publisher in a transaction`);
  return Number((waiting / all).toFixed(3));
}
