import assert from 'node:assert/strict';
import type { Pool } from '../src/database/pool.ts';
import { startPostgres } from '../scripts/postgres.ts';
import { judgeLimit } from './bars.ts';
import { endpointNamed, keysOf } from './endpoints.ts';
import { type Request, startCaller } from './load.ts';
import { machineLine, machineOf } from '../scripts/machine.ts';
import type { Measurement } from './measurement.ts';
import { startServe } from './serve-process.ts';
import { withWorld } from './world.ts';

const requestsEach = 10_000;

/**
 * How many statements the document sessions (`wartable`) send for repeated answers, counted in the log of a PostgreSQL
 * that logs every statement.
 */
export const statements: Measurement = async (options) => {
  // A line for each statement, which begins with the name of the application.
  const postgres = await startPostgres(undefined, [
    'logging_collector = on',
    "log_filename = 'statements.log'",
    'log_rotation_size = 0',
    "log_line_prefix = '%a|'",
    'log_parameter_max_length = 0',
    'log_duration = off',
  ]);
  try {
    return await withWorld({ serverUrl: postgres.url, battles: options.battles }, async (world) => {
      const machine = machineLine(await machineOf(world.pool));
      // Of the database, because the server was started with another level.
      const database = new URL(world.url).pathname.slice(1);
      await world.pool.query(`alter database ${database} set log_min_messages = 'log'`);
      await world.pool.query(`alter database ${database} set log_statement = 'all'`);
      const server = await startServe(world.url);
      const caller = startCaller();
      try {
        const endpoint = endpointNamed('player battles');
        const headers = { authorization: `Bearer ${world.key}` };
        const hot: Request[] = (await keysOf(world.pool, endpoint, 32)).map((key) => ({
          path: endpoint.path(key),
          headers,
        }));
        const held: Request[] = [];
        for (const request of hot) held.push(await withTag(server.origin, request));
        await caller.call(server.origin, hot, { most: 1_000 });
        const counts: Record<string, number> = {};
        for (const [name, requests, status] of [
          ['hot', hot, 200],
          ['304', held, 304],
        ] as const) {
          const before = await loggedStatements(world.pool);
          const { statuses } = await caller.call(server.origin, [...requests], { most: requestsEach });
          assert.deepEqual(statuses, { [status]: requestsEach });
          counts[name] = (await loggedStatements(world.pool)) - before;
        }
        const judged = Object.entries(counts).map(([name, count]) =>
          judgeLimit(
            `statements of the sessions \`wartable\` for ${requestsEach} × ${name}`,
            count,
            'statementsWhenHot',
          ),
        );
        return {
          lines: [machine, ...judged.flatMap(({ lines }) => lines)],
          figures: { machine, requests: requestsEach, statements: counts },
          failures: judged.flatMap(({ failures }) => failures),
        };
      } finally {
        await caller.close();
        await server.close();
      }
    });
  } finally {
    await postgres.remove();
  }
};

async function withTag(origin: string, { path, headers }: Request): Promise<Request> {
  const response = await fetch(`${origin}${path}`, { headers });
  await response.arrayBuffer();
  assert.equal(response.status, 200, path);
  return { path, headers: { ...headers, 'if-none-match': response.headers.get('etag') ?? '' } };
}

async function loggedStatements(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::int as count
    from regexp_split_to_table(pg_read_file('log/statements.log'), '\\n') line
    where line ~ '^wartable\\|LOG:  (statement|execute)'`,
  );
  return rows[0]?.count ?? 0;
}
