import { setTimeout as sleep } from 'node:timers/promises';
import { type Postgres, startPostgres } from '../../scripts/postgres.ts';
import { migrate } from '../../src/database/migrate.ts';
import { createPool } from '../../src/database/pool.ts';
import { createKeyForAccount } from '../../src/keys/store.ts';
import type { RunningServer } from '../../src/serve/server.ts';
import { startProofServer } from '../proofs/serving.ts';
import { publishWorld } from '../support/published-world.ts';
import type { Drill } from './drill.ts';

// The only database stops, or stands still.

const databaseStopped: Drill = {
  name: 'database-stopped',
  expected:
    'cached documents ≤ 5 s, then 503; known keys to 60 s; not ready; back within 2 s of the return of the database',
  run: ({ size }) =>
    withDatabaseOfItsOwn(async ({ postgres, server, ask }) => {
      const cached = '/api/v1/clubs/club-0';
      await ask(cached);
      const stoppedAt = performance.now();
      const seconds = () => (performance.now() - stoppedAt) / 1_000;
      await postgres.stop('immediate');
      let [lastCached, lastKnown, notReady] = [0, 0, Infinity];
      for (const until = size === 'small' ? 6 : 66; seconds() < until; await sleep(50)) {
        if ((await ask(cached)) === 200) lastCached = seconds();
        // This path needs a valid key and no document.
        if ((await ask('/api/v1/nowhere')) === 404) lastKnown = seconds();
        if (!(await fetch(`${server.opsUrl}/ready`)).ok) notReady = Math.min(notReady, seconds());
      }
      await postgres.start();
      const returnedAt = performance.now();
      while ((await ask(cached)) !== 200 || !(await fetch(`${server.opsUrl}/ready`)).ok) await sleep(10);
      const back = performance.now() - returnedAt;
      return {
        met: lastCached <= 5.1 && lastKnown <= 60.1 && lastKnown >= 5 && notReady < 5 && back <= 2_000,
        figures: `from memory until ${lastCached.toFixed(1)} s, the key known until ${lastKnown.toFixed(1)} s (asked for ${size === 'small' ? 6 : 66} s), not ready after ${notReady.toFixed(1)} s, back ${back.toFixed(0)} ms after the database`,
      };
    }),
};

const backendsFrozen: Drill = {
  name: 'backends-frozen',
  expected: '503 with Retry-After within 600 ms of the deadline of 3 s; recovers by itself after the thaw',
  run: ({ size }) =>
    withDatabaseOfItsOwn(async ({ postgres, server, key, ask }) => {
      const pids = [postgres.pid(), ...(await backends(postgres))];
      const callers = size === 'small' ? 100 : 300;
      const times: number[] = [];
      let wrong = 0;
      for (const pid of pids) process.kill(pid, 'SIGSTOP');
      try {
        for (let crowd = 0; crowd < (size === 'small' ? 1 : 3); crowd += 1) {
          await Promise.all(
            Array.from({ length: callers }, async (_, i) => {
              const askedAt = performance.now();
              const answer = await fetch(`${server.apiUrl}/api/v1/tournaments/event-${i % 60}/participants`, {
                headers: { authorization: `Bearer ${key}` },
              });
              await answer.text();
              times.push(performance.now() - askedAt);
              if (answer.status !== 503 || answer.headers.get('retry-after') === null) wrong += 1;
            }),
          );
        }
      } finally {
        for (const pid of pids) process.kill(pid, 'SIGCONT');
      }
      const thawedAt = performance.now();
      while ((await ask('/api/v1/tournaments/event-1/battles')) !== 200) await sleep(10);
      const back = performance.now() - thawedAt;
      const slowest = Math.max(...times);
      return {
        met: wrong === 0 && slowest <= 3_600 && back <= 5_000,
        figures: `${times.length} callers: ${wrong} did not get 503 with Retry-After, the slowest answer after ${slowest.toFixed(0)} ms; 200 again ${back.toFixed(0)} ms after the thaw`,
      };
    }),
};

export const databaseAway: Drill[] = [databaseStopped, backendsFrozen];

interface Own {
  postgres: Postgres;
  server: RunningServer;
  key: string;
  /** The status. */
  ask: (path: string) => Promise<number>;
}

async function withDatabaseOfItsOwn(work: (own: Own) => ReturnType<Drill['run']>): ReturnType<Drill['run']> {
  const postgres = await startPostgres();
  try {
    await migrate(postgres.url);
    const pool = createPool(postgres.url, { applicationName: 'drill', size: 2 });
    await publishWorld(pool);
    const { key } = await createKeyForAccount(pool, 'drill');
    await pool.end();
    const server = await startProofServer(postgres.url);
    try {
      const ask = async (path: string) => {
        const answer = await fetch(`${server.apiUrl}${path}`, {
          headers: { authorization: `Bearer ${key}` },
        });
        await answer.text();
        return answer.status;
      };
      // The key is known, and connections are open.
      await Promise.all(Array.from({ length: 20 }, (_, i) => ask(`/api/v1/tournaments/event-${i}`)));
      return await work({ postgres, server, key, ask });
    } finally {
      await server.close();
    }
  } finally {
    await postgres.remove();
  }
}

async function backends({ url }: Postgres): Promise<number[]> {
  const pool = createPool(url, { applicationName: 'drill', size: 1 });
  const { rows } = await pool.query<{ pid: number }>(
    "select pid from pg_stat_activity where application_name like 'wartable%'",
  );
  await pool.end();
  return rows.map(({ pid }) => pid);
}
