import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { startAsInstalled } from '../../bench/installed-flags.ts';
import { startCaller } from '../../bench/load.ts';
import { median } from '../../bench/spread.ts';
import { startPostgres } from '../../scripts/postgres.ts';
import { migrate } from '../../src/database/migrate.ts';
import { createPool } from '../../src/database/pool.ts';
import { createKeyForAccount } from '../../src/keys/store.ts';
import type { Proof } from '../proofs/proof.ts';
import { publishWorld } from '../support/published-world.ts';

const run = promisify(execFile);

/**
 * 2,000 callers at full speed for cold pages, the server on one core, PostgreSQL and callers on the other. At least 0.9 of what it
 * answers to 32 callers is answered, and p99 of the answers is at most 700 ms.
 */
export const overload: Proof = async ({ size }) => {
  if (availableParallelism() < 2) throw new Error('it needs two cores');
  const seconds = size === 'small' ? 2 : 8;
  const postgres = await startPostgres();
  try {
    await migrate(postgres.url);
    const pool = createPool(postgres.url, { applicationName: 'drill', size: 2 });
    await publishWorld(pool, { tournaments: 300, participants: 40 });
    const { key } = await createKeyForAccount(pool, 'drill');
    await pool.end();
    // Cold: no answer is kept.
    const settings = { CACHE_MB: '0', LOG_LEVEL: 'warn' };
    const server = await startAsInstalled(postgres.url, settings, ['taskset', '-c', '0']);
    const caller = startCaller();
    try {
      for (const pid of [postgres.pid(), caller.pid]) await run('taskset', ['-acp', '1', String(pid)]);
      const headers = { authorization: `Bearer ${key}` };
      const requests = Array.from({ length: 300 }, (_, i) => ({
        path: `/api/v1/tournaments/event-${i}/participants?limit=40`,
        headers,
      }));
      const load = async (connections: number) => {
        const report = await caller.call(server.origin, requests, { seconds, connections });
        return { ...report, goodput: (report.statuses['200'] ?? 0) / report.seconds };
      };
      await load(16);
      const rounds = [];
      for (let i = 0; i < (size === 'small' ? 1 : 3); i += 1)
        rounds.push({ capacity: await load(32), over: await load(2_000) });
      const share = median(rounds.map(({ capacity, over }) => over.goodput / capacity.goodput));
      const slowest = median(rounds.map(({ over }) => over.p99));
      const figure = `${share.toFixed(2)} of capacity is answered, p99 ${slowest} ms.`;
      assert.ok(share >= 0.9 && slowest <= 700, figure);
      return [
        figure,
        ...rounds.map(
          ({ capacity, over }) =>
            `32 callers: ${capacity.goodput.toFixed(0)} a second, p99 ${capacity.p99} ms. 2,000 callers: ${over.goodput.toFixed(0)} a second of ${(over.answers / over.seconds).toFixed(0)}, p99 ${over.p99} ms (${JSON.stringify(over.statuses)}).`,
        ),
      ];
    } finally {
      await caller.close();
      await server.close();
    }
  } finally {
    await postgres.remove();
  }
};
