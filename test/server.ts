import { Writable } from 'node:stream';
import { atEnd } from './at-end.ts';
import { createKeyForAccount, type NewKey } from '../src/keys/store.ts';
import { createLogger } from '../src/serve/log.ts';
import { type RunningServer, type ServerOptions, startServer } from '../src/serve/server.ts';
import type { TestDatabase } from './database.ts';
import { assertFitsTheContract } from './fits-the-contract.ts';

export interface TestServer extends RunningServer {
  /** Everything logged so far. */
  log: () => string;
  /** Every answer is held against openapi.json. */
  get: (path: string, headers?: Record<string, string>) => Promise<Answer>;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  json: unknown;
}

export const testCursorSecret = 'a-secret-of-the-tests-and-of-nobody-else';

/** A real server on loopback, logged in as an operator's serving login would be; closed when the test file ends. */
export async function startTestServer(
  databaseUrl: string,
  options: Partial<ServerOptions> = {},
): Promise<TestServer> {
  let log = '';
  const sink = new Writable({
    write(chunk, _encoding, done) {
      log += String(chunk);
      done();
    },
  });
  const server = await startServer(
    {
      databaseUrl,
      readUrls: [],
      apiHost: '127.0.0.1',
      apiPort: 0,
      siteHost: '127.0.0.1',
      sitePort: 0,
      opsHost: '127.0.0.1',
      opsPort: 0,
      cursorSecrets: [testCursorSecret],
      drainSeconds: 0,
      ...options,
    },
    createLogger('debug', sink),
  );
  let closed = false;
  const close = async () => {
    if (closed) return;
    closed = true;
    await server.close();
  };
  atEnd(close);
  return {
    ...server,
    close,
    log: () => log,
    get: async (path, headers = {}) => {
      const answer = await get(`${server.apiUrl}${path}`, headers);
      assertFitsTheContract(path, 'GET', { ...answer, header: (name) => answer.headers.get(name) });
      return answer;
    },
  };
}

export async function get(url: string, headers: Record<string, string> = {}): Promise<Answer> {
  const response = await fetch(url, { headers });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: text === '' ? undefined : JSON.parse(text),
  };
}

export function bearer(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}` };
}

export async function createTestKey(database: TestDatabase, account = 'test'): Promise<NewKey> {
  return createKeyForAccount(database.pool, account);
}

/** Tries until it holds, and fails with the last error after the given time. */
export async function eventually(withinMs: number, check: () => Promise<void> | void): Promise<void> {
  const giveUpAt = Date.now() + withinMs;
  for (;;) {
    try {
      await check();
      return;
    } catch (error) {
      if (Date.now() > giveUpAt) throw error;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }
}
