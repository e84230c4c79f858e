import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from '@prometheus-io/client';
import type { Database } from '../database/databases.ts';
import type { Pool } from '../database/pool.ts';
import type { CountAnswer } from '../http/front.ts';
import type { Backlog } from './backlog.ts';
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
  mostBytesInFlight: number;
  replicaFailures: () => number;
  answerCache: () => { hits: number; misses: number; bytes: number };
  keyQueries: () => number;
  isReady: () => Promise<boolean>;
  isListening: () => boolean;
  noticedRevisions: () => number;
  backlog: () => Promise<Backlog>;
  /** Seconds, in the order of the replicas. */
  replicaLag: () => Promise<number[]>;
  /** The primary first, then the replicas. */
  databases: Pick<Database, 'isDown'>[];
  /** Undefined when the instances do not count together. */
  areLimitsShared: (() => boolean) | undefined;
  pools: { [name: string]: Pool };
}

export function createMetrics(sources: MetricSources): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });

  const seconds = new Histogram({
    name: 'wartable_request_seconds',
    help: 'Time from the request to the last byte of its answer, by route and status.',
    labelNames: ['route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 3],
    registers,
  });
  new Gauge({
    name: 'wartable_document_reads',
    help: 'Reads of documents in progress; more wait for a place.',
    registers,
    collect() {
      this.set(sources.documentReads());
    },
  });
  new Gauge({
    name: 'wartable_waiting_reads',
    help: 'Requests that wait for a place to read.',
    registers,
    collect() {
      this.set(sources.waitingReads());
    },
  });
  new Gauge({
    name: 'wartable_in_flight_bytes',
    help: 'Bytes of answers that callers have not read yet; IN_FLIGHT_MB is the bound.',
    registers,
    collect() {
      this.set(sources.bytesInFlight());
    },
  });
  new Gauge({
    name: 'wartable_in_flight_limit_bytes',
    help: 'The bound of wartable_in_flight_bytes.',
    registers,
  }).set(sources.mostBytesInFlight);
  const waits = new Histogram({
    name: 'wartable_read_wait_seconds',
    help: 'Time that requests waited for a place to read, by end: served, late or full (both 503), gone (caller left).',
    labelNames: ['end'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1],
    registers,
  });
  // A series that begins with its first event has no rate for it.
  for (const end of waitEnds) waits.zero({ end });
  new Counter({
    name: 'wartable_answers_total',
    help: 'Answers by source: memory, or database. database counts the callers who waited for a read, and many can wait for one read.',
    labelNames: ['source'],
    registers,
    collect() {
      const { hits, misses } = sources.answerCache();
      this.reset();
      this.inc({ source: 'memory' }, hits);
      this.inc({ source: 'database' }, misses);
    },
  });
  new Gauge({
    name: 'wartable_answer_cache_bytes',
    help: 'Memory that kept answers use; CACHE_MB is the bound.',
    registers,
    collect() {
      this.set(sources.answerCache().bytes);
    },
  });
  new Counter({
    name: 'wartable_replica_failures_total',
    help: 'Reads of documents that failed on a replica.',
    registers,
    collect() {
      this.reset();
      this.inc(sources.replicaFailures());
    },
  });
  new Counter({
    name: 'wartable_key_queries_total',
    help: 'Key look-ups sent to a database.',
    registers,
    collect() {
      this.reset();
      this.inc(sources.keyQueries());
    },
  });
  new Gauge({
    name: 'wartable_ready',
    help: '1 while the server can verify keys and read documents, as /ready says.',
    registers,
    async collect() {
      this.set((await sources.isReady()) ? 1 : 0);
    },
  });
  new Gauge({
    name: 'wartable_listening',
    help: '1 while the process listens for notices from the primary.',
    registers,
    collect() {
      this.set(sources.isListening() ? 1 : 0);
    },
  });
  new Counter({
    name: 'wartable_revisions_heard_total',
    help: 'Revisions that notices named; a notice that everything may have moved counts as one.',
    registers,
    collect() {
      this.reset();
      this.inc(sources.noticedRevisions());
    },
  });
  new Gauge({
    name: 'wartable_replica_lag_seconds',
    help: 'How far a replica is behind the primary; 0 when it has everything, NaN while it or the primary is away.',
    labelNames: ['database'],
    registers,
    async collect() {
      const lags = await sources.replicaLag();
      for (const [i, lag] of lags.entries()) this.set({ database: databaseName(i + 1) }, lag);
    },
  });
  new Gauge({
    name: 'wartable_database_down',
    help: '1 while a database does not answer and the server asks the others.',
    labelNames: ['database'],
    registers,
    collect() {
      for (const [i, { isDown }] of sources.databases.entries())
        this.set({ database: databaseName(i) }, isDown() ? 1 : 0);
    },
  });
  const limited = new Counter({
    name: 'wartable_limited_total',
    help: 'Requests above a limit, by limit: key, account, or failed authentications of an address.',
    labelNames: ['by'],
    registers,
  });
  for (const by of ['key', 'account', 'address']) limited.inc({ by }, 0);
  const { areLimitsShared } = sources;
  if (areLimitsShared !== undefined) {
    new Gauge({
      name: 'wartable_limits_shared',
      help: '1 while Redis counts the requests of all instances together. Only with REDIS_URL and RATE_LIMIT.',
      registers,
      collect() {
        this.set(areLimitsShared() ? 1 : 0);
      },
    });
  }
  new Gauge({
    name: 'wartable_publishing_lag_seconds',
    help: 'How long the oldest change has waited to be published; 0 when none waits, NaN while the primary is away.',
    registers,
    async collect() {
      this.set((await sources.backlog()).lagSeconds);
    },
  });
  new Gauge({
    name: 'wartable_marks',
    help: 'Marks of things to publish, rebuilds included.',
    registers,
    async collect() {
      this.set((await sources.backlog()).marks);
    },
  });
  new Gauge({
    name: 'wartable_stuck_things',
    help: 'Things that cannot be published; `wartable doctor` gives the reasons.',
    registers,
    async collect() {
      this.set((await sources.backlog()).stuckThings);
    },
  });
  new Gauge({
    name: 'wartable_waiting_changes',
    help: 'Published changes that are not listed for over 10 s for callers who follow changes.',
    registers,
    async collect() {
      this.set((await sources.backlog()).waitingChanges);
    },
  });
  new Gauge({
    name: 'wartable_pool_connections',
    help: 'Database connections by pool and state; waiting counts requests without one.',
    labelNames: ['pool', 'state'],
    registers,
    collect() {
      for (const [pool, { totalCount, idleCount, waitingCount }] of Object.entries(sources.pools)) {
        this.set({ pool, state: 'busy' }, totalCount - idleCount);
        this.set({ pool, state: 'idle' }, idleCount);
        this.set({ pool, state: 'waiting' }, waitingCount);
      }
    },
  });

  return {
    registry,
    countAnswer: (route, status, ms) => {
      seconds.observe({ route, status: String(status) }, ms / 1_000);
    },
    countLimited: (by) => limited.inc({ by }),
    countWait: (ms, end) => waits.observe({ end }, ms / 1_000),
  };
}

/** Never its address: that may contain a password. */
function databaseName(index: number): string {
  return index === 0 ? 'primary' : `replica-${index}`;
}
