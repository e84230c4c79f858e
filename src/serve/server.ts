import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { listen } from '../database/listener.ts';
import { createPool, type Pool } from '../database/pool.ts';
import { createLastUse } from '../keys/last-use.ts';
import { keysChannel, parseNotice } from '../keys/notice.ts';
import { createKeyVerifier } from '../keys/verifier.ts';
import { createApi } from './app.ts';
import { createGate } from './gate.ts';
import { createMetrics } from './metrics.ts';
import { createOps } from './ops.ts';

export interface ServerOptions {
  databaseUrl: string;
  readUrls: string[];
  apiHost: string;
  apiPort: number;
  opsHost: string;
  opsPort: number;
  drainSeconds: number;
}

export interface RunningServer {
  apiUrl: string;
  opsUrl: string;
  /** The API itself, for tests that look at its routes. */
  api: FastifyInstance;
  /** Readiness turns false, a load balancer has the drain time to notice, then what is under way is finished. */
  close: () => Promise<void>;
}

/** Starts both listeners. A database that is down is no reason not to start: readiness says so until it is back. */
export async function startServer(options: ServerOptions, logger: Logger): Promise<RunningServer> {
  const documents = createPool(options.databaseUrl, { applicationName: 'wartable', size: 10, ...timeouts });
  // Keys have connections of their own, so that busy lists cannot keep callers from being recognised.
  const keysPrimary = createPool(options.databaseUrl, {
    applicationName: 'wartable-keys',
    size: 4,
    ...keyTimeouts,
  });
  const keysReplicas = options.readUrls.map((url) =>
    createPool(url, { applicationName: 'wartable-keys', size: 2, ...keyTimeouts }),
  );
  const pools = [documents, keysPrimary, ...keysReplicas];

  const verifier = createKeyVerifier({ primary: keysPrimary, replicas: keysReplicas });
  const lastUse = createLastUse(keysPrimary, (error) => {
    logger.warn({ err: error }, 'the last use of keys could not be noted; it is kept for the next time');
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
    },
    onListening: () => {
      verifier.distrust();
      logger.info('listening for notices');
    },
    onLost: (error) => logger.warn({ err: error }, 'not listening for notices; trying until it works'),
  });

  const gate = createGate(mostDocumentReads);
  const metrics = createMetrics({
    documentReads: gate.inside,
    keyQueries: verifier.queries,
    isListening: listener.isListening,
    pools: {
      documents,
      keys: keysPrimary,
      ...Object.fromEntries(keysReplicas.map((pool, i) => [`keys-replica-${i + 1}`, pool])),
    },
  });
  let draining = false;
  const api = createApi({
    documents,
    gate,
    verifier,
    lastUse,
    metrics,
    logger,
    isDraining: () => draining,
  });
  const ops = createOps({
    metrics,
    notReady: async () => (draining ? 'draining' : whyDocumentsCannotBeRead(documents)),
  });
  const closeParts = async () => {
    await Promise.all([ops.close(), listener.close(), lastUse.close()]);
    await Promise.all(pools.map((pool) => pool.end()));
  };
  try {
    await api.listen({ host: options.apiHost, port: options.apiPort });
    await ops.listen({ host: options.opsHost, port: options.opsPort });
  } catch (error) {
    // A port that is taken: half a server would look alive to a supervisor.
    await api.close();
    await closeParts();
    throw error;
  }

  return {
    api,
    apiUrl: urlOf(api),
    opsUrl: urlOf(ops),
    close: async () => {
      draining = true;
      await sleep(options.drainSeconds * 1_000);
      await closeApi(api);
      await closeParts();
    },
  };
}

const mostDocumentReads = 64;
const lastAnswersMs = 5_000;

/** Stops listening, lets what is under way finish, and cuts what still is not after a while. */
async function closeApi(api: FastifyInstance): Promise<void> {
  const closed = api.close();
  // A connection whose last answer went out before draining began is idle only now.
  const idle = setInterval(() => api.server.closeIdleConnections(), 50);
  const cut = setTimeout(() => api.server.closeAllConnections(), lastAnswersMs);
  await closed;
  clearInterval(idle);
  clearTimeout(cut);
}

/** Of the look-up of a key, which comes before everything else: all databases must fit into a request's deadline. */
const keyTimeouts = { statementTimeoutMs: 800, queryTimeoutMs: 1_000 };
const timeouts = { statementTimeoutMs: 2_000, queryTimeoutMs: 2_500 };

async function whyDocumentsCannotBeRead(documents: Pool): Promise<string | undefined> {
  try {
    await documents.query('select from published.club limit 1');
    return undefined;
  } catch (error) {
    const code = (error as { code?: string }).code;
    if (code === '42P01' || code === '3F000') return 'the database is not migrated: run `wartable migrate`';
    if (code === '42501') return 'this login may not read documents: grant it wartable_serve';
    if (code === '3D000') return 'there is no such database: look at DATABASE_URL';
    if (code?.startsWith('28')) return 'the database refuses this login: look at DATABASE_URL';
    return 'the database does not answer';
  }
}

function urlOf(app: FastifyInstance): string {
  const { address, port, family } = app.server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
