import { createPool, type Pool } from '../../src/database/pool.ts';
import { createKeyForAccount } from '../../src/keys/store.ts';
import { createLogger } from '../../src/serve/log.ts';
import { type RunningServer, type ServerOptions, startServer } from '../../src/serve/server.ts';
import { type AnswerOfTheApi, assertFitsTheContract } from '../support/fits-the-contract.ts';
import { onLoopback } from '../support/on-loopback.ts';
import { withDatabase } from './proof.ts';

export interface Serving {
  /** The address of the database. */
  url: string;
  apiUrl: string;
  siteUrl: string;
  opsUrl: string;
  key: string;
  pool: Pool;
  /** Asks for a target, and compares every answer with openapi.json. */
  get: (target: string) => Promise<AnswerOfTheApi>;
}

/** Starts a server on loopback that logs nothing. */
export function startProofServer(
  databaseUrl: string,
  more: Partial<ServerOptions> = {},
): Promise<RunningServer> {
  const cursorSecrets = ['a-secret-of-the-proofs-and-of-nobody-else'];
  return startServer(
    { databaseUrl, readUrls: [], ...onLoopback, cursorSecrets, ...more },
    createLogger('silent'),
  );
}

/** Lends a server with its own database. */
export async function withServing<T>(serverUrl: string, work: (serving: Serving) => Promise<T>): Promise<T> {
  return withDatabase(serverUrl, async (url) => {
    const pool = createPool(url, { applicationName: 'wartable-proof', size: 4 });
    const server = await startProofServer(url);
    try {
      const { key } = await createKeyForAccount(pool, 'proof');
      const get: Serving['get'] = async (target) => {
        const response = await fetch(`${server.apiUrl}${target}`, {
          headers: { authorization: `Bearer ${key}` },
        });
        const { status, headers } = response;
        const answer = {
          status,
          text: await response.text(),
          header: (name: string) => headers.get(name),
          headerNames: [...headers.keys()],
        };
        assertFitsTheContract(target, 'GET', answer);
        return answer;
      };
      return await work({
        url,
        apiUrl: server.apiUrl,
        siteUrl: server.siteUrl,
        opsUrl: server.opsUrl,
        key,
        pool,
        get,
      });
    } finally {
      await server.close();
      await pool.end();
    }
  });
}
