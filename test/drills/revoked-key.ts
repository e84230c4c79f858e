import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from '../../src/database/pool.ts';
import { createKeyForAccount, revokeKey } from '../../src/keys/store.ts';
import { untilListening } from '../proofs/cache-databases.ts';
import { startProofServer, withServing } from '../proofs/serving.ts';
import type { Drill } from './drill.ts';

export const revokedKey: Drill = {
  name: 'revoked-key',
  expected: 'refused by three instances within 2 s at p99 of 100, within 10 s with the listeners frozen',
  run: ({ serverUrl, size }) =>
    withServing(serverUrl, async ({ url, apiUrl, opsUrl, pool }) => {
      const others = [await startProofServer(url), await startProofServer(url)];
      try {
        const apiUrls = [apiUrl, ...others.map((server) => server.apiUrl)];
        await untilListening([opsUrl, ...others.map((server) => server.opsUrl)]);
        const heard = await revoke(pool, apiUrls, size === 'small' ? 10 : 100);
        const pids = await listeners(pool);
        for (const pid of pids) process.kill(pid, 'SIGSTOP');
        let deaf: number[] = [];
        try {
          deaf = size === 'small' ? [] : await revoke(pool, apiUrls, 10);
        } finally {
          for (const pid of pids) process.kill(pid, 'SIGCONT');
        }
        const p99 = heard[Math.floor(heard.length * 0.99)] ?? heard.at(-1) ?? Infinity;
        const slowest = deaf.at(-1) ?? 0;
        return {
          met: p99 <= 2_000 && slowest <= 10_000,
          figures: `${heard.length} keys on 3 instances: refused everywhere after ${p99.toFixed(0)} ms at p99; ${deaf.length} with the listeners frozen: after ${slowest.toFixed(0)} ms at most`,
        };
      } finally {
        for (const server of others) await server.close();
      }
    }),
};

/** Milliseconds from the commit until every instance refuses, sorted. Each instance knew the key. */
async function revoke(pool: Pool, apiUrls: string[], count: number): Promise<number[]> {
  const times: number[] = [];
  for (let done = 0; done < count; done += 10) {
    const keys = [];
    for (let i = 0; i < 10; i += 1) keys.push(await createKeyForAccount(pool, 'revoked'));
    await Promise.all(
      keys.map(async ({ id, key }) => {
        for (const url of apiUrls) await statusOf(url, key);
        await revokeKey(pool, id);
        const revokedAt = performance.now();
        await Promise.all(
          apiUrls.map(async (url) => {
            while ((await statusOf(url, key)) !== 401) await sleep(5);
          }),
        );
        times.push(performance.now() - revokedAt);
      }),
    );
  }
  return times.toSorted((a, b) => a - b);
}

/** Of a path that needs nothing but a key. */
async function statusOf(url: string, key: string): Promise<number> {
  const answer = await fetch(`${url}/api/v1/nowhere`, { headers: { authorization: `Bearer ${key}` } });
  await answer.text();
  return answer.status;
}

async function listeners(pool: Pool): Promise<number[]> {
  const { rows } = await pool.query<{ pid: number }>(
    "select pid from pg_stat_activity where application_name = 'wartable-listener' and datname = current_database()",
  );
  return rows.map(({ pid }) => pid);
}
