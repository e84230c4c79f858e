import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { migrate } from '../src/database/migrate.ts';
import { createPool, type Pool } from '../src/database/pool.ts';
import { createKeyForAccount, revokeKey } from '../src/keys/store.ts';
import { startPostgres } from '../harness/support/postgres.ts';
import { withDatabase } from '../harness/proofs/proof.ts';
import { root } from '../harness/support/root.ts';

/** Options that say where a measurement finds or builds its world. */
export interface WorldOptions {
  battles: number;
  /** A database to use. We fill it if it is empty, and never drop it. */
  database?: string | undefined;
  /** A server on which we create a database. Without it we start a throwaway PostgreSQL. */
  serverUrl?: string | undefined;
}

export interface World {
  url: string;
  pool: Pool;
  key: string;
  sizes: WorldSizes;
}

interface WorldSizes {
  battles: number;
  tournaments: number;
  players: number;
  clubs: number;
  megabytes: number;
}

/** Lends a published world with a key. */
export async function withWorld<T>(options: WorldOptions, work: (world: World) => Promise<T>): Promise<T> {
  if (options.database !== undefined) {
    await migrate(options.database);
    return onWorld(options.database, options.battles, work);
  }
  return withServer(options, (serverUrl) =>
    withDatabase(serverUrl, (url) => onWorld(url, options.battles, work)),
  );
}

/** Lends a PostgreSQL server: the given one, or a throwaway one. */
async function withServer<T>(
  { serverUrl }: Pick<WorldOptions, 'serverUrl'>,
  work: (serverUrl: string) => Promise<T>,
): Promise<T> {
  if (serverUrl !== undefined) return work(serverUrl);
  const throwaway = await startPostgres();
  try {
    return await work(throwaway.url);
  } finally {
    await throwaway.remove();
  }
}

async function onWorld<T>(url: string, battles: number, work: (world: World) => Promise<T>): Promise<T> {
  const pool = createPool(url, { applicationName: 'wartable-bench', size: 2 });
  try {
    const { rows } = await pool.query<{ found: boolean }>(
      'select exists (select from published.battle) as found',
    );
    if (rows[0]?.found !== true) await fill(url, battles);
    await pool.query('vacuum analyze');
    const sizes = await sizesOf(pool);
    const { id, key } = await createKeyForAccount(pool, 'bench');
    try {
      return await work({ url, pool, key, sizes });
    } finally {
      await revokeKey(pool, id);
    }
  } finally {
    await pool.end();
  }
}

/**
 * Pipes `wartable world` into `wartable import`, as an operator does. Worlds with other seeds contain other
 * things.
 */
export async function fill(
  url: string,
  battles: number,
  seed = 1,
  /** The folder of the checkout that imports. */
  folder: string | URL = root,
): Promise<void> {
  const environment = { PATH: process.env['PATH'] ?? '' };
  const command = (...args: string[]) => ['src/cli.ts', ...args];
  const maker = spawn(
    process.execPath,
    command('world', '--seed', String(seed), '--battles', String(battles)),
    {
      cwd: root,
      env: environment,
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  const importer = spawn(process.execPath, command('import', '-'), {
    cwd: folder,
    env: { ...environment, DATABASE_URL: url },
    stdio: [maker.stdout, 'ignore', 'pipe'],
  });
  const [[code], errors] = await Promise.all([once(importer, 'close'), text(importer.stderr)]);
  assert.equal(code, 0, errors.slice(-2_000));
}

async function sizesOf(pool: Pool): Promise<WorldSizes> {
  const { rows } = await pool.query<WorldSizes>(
    `select (select count(*)::int from published.battle) as battles,
      (select count(*)::int from published.tournament) as tournaments,
      (select count(*)::int from published.player) as players,
      (select count(*)::int from published.club) as clubs,
      round(pg_database_size(current_database()) / 1e6)::int as megabytes`,
  );
  assert.ok(rows[0]);
  return rows[0];
}

export function sizesLine({ battles, tournaments, players, clubs, megabytes }: WorldSizes): string {
  return `${battles} battles, ${tournaments} tournaments, ${players} players, ${clubs} clubs: ${megabytes} MB`;
}
