import assert from 'node:assert/strict';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { migrate } from '../../src/database/migrate.ts';
import { type Databases, startDatabases } from '../proofs/cache-databases.ts';
import { endWell, feedOf, startImport, write } from '../proofs/import-outage.ts';
import { onClient, withDatabase } from '../proofs/proof.ts';
import { allFacts } from '../support/feed.ts';
import { publishedRows } from '../support/published.ts';
import type { Drill } from './drill.ts';

export const importThroughFailover: Drill = {
  name: 'import-through-failover',
  expected:
    'the primary crashes and a synchronous standby takes over: facts and documents equal those of a calm run, each line once',
  run: ({ serverUrl, size }) =>
    withDatabase(serverUrl, async (calmUrl) => {
      const lines = feedOf(size === 'small' ? 600 : 10_000);
      const calm = startImport(calmUrl);
      calm.stdin.end(lines.join(''));
      await endWell(calm, lines.length);
      const databases = await startDatabases();
      try {
        // Acknowledged means: the standby has it, too.
        await databases.onPrimary(async (client) => {
          await client.query('create database feed template template0');
          await client.query("alter system set synchronous_standby_names = '*'");
          await client.query('select pg_reload_conf()');
        });
        // The address that follows the primary.
        const url = new URL(databases.primaryUrl);
        url.username = 'postgres';
        url.pathname = '/feed';
        await migrate(url.href);
        const child = startImport(url.href);
        child.stdin.write(lines[0]);
        await once(child.stdout, 'data');
        const [blocked, awayMs] = await Promise.all([
          write(child.stdin, lines.slice(1)),
          failOver(databases, (lines.length / 200) * 500),
        ]);
        const acknowledged = await endWell(child, lines.length);
        for (const state of [allFacts, publishedRows] as ((client: Client) => Promise<object>)[]) {
          const [expected, actual] = [await onClient(calmUrl, state), await onClient(url.href, state)];
          assert.deepEqual(actual, expected, 'facts or documents differ');
        }
        return {
          met: true,
          figures: `${lines.length} records, no primary for ${(awayMs / 1_000).toFixed(1)} s: no difference, 0 refused, all acknowledged (${acknowledged} acknowledgements), the writer blocked ${(blocked / 1_000).toFixed(1)} s at most`,
        };
      } finally {
        await databases.remove();
      }
    }),
};

/** Milliseconds without a primary. */
async function failOver(databases: Databases, afterMs: number): Promise<number> {
  await sleep(afterMs);
  const from = performance.now();
  await databases.promote();
  return performance.now() - from;
}
