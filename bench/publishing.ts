import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Pool } from '../src/database/pool.ts';
import type { FeedRecord } from '../src/record/feed/records.ts';
import { dayNumber } from '../src/world/dates.ts';
import { eventSeries } from '../src/world/one-event.ts';
import { withDatabaseOf } from './beside-database.ts';
import type { Measurement } from './measurement.ts';
import { processorMs } from './processor.ts';
import type { PublishingAsked } from './publishing-child.ts';
import { ended } from '../harness/measure/serve-process.ts';
import { withWorld } from './world.ts';

/** The maximum processor time for publishing one result, relative to the other checkout. */
const most = 1.15;
/** The first results warm up the code and are not counted. */
const results = { warm: 40, counted: 40 };

/**
 * Publishes the results of a large round one by one, with another checkout (`--beside FOLDER`) and with this
 * one in turns, each on a database of its own. Counts the processor time of the publisher and of its
 * connections to PostgreSQL.
 */
export const publishing: Measurement = (options) =>
  withWorld({ ...options, battles: 100 }, async (world) => {
    const { beside } = options;
    assert.ok(beside, 'say which checkout to compare with: --beside FOLDER');
    const other = path.resolve(beside);
    return withDatabaseOf(other, world, 100, async (url) => {
      const lines: string[] = [];
      const failures: string[] = [];
      const figures: Record<string, number> = {};
      for (const [index, players] of [200, 1_000].entries()) {
        const sides = [
          await startPublisher(other, url, world.pool),
          await startPublisher('.', world.url, world.pool),
        ];
        try {
          const { before, round } = roundOf(players, 20 + index);
          for (const side of sides) {
            await side.record(before);
            await side.publish();
          }
          const costs: number[][] = sides.map(() => []);
          for (const [number, result] of round.entries()) {
            // The order alternates, so that neither is always the first.
            for (const at of number % 2 === 0 ? [0, 1] : [1, 0]) {
              await sides[at]?.record([result]);
              const cost = await sides[at]?.publish();
              if (number >= results.warm) costs[at]?.push(cost ?? 0);
            }
          }
          const [was = Number.NaN, is = Number.NaN] = costs.map(middleOf);
          const ratio = Number((is / was).toFixed(2));
          figures[players] = ratio;
          lines.push(
            `${players} players: ${ratio} (at most ${most}; ${was.toFixed(1)} ms and ${is.toFixed(1)} ms)`,
          );
          options.say(lines.at(-1) ?? '');
          if (ratio > most) failures.push(`a result among ${players} players costs ${ratio} of before`);
        } finally {
          for (const side of sides) await side.close();
        }
      }
      return { lines, figures, failures };
    });
  });

/** Returns a tournament in the middle of its fifth round of eight, and results of that round. */
function roundOf(players: number, seed: number): { before: string[]; round: string[] } {
  const records = eventSeries({
    seed,
    players,
    format: 'swiss',
    rounds: 8,
    start: dayNumber('2026-05-02'),
  }).map(({ record }) => record);
  const isOfRound = (record: FeedRecord) =>
    record.kind === 'battle' && 'round' in record && record.round === 5 && record.finished === true;
  const begin = records.findIndex(isOfRound);
  const round = records.filter(isOfRound);
  const told = Math.max(0, Math.floor(round.length / 2) - results.warm);
  const next = records.findIndex(
    (record) => record.kind === 'battle' && 'round' in record && record.round === 6,
  );
  const pairings = records.slice(begin, next).filter((record) => !isOfRound(record));
  const text = (some: FeedRecord[]) => some.map((record) => JSON.stringify(record));
  return {
    before: text([...records.slice(0, begin), ...pairings, ...round.slice(0, told)]),
    round: text(round.slice(told, told + results.warm + results.counted)),
  };
}

export interface Publisher {
  record: (lines: string[]) => Promise<void>;
  /** Publishes, and returns the processor time. */
  publish: () => Promise<number>;
  close: () => Promise<void>;
}

export async function startPublisher(
  folder: string,
  url: string,
  owner: Pool,
  name = 'wartable-bench-publishing',
): Promise<Publisher> {
  const child = fork(new URL('publishing-child.ts', import.meta.url), [folder], {
    env: { PATH: process.env['PATH'] ?? '', DATABASE_URL: url, BENCH_NAME: name },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  await answerOf(child);
  const ask = async (asked: PublishingAsked): Promise<void> => {
    child.send(asked);
    await answerOf(child);
  };
  const usedMs = async (): Promise<number> => {
    const { rows } = await owner.query<{ pid: number }>(
      `select pid from pg_stat_activity where application_name = $1 and datname = $2`,
      [name, new URL(url).pathname.slice(1)],
    );
    const pids = [child.pid ?? 0, ...rows.map(({ pid }) => pid)];
    const used = await Promise.all(pids.map(processorMs));
    return used.reduce((sum, ms) => sum + ms, 0);
  };
  return {
    record: (lines) => ask({ record: lines }),
    publish: async () => {
      const began = await usedMs();
      await ask('publish');
      return (await usedMs()) - began;
    },
    close: () => ended(child),
  };
}

async function answerOf(child: ChildProcess): Promise<void> {
  const isAnswered = new AbortController();
  const { signal } = isAnswered;
  const [answer] = (await Promise.race([
    once(child, 'message', { signal }),
    once(child, 'exit', { signal }),
  ])) as unknown[];
  isAnswered.abort();
  assert.ok(answer === 'ready' || answer === 'done', 'the publisher has ended');
}

const middleOf = (costs: number[]): number => {
  const sorted = costs.toSorted((a, b) => a - b);
  const middle = sorted.slice(sorted.length >> 2, sorted.length - (sorted.length >> 2));
  return middle.reduce((sum, cost) => sum + cost, 0) / middle.length;
};
