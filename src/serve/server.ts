import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { createKeyChecks } from '../keys/key-checks.ts';
import { createApi } from '../api/listener.ts';
import { createCursors } from '../api/cursor.ts';
import { createBacklog } from './backlog.ts';
import { createSources } from './sources.ts';
import { createTasks } from './tasks.ts';
import { pageBasesOf } from '../read/page-address.ts';
import { createReading } from '../read/reading.ts';
import { createConnections } from '../http/connections.ts';
import { createPauseWatch } from '../http/pauses.ts';
import { loadLimits } from './load-limits.ts';
import { bind, closeServer, publicUrlOf, urlOf } from './listeners.ts';
import { answerLog } from './log.ts';
import { createMetrics } from './metrics.ts';
import { connectionsPerDatabase, openDatabases, poolsOf } from './open-databases.ts';
import { createOps } from './ops.ts';
import { areReadsPossible, createReadiness } from './readiness.ts';
import { createReplicaLag } from './replica-lag.ts';
import { atMostEvery } from './at-most-every.ts';
import { createSite } from '../site/site.ts';
import { apiStatements, siteStatements } from './statements.ts';

export interface ServerOptions extends Omit<
  Config,
  'adminUrl' | 'importSource' | 'reconnectSeconds' | 'logLevel'
> {
  /** The longest time for which a caller may stop reading an answer. Only tests set it. */
  longestPauseMs?: number;
  /** The clock for cursors and pages. Only tests set it. */
  now?: () => number;
  /**
   * The time limit for a request and for everything that it waits for. The usual limits are those of a public
   * server. Only the throwaway server of `wartable preview` and `wartable demo` sets it, because there one
   * person waits for a laptop.
   */
  patienceMs?: number;
  /** The time at which the pages are saved as files. Only `wartable preview --save` sets it. */
  savedAt?: Date;
}

export interface RunningServer {
  /**
   * The addresses to tell people: the bases of every `next` and `url`. The addresses below are those where
   * the server listens.
   */
  public: { apiUrl: string; siteUrl: string };
  apiUrl: string;
  siteUrl: string;
  opsUrl: string;
  /** The API's server itself, for tests that look at its connections. */
  api: Server;
  /** Returns undefined if the server is ready, and otherwise the reason that `/ready` reports. */
  notReady: () => Promise<string | undefined>;
  /**
   * Makes the server report that it is not ready, gives a load balancer the drain time to notice it, and then
   * finishes open requests.
   */
  close: () => Promise<void>;
}

/** Starts the listeners, even while a database is down. Readiness reports this until the database is back. */
export async function startServer(options: ServerOptions, logger: Logger): Promise<RunningServer> {
  const databases = openDatabases(options, logger);
  const [primary, ...replicas] = databases.of.documents;
  const limits = await loadLimits(options, (policy) => metrics.countLimited(policy), logger);
  const keys = createKeyChecks(databases.of.keys, logger);
  const reading = createReading({
    ...options,
    primary,
    replicas,
    connectionsPerDatabase,
    onWaited: (ms, end) => metrics.countWait(ms, end),
    onNotice: keys.onNotice,
    onListening: keys.onListening,
    logger,
  });
  const pauses = createPauseWatch(options.longestPauseMs);
  const connections = createConnections({ max: options.maxConnections, trustedProxies: options.trustProxy });
  const metrics = createMetrics({
    ...reading.sources,
    keyQueries: keys.verifier.queries,
    areReadsPossible: atMostEvery(() => areReadsPossible(databases.of.documents)),
    isReady: atMostEvery(async () => (await notReady()) === undefined),
    backlog: createBacklog(primary),
    sources: createSources(primary),
    tasks: createTasks(primary),
    replicaLag: createReplicaLag(primary, replicas),
    databases: databases.of.documents,
    areLimitsShared: options.redisUrl === undefined ? undefined : limits?.isShared,
    pools: poolsOf(databases),
  });
  let draining = false;
  const apiUrl = publicUrlOf(() => api, options.apiUrl);
  const siteUrl = options.siteUrl ?? `http://localhost:${options.sitePort}`;
  const pageBases = pageBasesOf(siteUrl, options);
  const common = {
    ...reading,
    pauses,
    patienceMs: options.patienceMs,
    connections,
    countAnswer: metrics.countAnswer,
    isDraining: () => draining,
    logger,
  };
  const api = createApi({
    ...common,
    cursors: createCursors(options.cursorSecrets, options.now),
    apiUrl,
    siteUrl,
    pageBases,
    playerPages: options.sitePages ? `${siteUrl}/players/` : undefined,
    ...keys,
    limits,
    logAnswer: answerLog(logger),
  });
  const whyNotReady = createReadiness({
    ...databases.of,
    statements: options.sitePages ? [...apiStatements, ...siteStatements] : apiStatements,
  });
  const notReady = async () => (draining ? 'draining' : whyNotReady());
  const ops = createOps({ ...common, metrics, notReady });
  let site: Server | undefined;
  const closeParts = async () => {
    await Promise.all([closeServer(api), closeServer(site)]);
    limits?.close();
    // Monitoring loses nothing if it is cut off.
    await Promise.all([closeServer(ops, 0), reading.close(), keys.lastUse.close()]);
    await databases.close();
  };
  try {
    await databases.open();
    await bind('api', options.apiHost, options.apiPort, api);
    site = createSite({
      settings: {
        siteUrl,
        siteName: options.siteName,
        pageBases,
        apiUrl: apiUrl(),
        contactUrl: options.contactUrl,
        termsUrl: options.termsUrl,
        dataUrl: options.dataUrl,
        trialKey: options.trialKey,
        hasPages: options.sitePages,
        hasEmbed: options.embed,
        hasGuests: options.guests,
        savedAt: options.savedAt,
        siteLanguage: options.siteLanguage,
      },
      ...common,
      now: options.now,
    });
    await bind('site', options.siteHost, options.sitePort, site);
    await bind('ops', options.opsHost, options.opsPort, ops);
  } catch (error) {
    // A port may be in use, for example. Half a server would look alive to a supervisor.
    await closeParts();
    throw error;
  }

  return {
    public: { apiUrl: apiUrl(), siteUrl },
    api,
    apiUrl: urlOf(api),
    siteUrl: urlOf(site),
    opsUrl: urlOf(ops),
    notReady,
    close: async () => {
      draining = true;
      await sleep(options.drainSeconds * 1_000);
      await closeParts();
    },
  };
}
