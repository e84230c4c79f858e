import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from '@prometheus-io/client';
import type { Database } from '../database/databases.ts';
import type { Pool } from '../database/pool.ts';
import type { CountAnswer } from '../http/listener.ts';
import type { Backlog } from './backlog.ts';
import type { SourceState } from './sources.ts';
import type { Tasks } from './tasks.ts';
import { type WaitEnd, waitEnds } from '../read/admission.ts';

export interface Metrics {
  registry: Registry;
  countAnswer: CountAnswer;
  countWait: (ms: number, end: WaitEnd) => void;
  countLimited: (by: string) => void;
}

export interface MetricSources {
  documentReads: () => number;
  waitingReads: () => number;
  bytesInFlight: () => number;
  maxBytesInFlight: number;
  replicaFailures: () => number;
  answerCache: () => { hits: number; misses: number; bytes: number };
  keyQueries: () => number;
  isReady: () => Promise<boolean>;
  areReadsPossible: () => Promise<boolean>;
  isListening: () => boolean;
  noticedRevisions: () => number;
  backlog: () => Promise<Backlog>;
  sources: () => Promise<SourceState[]>;
  tasks: () => Promise<Tasks | undefined>;
  /** Lag in seconds, in the order of the replicas. */
  replicaLag: () => Promise<number[]>;
  /** The primary first, then the replicas. */
  databases: Pick<Database, 'isDown'>[];
  /** Undefined if the instances do not count together. */
  areLimitsShared: (() => boolean) | undefined;
  pools: { [name: string]: Pool };
}

/** A single number, or one for each set of labels. */
type Reading = number | [labels: Record<string, string>, value: number][];

/** A metric that asks its source whenever it is scraped. */
interface Asked {
  help: string;
  labels?: string[];
  /** Returns false if the metric does not apply. If absent, it always applies. */
  isThere?: (sources: MetricSources) => boolean;
  read: (sources: MetricSources) => Reading | Promise<Reading>;
}

/**
 * The metrics by name, without `wartable_`. Names that end in `_total` are counters, and all others are
 * gauges.
 */
const asked: Record<string, Asked> = {
  document_reads: {
    help: 'Document reads in progress, at most 10 per database. Further reads wait for a slot.',
    read: ({ documentReads }) => documentReads(),
  },
  waiting_reads: {
    help: 'Requests that are waiting for a slot to read.',
    read: ({ waitingReads }) => waitingReads(),
  },
  in_flight_bytes: {
    help: 'Bytes of answers that callers have not read yet. IN_FLIGHT_MB is the limit.',
    read: ({ bytesInFlight }) => bytesInFlight(),
  },
  in_flight_limit_bytes: {
    help: 'The limit for wartable_in_flight_bytes.',
    read: ({ maxBytesInFlight }) => maxBytesInFlight,
  },
  answers_total: {
    help: 'Answers by source: memory or database. database counts the callers that waited for a read, and many can wait for the same read.',
    labels: ['source'],
    read: ({ answerCache }) => {
      const { hits, misses } = answerCache();
      return [
        [{ source: 'memory' }, hits],
        [{ source: 'database' }, misses],
      ];
    },
  },
  answer_cache_bytes: {
    help: 'Memory used by cached answers. CACHE_MB is the limit.',
    read: ({ answerCache }) => answerCache().bytes,
  },
  replica_failures_total: {
    help: 'Reads that failed on a replica, so that the primary had to answer. The log has the reason.',
    read: ({ replicaFailures }) => replicaFailures(),
  },
  key_queries_total: {
    help: 'Key look-ups sent to a database.',
    read: ({ keyQueries }) => keyQueries(),
  },
  ready: {
    help: '1 while the server can verify keys and read documents, as /ready says.',
    read: async ({ isReady }) => Number(await isReady()),
  },
  reads_possible: {
    help: '1 while the primary or a replica answers document reads, even if there is only one database.',
    read: async ({ areReadsPossible }) => Number(await areReadsPossible()),
  },
  listening: {
    help: '1 while the process listens for notices from the primary.',
    read: ({ isListening }) => Number(isListening()),
  },
  revisions_heard_total: {
    help: 'Revisions that notices named, the same on every server. A notice that everything may have changed counts as one.',
    read: ({ noticedRevisions }) => noticedRevisions(),
  },
  replica_lag_seconds: {
    help: 'How far a replica is behind the primary. replica-1 is the first of READ_URLS. 0 when it has everything, NaN while it or the primary cannot be reached.',
    labels: ['database'],
    read: async ({ replicaLag }) =>
      (await replicaLag()).map((lag, i) => [{ database: databaseName(i + 1) }, lag]),
  },
  database_down: {
    help: '1 while a database does not answer and the server asks the others. Always 0 if there is only one database.',
    labels: ['database'],
    read: ({ databases }) =>
      databases.map(({ isDown }, i) => [{ database: databaseName(i) }, Number(isDown())]),
  },
  limits_shared: {
    help: '1 while Redis counts the requests of all instances together. Present only with REDIS_URL and RATE_LIMIT.',
    isThere: ({ areLimitsShared }) => areLimitsShared !== undefined,
    read: ({ areLimitsShared }) => Number(areLimitsShared?.()),
  },
  publishing_lag_seconds: {
    help: 'How long the oldest change has waited to be published, not counting rebuilds and stuck things. 0 when none is waiting, NaN while the primary cannot be reached.',
    read: async ({ backlog }) => (await backlog()).lagSeconds,
  },
  marks: {
    help: 'Marks of things that must be published, including rebuilds.',
    read: async ({ backlog }) => (await backlog()).marks,
  },
  stuck_things: {
    help: 'Things that cannot be published. `wartable doctor` shows the reasons.',
    read: async ({ backlog }) => (await backlog()).stuckThings,
  },
  waiting_changes: {
    help: 'Published changes that have not been listed for over 10 s for callers who follow changes. `wartable publish` lists them.',
    read: async ({ backlog }) => (await backlog()).waitingChanges,
  },
  task_timestamp_seconds: {
    help: 'When a nightly task last succeeded: backup, which is 0 if it never has, and files, which is absent if it never has.',
    labels: ['task'],
    read: async ({ tasks }) => {
      const known = await tasks();
      if (known === undefined) return [];
      const { backup, files } = known;
      return [
        [{ task: 'backup' }, backup ?? 0],
        ...(files === null ? [] : [[{ task: 'files' }, files] as [{ task: string }, number]]),
      ];
    },
  },
  source_last_sent_timestamp_seconds: {
    help: 'When a source of feeds last sent something, whether or not it changed anything. 0 if it never has.',
    labels: ['source'],
    read: async ({ sources }) => bySource(await sources(), ({ lastSentAt }) => lastSentAt ?? 0),
  },
  source_expected_seconds: {
    help: 'How long a source may be silent, as set with `wartable sources expect`.',
    labels: ['source'],
    read: async ({ sources }) => bySource(await sources(), ({ expectedSeconds }) => expectedSeconds),
  },
  source_refusing: {
    help: '1 from the time something from a source was refused until an import from that source ends without a refusal.',
    labels: ['source'],
    read: async ({ sources }) => bySource(await sources(), ({ isRefusing }) => Number(isRefusing)),
  },
  source_accepted_records_total: {
    help: 'Records from a source that were recorded or that changed nothing.',
    labels: ['source'],
    read: async ({ sources }) => bySource(await sources(), ({ accepted }) => Number(accepted)),
  },
  source_refused_records_total: {
    help: 'Lines from a source that were refused, and reports that it could not be imported.',
    labels: ['source'],
    read: async ({ sources }) => bySource(await sources(), ({ refused }) => Number(refused)),
  },
  pool_connections: {
    help: 'Database connections by pool and state. waiting counts requests that have none yet.',
    labels: ['pool', 'state'],
    read: ({ pools }) =>
      Object.entries(pools).flatMap(([pool, { totalCount, idleCount, waitingCount }]) => [
        [{ pool, state: 'busy' }, totalCount - idleCount],
        [{ pool, state: 'idle' }, idleCount],
        [{ pool, state: 'waiting' }, waitingCount],
      ]),
  },
};

/** Returns a series for each source that has this value. */
function bySource(sources: SourceState[], valueOf: (source: SourceState) => number | null): Reading {
  return sources.flatMap((source): [{ source: string }, number][] => {
    const value = valueOf(source);
    return value === null ? [] : [[{ source: source.name }, value]];
  });
}

export function createMetrics(sources: MetricSources): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  for (const [name, metric] of Object.entries(asked))
    if (metric.isThere?.(sources) !== false) ask(name, metric, sources, registry);

  const seconds = new Histogram({
    name: 'wartable_request_seconds',
    help: 'Time from the request to the last byte of its answer, by route and status.',
    labelNames: ['route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 3],
    registers,
  });
  const waits = new Histogram({
    name: 'wartable_read_wait_seconds',
    help: 'Time that requests waited for a slot to read, by outcome: served, late or full (both 503), gone (caller left).',
    labelNames: ['end'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1],
    registers,
  });
  const limited = new Counter({
    name: 'wartable_limited_total',
    help: 'Requests above a limit, by limit: key, account, or address (failed authentications).',
    labelNames: ['by'],
    registers,
  });
  // Series begin at zero, because a rate would miss the first event of a series that begins with it.
  for (const end of waitEnds) waits.zero({ end });
  for (const by of ['key', 'account', 'address']) limited.inc({ by }, 0);
  return {
    registry,
    countAnswer: (route, status, ms) => {
      seconds.observe({ route, status: String(status) }, ms / 1_000);
    },
    countLimited: (by) => limited.inc({ by }),
    countWait: (ms, end) => waits.observe({ end }, ms / 1_000),
  };
}

function ask(
  name: string,
  { help, labels = [], read }: Asked,
  sources: MetricSources,
  registry: Registry,
): void {
  const options = { name: `wartable_${name}`, help, labelNames: labels, registers: [registry] };
  const readings = async () => {
    const reading = await read(sources);
    return typeof reading === 'number' ? [[{}, reading] as const] : reading;
  };
  if (name.endsWith('_total')) {
    new Counter({
      ...options,
      async collect() {
        const all = await readings();
        this.reset();
        for (const [given, value] of all) this.inc(given, value);
      },
    });
  } else {
    new Gauge({
      ...options,
      async collect() {
        for (const [given, value] of await readings()) this.set(given, value);
      },
    });
  }
}

/** Returns a name for a database. Its address is never used, because it may contain a password. */
function databaseName(index: number): string {
  return index === 0 ? 'primary' : `replica-${index}`;
}
