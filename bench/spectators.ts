import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { machineLine, machineOf } from '../scripts/machine.ts';
import { startPostgres } from '../scripts/postgres.ts';
import { createPool } from '../src/database/pool.ts';
import type { FeedRecord } from '../src/record/feed/records.ts';
import { dayOf } from '../src/world/dates.ts';
import { eventSeries } from '../src/world/one-event.ts';
import { withDatabase } from '../test/proofs/proof.ts';
import { publishFeedOf } from '../test/proofs/site-world.ts';
import type { Measurement } from './measurement.ts';
import { ended, startServe } from './serve-process.ts';
import type { SpectatorOrder, SpectatorReport } from './spectators-child.ts';

/** What spectators of a running event of 1,000 players cost: while nothing happens, and while a round ends. */
export const spectators: Measurement = async ({ quick, say }) => {
  const count = quick ? 200 : 10_000;
  const seconds = quick ? { quiet: 12, busy: 12 } : { quiet: 60, busy: 120 };
  const postgres = await startPostgres();
  try {
    return await withDatabase(postgres.url, async (url) => {
      const pool = createPool(url, { applicationName: 'wartable-bench', size: 4 });
      const { before, results } = roundOne();
      say('the event …');
      await publishFeedOf(url, pool, before);
      const { rows } = await pool.query<{ slug: string }>('select slug from published.tournament');
      const page = `/tournaments/${rows[0]?.slug ?? ''}`;
      const server = await startServe(url);
      const watch = async (forSeconds: number, meanwhile: () => Promise<void>) => {
        const child = fork(new URL('spectators-child.ts', import.meta.url));
        try {
          const used = await processorSeconds(server.pid);
          const reported = once(child, 'message');
          const order: SpectatorOrder = {
            origin: server.siteOrigin,
            page,
            spectators: count,
            seconds: forSeconds,
          };
          child.send(order);
          await meanwhile();
          const [report] = (await reported) as [SpectatorReport];
          return costOf(report, (await processorSeconds(server.pid)) - used, count);
        } finally {
          await ended(child);
        }
      };
      try {
        const sizes = {
          page: await sizeOf(server.siteOrigin, page),
          fragment: await sizeOf(server.siteOrigin, `${page}/now`),
        };
        say('quiet …');
        const quiet = await watch(seconds.quiet, async () => {});
        say('a round ends …');
        const busy = await watch(seconds.busy, async () => {
          const endAt = performance.now() + seconds.busy * 1_000;
          for (const [index, result] of results.entries()) {
            const left = endAt - performance.now();
            if (left <= 0) break;
            await sleep(left / (results.length - index) / 2);
            await publishFeedOf(url, pool, [result]);
          }
        });
        const machine = machineLine(await machineOf(pool));
        const figures = { machine, spectators: count, sizes, quiet, busy };
        const lines = [
          machine,
          `the page of 1,000 players: ${sizes.page} bytes br (at most 60,000); the fragment: ${sizes.fragment} (at most 4,000)`,
          ...Object.entries({ quiet, 'a round of 500 tables ends': busy }).map(
            ([name, cost]) => `${count} spectators, ${name}: ${costWords(cost)}`,
          ),
        ];
        const failures = [
          ...(sizes.page > 60_000 ? ['the page has more than 60 kB'] : []),
          ...(sizes.fragment > 4_000 ? ['the fragment has more than 4 kB'] : []),
          ...[quiet, busy].flatMap(({ answers }) =>
            Object.keys(answers).filter((each) => !/ (200|304)$/.test(each)),
          ),
        ];
        return { lines, figures, failures };
      } finally {
        await server.close();
        await pool.end();
      }
    });
  } finally {
    await postgres.remove();
  }
};

export interface Cost {
  answers: Record<string, number>;
  answersASecond: number;
  /** Of one core of the server. */
  processorPercent: number;
  megabitsASecond: number;
  kilobytesAPhoneAndHour: number;
  p99: number;
}

function costOf({ seconds, answers, bytes, p99 }: SpectatorReport, used: number, count: number): Cost {
  const all = Object.values(answers).reduce((sum, each) => sum + each, 0);
  return {
    answers,
    answersASecond: Math.round(all / seconds),
    processorPercent: Math.round((100 * used) / seconds),
    megabitsASecond: Number(((bytes * 8) / seconds / 1e6).toFixed(1)),
    kilobytesAPhoneAndHour: Math.round(((bytes / count) * 3_600) / seconds / 1_000),
    p99,
  };
}

export function costWords(cost: Cost): string {
  const answers = Object.entries(cost.answers).map(([what, number]) => `${number} × ${what}`);
  return `${answers.join(', ')}; ${cost.answersASecond} answers a second with ${cost.processorPercent} % of a core, ${cost.megabitsASecond} Mbit/s, ${cost.kilobytesAPhoneAndHour} kB per phone and hour, 99 % within ${cost.p99} ms`;
}

/** Everything up to the pairings of round 1, then its results one by one. */
function roundOne(): { before: FeedRecord[]; results: FeedRecord[] } {
  const records = eventSeries({
    seed: 3,
    players: 1_000,
    format: 'swiss',
    rounds: 5,
    start: dayOf('2026-06-27'),
  }).map(({ record }) => record);
  const isResult = (record: FeedRecord) => record.kind === 'battle' && record.finished === true;
  const begin = records.findIndex(isResult);
  const next = records.findIndex(
    (record) => record.kind === 'battle' && 'round' in record && record.round === 2,
  );
  const round = records.slice(begin, next);
  return {
    before: [...records.slice(0, begin), ...round.filter((record) => !isResult(record))],
    results: round.filter(isResult),
  };
}

async function sizeOf(origin: string, path: string): Promise<number> {
  const answer = await fetch(`${origin}${path}`, { headers: { 'accept-encoding': 'br' } });
  await answer.arrayBuffer();
  return Number(answer.headers.get('content-length'));
}

/** In user and system mode. The clock of Linux has 100 ticks a second. */
async function processorSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
