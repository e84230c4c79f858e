import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { listen } from '../database/listener.ts';
import { createDatabases } from '../database/databases.ts';
import { publishedChannel } from '../database/published-notice.ts';
import { createLastUse } from '../keys/last-use.ts';
import { keysChannel, parseNotice } from '../keys/notice.ts';
import { createKeyVerifier } from '../keys/verifier.ts';
import { createApi } from './api/app.ts';
import { createCursors } from './api/cursor.ts';
import { createBacklog } from './backlog.ts';
import { createAnswerCache } from './documents/answer-cache.ts';
import { createByteBudget } from './documents/byte-budget.ts';
import { createDocuments } from './documents/reader.ts';
import { createGate } from './documents/gate.ts';
import { createNewestRevisions } from './documents/newest-revisions.ts';
import { createPageCache } from './documents/page-cache.ts';
import { createConnections } from './http/connections.ts';
import { createProgressWatch } from './http/progress.ts';
import type { QueueOptions } from './http/queue.ts';
import { ListenError, type ListenerKey } from './listen-error.ts';
import { createMetrics } from './metrics.ts';
import { createOps } from './ops.ts';
import { createReadiness } from './readiness.ts';
import { createReplicaLag } from './replica-lag.ts';
import { seldom } from './seldom.ts';
import { createSite } from './site/site.ts';
import { apiStatements, siteStatements } from './statements.ts';

export interface ServerOptions {
  databaseUrl: string;
  readUrls: string[];
  apiHost: string;
  apiPort: number;
  /** The default is localhost with the port that the API listens on. */
  apiUrl?: string | undefined;
  siteHost: string;
  sitePort: number;
  /** Undefined: localhost, with the port of the site. */
  siteUrl?: string | undefined;
  /** Links of the operator, for the site. */
  termsUrl?: string | undefined;
  contactUrl?: string | undefined;
  sitePages: boolean;
  opsHost: string;
  opsPort: number;
  cursorSecrets: string[];
  cacheMegabytes: number;
  inFlightMegabytes: number;
  maxConnections: number;
  /** Addresses and subnets of proxies whose X-Forwarded-For we believe. */
  trustProxy: string[];
  /** Requests a minute for each key. Undefined: limits are switched off. */
  rateLimit?: number | undefined;
  /** Where all instances count together. */
  redisUrl?: string | undefined;
  /** How long a caller may stop reading an answer. Only tests set it. */
  longestPauseMs?: number;
  /** The clock of cursors. Only tests set it. */
  now?: () => number;
  drainSeconds: number;
}

export interface RunningServer {
  apiUrl: string;
  siteUrl: string;
  opsUrl: string;
  /** The API itself, for tests that look at its routes. */
  api: FastifyInstance;
  /** Requests wait for a read, and no large answer is in flight: those need the memory for themselves. */
  isCrowded: () => boolean;
  /** Undefined when ready, otherwise what `/ready` gives as the reason. */
  notReady: () => Promise<string | undefined>;
  /** Readiness turns false, a load balancer has the drain time to notice it, then open requests are finished. */
  close: () => Promise<void>;
}

/** Starts the listeners, also while a database is down: readiness reports it until the database is back. */
export async function startServer(options: ServerOptions, logger: Logger): Promise<RunningServer> {
  const cursors = createCursors(options.cursorSecrets, options.now);
  const databases = createDatabases({
    primaryUrl: options.databaseUrl,
    replicaUrls: options.readUrls,
    kinds: {
      documents: { applicationName: 'wartable', size: 10, ...timeouts },
      // Keys have their own connections, so that busy lists cannot block authentication.
      keys: { applicationName: 'wartable-keys', size: 4, ...keyTimeouts },
    },
    onChange: (database, answers) => {
      const name = database === 0 ? 'the primary' : `replica ${database}`;
      if (answers) logger.info(`${name} answers again`);
      else logger.warn(`${name} does not answer; asking the others until it does`);
    },
  });
  const [primary, ...replicas] = databases.of.documents;
  const [keysPrimary, ...keysReplicas] = databases.of.keys;

  const queue: QueueOptions = {
    mostWaiting: 1_000,
    longestWaitMs: 500,
    onWaited: (ms, end) => metrics.countWait(ms, end),
  };
  const gate = createGate({ ...queue, places: documentPlaces });
  const mostBytesInFlight = options.inFlightMegabytes * 1_024 * 1_024;
  const budget = createByteBudget({ ...queue, mostBytes: mostBytesInFlight });
  const waitingReads = () => gate.waiting() + budget.waiting();
  const progress = createProgressWatch(options.longestPauseMs);
  const connections = createConnections({
    most: options.maxConnections,
    trustedProxies: options.trustProxy,
  });
  const newestRevisions = createNewestRevisions();
  const cacheBytes = options.cacheMegabytes * 1_000_000;
  const documents = createDocuments({
    primary,
    replicas,
    newestRevisions,
    isListening: () => listener.isListening(),
    gate,
    logger,
  });
  const judging = {
    newestRevisions,
    isListening: () => listener.isListening(),
    heardAt: () => listener.heardAt(),
  };
  const answers = createAnswerCache({
    ...judging,
    mostBytes: cacheBytes * (options.sitePages ? 1 - shareOfPages : 1),
  });
  const pages = createPageCache({ ...judging, mostBytes: cacheBytes * shareOfPages });
  // A crawler needs no key. It must not be able to take all places from callers.
  const siteGate = createGate({
    places: documentPlaces / 4,
    mostWaiting: 100,
    longestWaitMs: 500,
    onWaited: queue.onWaited,
  });

  // Loaded only when needed: its packages need 30 MB.
  const limits =
    options.rateLimit === undefined
      ? undefined
      : (await import('./limits/limits.ts')).createLimits({
          rateLimit: options.rateLimit,
          redisUrl: options.redisUrl,
          trustedProxies: options.trustProxy,
          onRefused: (policy) => metrics.countLimited(policy),
          logger,
        });
  const verifier = createKeyVerifier({ primary: keysPrimary, replicas: keysReplicas });
  const lastUse = createLastUse(keysPrimary, (error) => {
    logger.warn({ err: error }, 'could not write the last use of keys; keeping it for the next time');
  });
  const listener = listen({
    url: options.databaseUrl,
    onNotice: {
      [keysChannel]: (payload) => {
        const notice = parseNotice(payload);
        if (notice === undefined) return;
        verifier.apply(notice);
        logger.info(notice, 'a notice about keys');
      },
      [publishedChannel]: (payload) => {
        if (!newestRevisions.apply(payload)) documents.distrustReplicas();
      },
    },
    onListening: () => {
      // After a failover the old connections may still lead to the old primary.
      primary.renew();
      keysPrimary.renew();
      verifier.distrust();
      newestRevisions.restart();
      documents.distrustReplicas();
      logger.info('listening for notices');
    },
    onLost: (error) => logger.warn({ err: error }, 'not listening for notices; trying again until it works'),
  });

  const metrics = createMetrics({
    documentReads: gate.inside,
    waitingReads,
    bytesInFlight: budget.used,
    mostBytesInFlight,
    replicaFailures: documents.replicaFailures,
    answerCache: answers.counts,
    keyQueries: verifier.queries,
    isReady: seldom(async () => (await notReady()) === undefined),
    isListening: listener.isListening,
    revisionsHeard: newestRevisions.count,
    backlog: createBacklog(primary),
    replicaLag: createReplicaLag(primary, replicas),
    databases: databases.of.documents,
    areLimitsShared: options.redisUrl === undefined ? undefined : limits?.isShared,
    pools: {
      documents: primary.pool,
      keys: keysPrimary.pool,
      ...Object.fromEntries(replicas.map(({ pool }, i) => [`documents-replica-${i + 1}`, pool])),
      ...Object.fromEntries(keysReplicas.map(({ pool }, i) => [`keys-replica-${i + 1}`, pool])),
    },
  });
  let draining = false;
  let publicUrl = options.apiUrl;
  // Every answer needs it, and the port costs a call of the system.
  const apiUrl = () => (publicUrl ??= `http://localhost:${portOf(api)}`);
  const siteUrl = options.siteUrl ?? `http://localhost:${options.sitePort}`;
  const api = createApi({
    documents,
    answers,
    budget,
    progress,
    connections,
    cursors,
    apiUrl,
    siteUrl,
    verifier,
    limits,
    lastUse,
    metrics,
    logger,
    isDraining: () => draining,
    waitingReads,
    isFullFor: (keyId) => gate.isFull(keyId) || budget.isFullFor(keyId),
  });
  const whyNotReady = createReadiness({
    ...databases.of,
    statements: options.sitePages ? [...apiStatements, ...siteStatements] : apiStatements,
  });
  const notReady = async () => (draining ? 'draining' : whyNotReady());
  const ops = createOps({ metrics, notReady });
  let site: FastifyInstance | undefined;
  const closeParts = async () => {
    documents.close();
    limits?.close();
    await Promise.all([site?.close(), ops.close(), listener.close(), lastUse.close()]);
    await databases.close();
  };
  try {
    await bind('api', api, options.apiHost, options.apiPort);
    site = await createSite({
      settings: {
        siteUrl,
        apiUrl: apiUrl(),
        contactUrl: options.contactUrl,
        termsUrl: options.termsUrl,
        hasPages: options.sitePages,
      },
      documents,
      newestRevisions,
      pages,
      gate: siteGate,
      budget,
      progress,
      connections,
      metrics,
      logger,
    });
    await bind('site', site, options.siteHost, options.sitePort);
    await bind('ops', ops, options.opsHost, options.opsPort);
  } catch (error) {
    // For example a port in use. Half a server would look alive to a supervisor.
    await api.close();
    await closeParts();
    throw error;
  }

  return {
    api,
    apiUrl: urlOf(api),
    siteUrl: urlOf(site),
    opsUrl: urlOf(ops),
    isCrowded: () => waitingReads() > 0 && !budget.hasLarge(),
    notReady,
    close: async () => {
      draining = true;
      await sleep(options.drainSeconds * 1_000);
      await closeApi(api);
      await closeParts();
    },
  };
}

async function bind(listener: ListenerKey, app: FastifyInstance, host: string, port: number): Promise<void> {
  try {
    await app.listen({ host, port, backlog: mostUnaccepted });
  } catch (error) {
    throw new ListenError(listener, host, port, error as NodeJS.ErrnoException);
  }
}

/**
 * Connections that the kernel holds for a busy process. Node's default is 511. The kernel drops what is beyond, and the caller
 * tries again only after 1 s, then 2 s, then 4 s.
 */
const mostUnaccepted = 4_096;
const documentPlaces = 64;
/** Of the memory for answers. */
const shareOfPages = 0.25;
const lastAnswersMs = 5_000;

/** Stops listening, waits for open requests, and cuts those that are still open after `lastAnswersMs`. */
async function closeApi(api: FastifyInstance): Promise<void> {
  const closed = api.close();
  // A connection whose last answer was sent before draining began becomes idle only later.
  const idle = setInterval(() => api.server.closeIdleConnections(), 50);
  const cut = setTimeout(() => api.server.closeAllConnections(), lastAnswersMs);
  await closed;
  clearInterval(idle);
  clearTimeout(cut);
}

/** Short, because the look-up of a key comes first: asking all databases must fit into a request's deadline. */
const keyTimeouts = { statementTimeoutMs: 800, queryTimeoutMs: 1_000 };
const timeouts = { statementTimeoutMs: 2_000, queryTimeoutMs: 2_500 };

function portOf(app: FastifyInstance): number {
  return (app.server.address() as AddressInfo).port;
}

function urlOf(app: FastifyInstance): string {
  const { address, port, family } = app.server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
