import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startAsInstalled } from '../../bench/installed-flags.ts';
import { median } from '../../bench/spread.ts';
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
    '10 × of capacity with cold pages, the server on one core, PostgreSQL and callers on the other: goodput ≥ 90 % of capacity, accepted p99 ≤ 700 ms',
  run: async ({ size }) => {
    if (availableParallelism() < 2) throw new Error('it needs two cores');
    const seconds = size === 'small' ? 2 : 8;
    const postgres = await startPostgres();
    try {
      await run('taskset', ['-cp', '1', String(postgres.pid())]);
      await migrate(postgres.url);
      const pool = createPool(postgres.url, { applicationName: 'drill', size: 2 });
      await publishWorld(pool, { tournaments: 300, participants: 40 });
      const { key } = await createKeyForAccount(pool, 'drill');
      await pool.end();
      // Cold: no answer is kept.
      const settings = { CACHE_MB: '0', LOG_LEVEL: 'warn' };
      const server = await startAsInstalled(postgres.url, settings, ['taskset', '-c', '0']);
      try {
        const port = Number(new URL(server.origin).port);
        const load = (rate: number, mostInFlight: number) =>
          callers({ port, key, rate, seconds, mostInFlight });
        await load(1e9, 16);
        const rounds: Round[] = [];
        for (let i = 0; i < (size === 'small' ? 1 : 3); i += 1) {
          const capacity = await load(1e9, 32);
          const half = await load(capacity.goodput / 2, 200);
          rounds.push({ capacity, half, over: await load(capacity.goodput * 10, 2_000) });
        }
        const share = median(rounds.map(({ capacity, over }) => over.goodput / capacity.goodput));
        const slowest = median(rounds.map(({ over }) => over.p99));
        return {
          met: share >= 0.9 && slowest <= 700,
          figures: `${rounds.map(told).join('; ')}. Median: goodput ${share.toFixed(2)} of capacity, accepted p99 ${slowest} ms`,
        };
      } finally {
        await server.close();
      }
    } finally {
      await postgres.remove();
    }
  },
};

interface Round {
  capacity: OpenLoopReport;
  half: OpenLoopReport;
  over: OpenLoopReport;
}

function told({ capacity, half, over }: Round): string {
  return (
    `capacity ${capacity.goodput} a second, the callers could send ${over.offered}: goodput ${over.goodput}, ` +
    `p99 ${half.p99} ms at half load and ${over.p99} ms`
  );
}

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
