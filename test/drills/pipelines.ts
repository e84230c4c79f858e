import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { createPool } from '../../src/database/pool.ts';
import { createKeyForAccount } from '../../src/keys/store.ts';
import { domain, nginx } from '../install/proxies.ts';
import { withTwoInstances } from '../install/two-instances.ts';
import { type Proof, withDatabase } from '../proofs/proof.ts';
import { publishWorld } from '../support/published-world.ts';

const club = '/api/v1/clubs/club-0';
const longestP99 = 250;

/**
 * 100 connections send 1,000 requests each in one write, again and again, directly and through nginx. A known key is never
 * refused, and its p99 stays at most 250 ms.
 */
export const pipelines: Proof = ({ serverUrl, size }) =>
  withDatabase(serverUrl, async (databaseUrl) => {
    const key = await fill(databaseUrl);
    return withTwoInstances(nginx, { DATABASE_URL: databaseUrl }, async (_instances, caller, ports) => {
      const headers = { authorization: `Bearer ${key}` };
      const target = { path: club, headers };
      await caller.untilAnswered(target);
      const { header } = await caller.ask(target);
      const ways: [string, () => Promise<number>, () => Socket][] = [
        [
          'directly',
          async () => (await fetch(`http://127.0.10.1:${ports.api}${club}`, { headers })).status,
          () => connect(ports.api, '127.0.10.1'),
        ],
        [
          'through nginx',
          async () => (await caller.ask(target)).status,
          () => connectTls({ port: ports.https, servername: domain, rejectUnauthorized: false }),
        ],
      ];
      const figures: string[] = [];
      let [slowest, requests] = [0, 0];
      for (const [way, ask, open] of ways) {
        await askFor(2, ask);
        for (const [what, request] of kinds(key, header('etag'))) {
          const over = new AbortController();
          const flooding = flood(open, request.repeat(1_000), what === closedAtOnce, over.signal);
          const { p99, failed, count } = await askFor(size === 'small' ? 2 : 10, ask);
          over.abort();
          await flooding;
          const figure = `${way}, ${what}: p99 ${p99.toFixed(0)} ms, ${failed} of ${count} failed.`;
          assert.ok(failed === 0 && p99 <= longestP99, figure);
          [slowest, requests] = [Math.max(slowest, p99), requests + count];
          figures.push(figure);
        }
      }
      return [`0 of ${requests} requests failed, p99 at most ${slowest.toFixed(0)} ms.`, ...figures];
    });
  });

async function fill(databaseUrl: string): Promise<string> {
  const pool = createPool(databaseUrl, { applicationName: 'drill', size: 2 });
  try {
    await publishWorld(pool);
    return (await createKeyForAccount(pool, 'a known key')).key;
  } finally {
    await pool.end();
  }
}

const closedAtOnce = 'closed at once';

function kinds(key: string, etag: string): [what: string, request: string][] {
  const withKey = `Authorization: Bearer ${key}`;
  return [
    ['refusals', get(club)],
    ['errors', get('/api/v1/none', withKey)],
    ['304s', get(club, withKey, `If-None-Match: ${etag}`)],
    ['answers from memory', get(club, withKey)],
    [closedAtOnce, get(club)],
  ];
}

function get(target: string, ...headers: string[]): string {
  return [`GET ${target} HTTP/1.1`, `Host: ${domain}`, ...headers, '', ''].join('\r\n');
}

/** Sends the requests on 100 connections, each in one write, until it is over. */
async function flood(
  open: () => Socket,
  requests: string,
  isClosed: boolean,
  over: AbortSignal,
): Promise<void> {
  const attack = async () => {
    while (!over.aborted) {
      const socket = open().resume();
      socket.on('error', () => {});
      if (isClosed) socket.end(requests);
      else socket.write(requests);
      await Promise.race([once(socket, 'close'), once(over, 'abort')]).catch(() => {});
      socket.destroy();
      // It must not turn this into a measurement of connecting.
      await sleep(200);
    }
  };
  await Promise.all(Array.from({ length: 100 }, attack));
}

/** One caller who asks again and again. */
async function askFor(seconds: number, ask: () => Promise<number>) {
  const times: number[] = [];
  let failed = 0;
  const until = performance.now() + seconds * 1_000;
  while (performance.now() < until) {
    const askedAt = performance.now();
    if ((await ask()) !== 200) failed += 1;
    times.push(performance.now() - askedAt);
    await sleep(5);
  }
  const sorted = times.toSorted((a, b) => a - b);
  return { p99: sorted[Math.floor(sorted.length * 0.99)] ?? 0, failed, count: times.length };
}
