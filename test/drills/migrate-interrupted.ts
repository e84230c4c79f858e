import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { schemaText } from '../../scripts/schema-text.ts';
import { onClient, untilAlone, withDatabase } from '../proofs/proof.ts';
import { bareEnvironment } from '../support/bare-environment.ts';
import { wartable } from '../support/command.ts';
import { databaseUrl, onServer } from '../support/on-server.ts';
import type { Drill } from './drill.ts';

export const migrateInterrupted: Drill = {
  name: 'migrate-interrupted',
  expected: '`kill -9` of `wartable migrate` at random moments: the next run gives the same schema',
  run: ({ serverUrl, size }) =>
    withDatabase(serverUrl, async (whole) => {
      const expected = await schemaText(whole);
      const kills = size === 'small' ? 2 : 20;
      const unkilled = await withEmpty(serverUrl, migrateUntil);
      let [within, different] = [0, 0];
      for (let kill = 0; kill < kills; kill += 1) {
        await withEmpty(serverUrl, async (url) => {
          await migrateUntil(url, Math.random() * unkilled);
          const half = await onClient(url, async (client) => {
            await untilAlone(client);
            const { rows } = await client.query<{ count: number }>(
              "select count(*)::int as count from pg_namespace where nspname in ('record', 'published', 'keys')",
            );
            return rows[0]?.count ?? 0;
          });
          if (half > 0) within += 1;
          const { code } = await wartable(['migrate'], { DATABASE_URL: url });
          if (code !== 0 || (await schemaText(url)) !== expected) different += 1;
        });
      }
      return {
        met: different === 0,
        figures: `${kills} kills, ${within} of them after the first schema was there: ${different} schemas differ after the next run`,
      };
    }),
};

/** Milliseconds from its first connection on. Kills it after so many, if given. */
async function migrateUntil(url: string, killAfterMs?: number): Promise<number> {
  const child = spawn(process.execPath, ['src/cli.ts', 'migrate'], {
    cwd: new URL('../..', import.meta.url),
    env: { ...bareEnvironment, DATABASE_URL: url },
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  await onClient(new URL('/postgres', url).href, async (client) => {
    const name = new URL(url).pathname.slice(1);
    while (child.exitCode === null) {
      const { rowCount } = await client.query('select from pg_stat_activity where datname = $1', [name]);
      if ((rowCount ?? 0) > 0) return;
    }
  });
  const began = performance.now();
  const timer = killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs);
  await ended;
  clearTimeout(timer);
  return performance.now() - began;
}

async function withEmpty<T>(serverUrl: string, work: (url: string) => Promise<T>): Promise<T> {
  const name = `wartable_drill_${randomBytes(6).toString('hex')}`;
  await onServer(serverUrl, `create database ${name} template template0`);
  try {
    return await work(databaseUrl(serverUrl, name));
  } finally {
    await onServer(serverUrl, `drop database if exists ${name} with (force)`);
  }
}
