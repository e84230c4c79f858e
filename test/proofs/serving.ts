import { createPool, type Pool } from '../../src/database/pool.ts';
import { createKeyForAccount } from '../../src/keys/store.ts';
import { createLogger } from '../../src/serve/log.ts';
import { type RunningServer, startServer } from '../../src/serve/server.ts';
import { assertFitsTheContract } from '../fits-the-contract.ts';
import { publishWorld, type Rows, type WorldSize } from '../published-world.ts';
import { withDatabase } from './proof.ts';

export interface Serving {
  apiUrl: string;
  key: string;
  pool: Pool;
  world: Rows;
  /** Every answer is held against openapi.json. */
  get: (target: string, headers?: Record<string, string>) => Promise<{ status: number; text: string }>;
}

/** A silent server on loopback. */
export function startProofServer(databaseUrl: string): Promise<RunningServer> {
  return startServer(
    {
      databaseUrl,
      readUrls: [],
      apiHost: '127.0.0.1',
      apiPort: 0,
      siteHost: '127.0.0.1',
      sitePort: 0,
      opsHost: '127.0.0.1',
      opsPort: 0,
      cursorSecrets: ['a-secret-of-the-proofs-and-of-nobody-else'],
      drainSeconds: 0,
    },
    createLogger('silent'),
  );
}

/** Lends a server over a database of its own with a published world in it. */
export async function withServing<T>(
  serverUrl: string,
  size: Partial<WorldSize>,
  work: (serving: Serving) => Promise<T>,
): Promise<T> {
  return withDatabase(serverUrl, async (url) => {
    const pool = createPool(url, { applicationName: 'wartable-proof', size: 4 });
    const server = await startProofServer(url);
    try {
      const world = await publishWorld(pool, size);
      const { key } = await createKeyForAccount(pool, 'proof');
      const get: Serving['get'] = async (target, headers = {}) => {
        const response = await fetch(`${server.apiUrl}${target}`, {
          headers: { authorization: `Bearer ${key}`, ...headers },
        });
        const text = await response.text();
        const { status } = response;
        assertFitsTheContract(target, 'GET', { status, text, header: (name) => response.headers.get(name) });
        return { status, text };
      };
      return await work({ apiUrl: server.apiUrl, key, pool, world, get });
    } finally {
      await server.close();
      await pool.end();
    }
  });
}
