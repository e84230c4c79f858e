import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import pg from 'pg';
import { atEnd } from './at-end.ts';
import type { Pool } from '../../src/database/pool.ts';
import { createKey, keyDigest } from '../../src/keys/key.ts';
import { createKeyForAccount, type NewKey } from '../../src/keys/store.ts';
import { createLogger } from '../../src/serve/log.ts';
import { type RunningServer, type ServerOptions, startServer } from '../../src/serve/server.ts';
import type { TestDatabase } from './database.ts';
import { eventually } from './eventually.ts';
import { assertNoKey, keyInText } from './no-key.ts';
import { onLoopback } from './on-loopback.ts';
import { assertFitsTheContract } from './fits-the-contract.ts';

export { eventually };

export interface TestServer extends RunningServer {
  /** Returns everything logged so far. */
  log: () => string;
  /** Asks for a path, and compares every answer with openapi.json. */
  get: (path: string, headers?: Record<string, string>) => Promise<Answer>;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  json: unknown;
}

export const testCursorSecret = 'a-secret-of-the-tests-and-of-nobody-else';

/** Starts a real server on loopback, with a login like an operator's. It closes when the test file ends. */
export async function startTestServer(
  databaseUrl: string,
  options: Partial<ServerOptions> = {},
): Promise<TestServer> {
  let log = '';
  let leak: string | undefined;
  const sink = new Writable({
    write(chunk, _encoding, done) {
      const lines = String(chunk);
      if (keyInText.test(lines)) leak ??= lines;
      log += lines;
      done();
    },
  });
  const replica = replicaOf(databaseUrl);
  const server = await startServer(
    {
      databaseUrl,
      readUrls: replica === undefined ? [] : [replica],
      ...onLoopback,
      cursorSecrets: [testCursorSecret],
      ...options,
    },
    createLogger('debug', sink),
  );
  let closed = false;
  const close = async () => {
    if (closed) return;
    closed = true;
    await server.close();
    assertNoKey(leak ?? '');
  };
  atEnd(close);
  return {
    ...server,
    close,
    log: () => log,
    get: async (path, headers = {}) => {
      if (replica !== undefined) await untilReplayed(databaseUrl, replica);
      const answer = await get(`${server.apiUrl}${path}`, headers);
      assertFitsTheContract(path, 'GET', {
        ...answer,
        header: (name) => answer.headers.get(name),
        headerNames: [...answer.headers.keys()],
      });
      return answer;
    },
  };
}

/** Returns the same database on the replica, if the tests run with `npm test -- --replica`. */
function replicaOf(databaseUrl: string): string | undefined {
  const given = process.env['TEST_REPLICA_URL'];
  if (given === undefined) return undefined;
  const url = new URL(databaseUrl);
  url.port = new URL(given).port;
  return url.href;
}

/** Waits until the replica has everything that was written before the request. */
async function untilReplayed(primaryUrl: string, replicaUrl: string): Promise<void> {
  const [position] = await valuesOf(primaryUrl, 'select pg_current_wal_lsn()::text');
  await eventually(async () => {
    const [there] = await valuesOf(replicaUrl, 'select pg_last_wal_replay_lsn() >= $1::pg_lsn', [position]);
    assert.equal(there, true);
  });
}

async function valuesOf(url: string, query: string, values: unknown[] = []): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(query, values);
    return Object.values(rows[0] ?? {});
  } finally {
    await client.end();
  }
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

export interface EndingKey {
  key: string;
  /** The expiry time in milliseconds, like Date.now(). */
  expiresAt: number;
}

/** Creates keys that expire within one second, after that many milliseconds. */
export async function createEndingKeys(pool: Pool, count: number, lifeMs: number): Promise<EndingKey[]> {
  const firstEnd = Date.now() + lifeMs;
  const keys = Array.from({ length: count }, (_, i) => ({ key: createKey(), expiresAt: firstEnd + i * 9 }));
  await pool.query(
    `with account as (insert into keys.account (name) values ($1) returning id)
     insert into keys.key (account_id, digest, expires_at)
     select account.id, digest, expires_at
     from account, unnest($2::bytea[], $3::timestamptz[]) as t (digest, expires_at)`,
    [
      `ending ${firstEnd}`,
      keys.map(({ key }) => keyDigest(key)),
      keys.map(({ expiresAt }) => new Date(expiresAt)),
    ],
  );
  return keys;
}

/** Returns the bytes of answers that callers have not read yet. */
export async function unreadBytesOf({ opsUrl }: { opsUrl: string }): Promise<number> {
  const metrics = await (await fetch(`${opsUrl}/metrics`)).text();
  return Number(/^wartable_in_flight_bytes (\S+)$/m.exec(metrics)?.[1]);
}
