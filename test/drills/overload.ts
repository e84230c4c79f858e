import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startServe } from '../../bench/serve-process.ts';
import { startPostgres } from '../../scripts/postgres.ts';
import { migrate } from '../../src/database/migrate.ts';
import { createPool } from '../../src/database/pool.ts';
import { createKeyForAccount } from '../../src/keys/store.ts';
import { publishWorld } from '../support/published-world.ts';
import type { Drill } from './drill.ts';
import type { OpenLoopReport } from './open-loop-child.ts';

const run = promisify(execFile);

export const overload: Drill = {
  name: 'overload',
  expected:
    '10 × of capacity with cold pages, the server on one core, PostgreSQL and callers on the other: goodput ≥ 90 % of capacity, accepted p99 ≤ 5 × that at half load',
  run: async ({ size }) => {
    if (availableParallelism() < 2) throw new Error('it needs two cores');
    const seconds = size === 'small' ? 2 : 10;
    const postgres = await startPostgres();
    try {
      await run('taskset', ['-cp', '1', String(postgres.pid())]);
      await migrate(postgres.url);
      const pool = createPool(postgres.url, { applicationName: 'drill', size: 2 });
      await publishWorld(pool, { tournaments: 300, participants: 40 });
      const { key } = await createKeyForAccount(pool, 'drill');
      await pool.end();
      const onOneCore: [string, ...string[]] = ['taskset', '-c', '0', process.execPath, 'src/cli.ts'];
      // Cold: no answer is kept.
      const server = await startServe(postgres.url, { CACHE_MB: '0', LOG_LEVEL: 'warn' }, onOneCore);
      try {
        const port = Number(new URL(server.origin).port);
        const load = (rate: number, mostInFlight: number) =>
          callers({ port, key, rate, seconds, mostInFlight });
        await load(1e9, 16);
        const capacity = await load(1e9, 32);
        const half = await load(capacity.goodput / 2, 2_000);
        const over = await load(capacity.goodput * 10, 2_000);
        const share = over.goodput / capacity.goodput;
        return {
          met: share >= 0.9 && over.p99 <= 5 * half.p99,
          figures:
            `capacity ${capacity.goodput} a second; at half load p99 ${half.p99} ms; asked for ${capacity.goodput * 10} a second, ` +
            `the callers could send ${over.offered}: goodput ${over.goodput} (${share.toFixed(2)}), accepted p99 ${over.p99} ms ` +
            `(${(over.p99 / half.p99).toFixed(1)} ×); ${JSON.stringify(over.statuses)}, ${over.unsent} not sent`,
        };
      } finally {
        await server.close();
      }
    } finally {
      await postgres.remove();
    }
  },
};

async function callers(order: {
  port: number;
  key: string;
  rate: number;
  seconds: number;
  mostInFlight: number;
}): Promise<OpenLoopReport> {
  const script = fileURLToPath(new URL('open-loop-child.ts', import.meta.url));
  const paths = Array.from({ length: 300 }, (_, i) => `/api/v1/tournaments/event-${i}/participants?limit=40`);
  const { stdout } = await run(
    'taskset',
    ['-c', '1', process.execPath, script, JSON.stringify({ ...order, paths })],
    { timeout: (order.seconds + 60) * 1_000 },
  );
  return JSON.parse(stdout) as OpenLoopReport;
}
