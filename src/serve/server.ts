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
    ...timeouts,
  });
  const keysReplicas = options.readUrls.map((url) =>
    createPool(url, { applicationName: 'wartable-keys', size: 2, ...timeouts }),
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
    onLost: (error) => logger.warn({ err: error }, 'not listening for notices; trying again'),
  });

  const metrics = createMetrics({
    keyQueries: verifier.queries,
    isListening: listener.isListening,
    pools: { documents, keys: keysPrimary },
  });
  let draining = false;
  const api = createApi({ documents, verifier, lastUse, metrics, logger });
  const ops = createOps({
    metrics,
    notReady: async () => (draining ? 'draining' : whyDocumentsCannotBeRead(documents)),
  });
  await api.listen({ host: options.apiHost, port: options.apiPort });
  await ops.listen({ host: options.opsHost, port: options.opsPort });

  return {
    api,
    apiUrl: urlOf(api),
    opsUrl: urlOf(ops),
    close: async () => {
      draining = true;
      await sleep(options.drainSeconds * 1_000);
      await api.close();
      await lastUse.close();
      await listener.close();
      await ops.close();
      await Promise.all(pools.map((pool) => pool.end()));
    },
  };
}

const timeouts = { statementTimeoutMs: 2_000, queryTimeoutMs: 2_500 };

async function whyDocumentsCannotBeRead(documents: Pool): Promise<string | undefined> {
  try {
    await documents.query('select from published.club limit 1');
    return undefined;
  } catch (error) {
    const code = (error as { code?: string }).code;
    if (code === '42P01' || code === '3F000') return 'the database is not migrated: run `wartable migrate`';
    if (code === '42501') return 'this login may not read documents: grant it wartable_serve';
    return 'the database does not answer';
  }
}

function urlOf(app: FastifyInstance): string {
  const { address, port, family } = app.server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
