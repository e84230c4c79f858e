import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { machineLine, machineOf } from '../scripts/machine.ts';
import { startPostgres } from '../harness/support/postgres.ts';
import { today } from '../harness/evidence/evidence.ts';
import { createPool } from '../src/database/pool.ts';
import type { FeedRecord } from '../src/record/feed/records.ts';
import { dayNumber } from '../src/world/dates.ts';
import { eventSeries } from '../src/world/one-event.ts';
import type { Instance } from '../harness/install/instance.ts';
import { caddy, domain, nginx, type Ports } from '../harness/install/proxies.ts';
import { withTwoInstances } from '../harness/install/two-instances.ts';
import { withDatabase } from '../harness/proofs/proof.ts';
import { publishFeedOf } from '../harness/proofs/site-world.ts';
import type { Measurement } from './measurement.ts';
import { ended } from '../harness/measure/serve-process.ts';
import type { SpectatorOrder, SpectatorReport } from './spectators-child.ts';

/**
 * Measures what spectators of a running event of 1,000 players cost while nothing happens, and what they see
 * while a round ends within a minute: behind the nginx of deploy/, which keeps pages for two seconds, and
 * directly at two servers. Each is measured with every number of phones in `--phones`. Caddy with one server,
 * as in compose.yaml, gets the smallest number.
 */
export const spectators: Measurement = async ({ quick, phones, say }) => {
  const seconds = quick ? { quiet: 12, busy: 12 } : { quiet: 60, busy: 60 };
  const postgres = await startPostgres();
  try {
    return await withDatabase(postgres.url, async (url) => {
      const pool = createPool(url, { applicationName: 'wartable-bench', size: 4 });
      const { before, results } = roundOne();
      const settings = { DATABASE_URL: url };
      try {
        say('the event …');
        await publishFeedOf(url, pool, before);
        const { rows } = await pool.query<{ slug: string }>('select slug from published.tournament');
        const page = `/tournaments/${rows[0]?.slug ?? ''}`;
        const watch = async (
          instances: readonly Instance[],
          way: Way,
          forSeconds: number,
          count: number,
          meanwhile: () => Promise<number[]>,
          pages = [page],
        ): Promise<Cost> => {
          const child = fork(new URL('spectators-child.ts', import.meta.url));
          try {
            const used = await coresOf(instances);
            const reported = once(child, 'message');
            const order: SpectatorOrder = { ...way, pages, spectators: count, seconds: forSeconds };
            child.send(order);
            const revisions = await meanwhile();
            const [report] = (await reported) as [SpectatorReport];
            return costOf(report, (await coresOf(instances)) - used, count, revisions);
          } finally {
            await ended(child);
          }
        };
        const endRound = async (): Promise<number[]> => {
          const revisions: number[] = [];
          const endAt = performance.now() + seconds.busy * 1_000;
          for (const [index, result] of results.entries()) {
            const left = endAt - performance.now();
            if (left <= 0) break;
            await sleep(left / (results.length - index) / 2);
            await publishFeedOf(url, pool, [result]);
            const { rows: moved } = await pool.query<{ revision: string }>(
              'select revision from published.tournament',
            );
            revisions.push(Number(moved[0]?.revision));
          }
          return revisions;
        };
        const busy = async (
          instances: readonly Instance[],
          way: Way,
          count: number,
          pages?: string[],
        ): Promise<Cost> => {
          await publishFeedOf(url, pool, before);
          say(`a round ends, ${count} spectators, ${way.name} …`);
          return watch(instances, way, seconds.busy, count, endRound, pages);
        };
        const behind = (name: string, ports: Ports): Way => ({
          name,
          origins: [`https://127.0.0.1:${ports.https}`],
          host: domain,
        });
        const most = Math.max(...phones);
        const two = await withTwoInstances(nginx, settings, async (instances, _caller, ports) => {
          const through = behind('nginx', ports);
          const directly: Way = {
            name: 'directly',
            origins: [1, 2].map((number) => `http://127.0.10.${number}:${ports.site}`),
          };
          const sizes = { page: await sizeOf(directly.origins[0] ?? '', page) };
          say('quiet …');
          const quiet = await watch(instances, through, seconds.quiet, most, async () => []);
          const rounds: Rounds[] = [];
          for (const count of phones)
            rounds.push({
              throughNginx: await busy(instances, through, count),
              direct: await busy(instances, directly, count),
            });
          return { sizes, quiet, rounds, languages: await busy(instances, through, most, inLanguages(page)) };
        });
        // This is what compose.yaml starts.
        const lone = await withTwoInstances(caddy, settings, async ([first, second], _caller, ports) => {
          await second?.kill();
          return busy(first ? [first] : [], behind('Caddy and one server', ports), Math.min(...phones));
        });
        const figures = { machine: machineLine(await machineOf(pool)), ...two, lone };
        const lines = [
          figures.machine,
          `the page of 1,000 players: ${figures.sizes.page} bytes br (at most ${mostBytes})`,
          `quiet, behind nginx: ${costWords(figures.quiet)}`,
          ...figures.rounds.flatMap(({ throughNginx, direct }) => [
            `a round of 500 tables ends, behind nginx: ${costWords(throughNginx)}`,
            `a round of 500 tables ends, directly: ${costWords(direct)}`,
          ]),
          `the same behind nginx in six languages: ${costWords(figures.languages)}`,
          `a round of 500 tables ends, behind Caddy and one server: ${costWords(lone)}`,
        ];
        const failures = [
          ...(figures.sizes.page > mostBytes ? [`the page has more than ${mostBytes} bytes`] : []),
          ...(quick ? [] : figures.rounds.flatMap(misses)),
          ...(refusalsOf(lone) > 0 ? [`one server behind Caddy refused ${refusalsOf(lone)} requests`] : []),
        ];
        return { lines, figures, failures };
      } finally {
        await pool.end();
      }
    });
  } finally {
    await postgres.remove();
  }
};

/**
 * Distributes the spectators among languages: ten of twenty read the site's own language, and the others five
 * more.
 */
function inLanguages(page: string): string[] {
  const shares = { '': 10, '/de': 4, '/fr': 2, '/es': 2, '/it': 1, '/pl': 1 };
  return Object.entries(shares).flatMap(([language, share]) =>
    Array.from({ length: share }, () => `${language}${page}`),
  );
}

/** How phones reach the servers. */
interface Way {
  name: string;
  origins: string[];
  /** The name in the certificate, for https. */
  host?: string;
}

/** The end of a round as that many phones saw it. */
interface Rounds {
  throughNginx: Cost;
  direct: Cost;
}

export interface Crowds {
  quiet: Cost;
  rounds: Rounds[];
  languages: Cost;
  /** The end of a round behind Caddy with one server. */
  lone: Cost;
}

/**
 * The number of phones of which two servers must not refuse any without a caching proxy. With more, the
 * refusals are only reported.
 */
export const mostPhonesDirectly = 3_000;

/**
 * A page is fetched every ten seconds, so a result is seen after at most 12 s, and a phone fetches the page
 * 360 times per hour.
 */
const mostLag = 15;
const mostBytes = 15_000;
const mostKilobytes = 4_600;

/** Returns the bars that were missed. If the spectators themselves were too slow, the times mean nothing. */
function misses({ throughNginx, direct }: Rounds): string[] {
  const { spectators: count, isVoid, p99, lag, kilobytesAPhoneAndHour } = throughNginx;
  const where = `${count} phones behind nginx:`;
  return [
    ...(refusalsOf(throughNginx) > 0 ? [`${where} ${refusalsOf(throughNginx)} were refused`] : []),
    ...(isVoid ? [`${where} the spectators themselves were too slow`] : []),
    ...(p99 > 2_000 ? [`${where} 99 % of the answers took more than 2 s`] : []),
    ...(lag > mostLag ? [`${where} a result was on the page later than ${mostLag} s`] : []),
    ...(kilobytesAPhoneAndHour > mostKilobytes
      ? [`${where} ${kilobytesAPhoneAndHour} kB per phone and hour`]
      : []),
    ...(count <= mostPhonesDirectly && refusalsOf(direct) > 0
      ? [`${count} phones directly: ${refusalsOf(direct)} were refused`]
      : []),
  ];
}

/** Counts all answers that are neither the page nor "not changed". */
export function refusalsOf({ answers }: Cost): number {
  const others = Object.entries(answers).filter(([what]) => !/ (200|304)$/.test(what));
  return others.reduce((sum, [, count]) => sum + count, 0);
}

export interface Cost {
  spectators: number;
  answers: Record<string, number>;
  answersASecond: number;
  /** The percentage of one core that the servers used together. */
  processorPercent: number;
  megabitsASecond: number;
  kilobytesAPhoneAndHour: number;
  p99: number;
  /** The seconds until 99 % of the spectators saw a result. */
  lag: number;
  /** The load of the spectators themselves: how much of a core they used, and how late their timers were. */
  ownCore: number;
  ownDelay: number;
  isVoid: boolean;
}

function costOf(report: SpectatorReport, used: number, count: number, revisions: number[]): Cost {
  const { seconds, answers, bytes, p99, ownCore, ownDelay, seen } = report;
  const all = Object.values(answers).reduce((sum, each) => sum + each, 0);
  return {
    spectators: count,
    answers,
    answersASecond: Math.round(all / seconds),
    processorPercent: Math.round((100 * used) / seconds),
    megabitsASecond: Number(((bytes * 8) / seconds / 1e6).toFixed(1)),
    kilobytesAPhoneAndHour: Math.round(((bytes / count) * 3_600) / seconds / 1_000),
    p99,
    lag: lagOf(seen, revisions),
    ownCore: Number(ownCore.toFixed(2)),
    ownDelay,
    isVoid: ownCore > 0.9 || ownDelay > 250,
  };
}

/**
 * Returns how old the results were when spectators saw them (99 %). A revision is the time of its commit, in
 * microseconds.
 */
function lagOf(seen: SpectatorReport['seen'], revisions: readonly number[]): number {
  const lags = seen.flatMap(([before, after, at]) =>
    revisions.filter((each) => each > before && each <= after).map((each) => (at - each) / 1e6),
  );
  return Number((lags.toSorted((a, b) => a - b)[Math.floor(lags.length * 0.99)] ?? 0).toFixed(1));
}

function costWords(cost: Cost): string {
  const answers = Object.entries(cost.answers).map(([what, number]) => `${number} × ${what}`);
  const lag = cost.lag === 0 ? '' : `; a result on the page after ${cost.lag} s (99 %)`;
  return `${cost.spectators} spectators: ${answers.join(', ')}; ${cost.answersASecond} answers a second with ${cost.processorPercent} % of a core, ${cost.megabitsASecond} Mbit/s, ${cost.kilobytesAPhoneAndHour} kB per phone and hour, 99 % within ${cost.p99} ms${lag}; the spectators used ${cost.ownCore} of a core and were ${cost.ownDelay} ms late`;
}

/** Returns everything up to the pairings of round 1, then its results one by one. */
function roundOne(): { before: FeedRecord[]; results: FeedRecord[] } {
  const records = eventSeries({
    seed: 3,
    players: 1_000,
    format: 'swiss',
    rounds: 5,
    start: dayNumber(today()),
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

/** Returns the processor seconds of all servers. */
async function coresOf(instances: readonly Instance[]): Promise<number> {
  const texts = await Promise.all(instances.map((instance) => instance.metrics()));
  return texts.reduce(
    (sum, text) => sum + Number(/^process_cpu_seconds_total (\S+)$/m.exec(text)?.[1] ?? NaN),
    0,
  );
}
