import { Agent, get } from 'node:http';
import pg from 'pg';
import { withServing } from '../proofs/serving.ts';
import { publishWorld } from '../support/published-world.ts';
import type { Drill } from './drill.ts';

export const herd: Drill = {
  name: 'herd',
  expected: '1,000 callers of one cold list: 1 query',
  run: ({ serverUrl, size }) =>
    withServing(serverUrl, async ({ apiUrl, key, pool }) => {
      await publishWorld(pool);
      const callers = size === 'small' ? 50 : 1_000;
      const headers = { authorization: `Bearer ${key}` };
      // The key is known. The list is cold.
      await (await fetch(`${apiUrl}/api/v1/nowhere`, { headers })).text();
      const counter = countStatements('tournaments');
      const agent = new Agent({ maxSockets: callers });
      const began = performance.now();
      const statuses = await Promise.all(
        Array.from({ length: callers }, () =>
          statusOf(agent, `${apiUrl}/api/v1/tournaments?limit=100`, headers),
        ),
      );
      const took = performance.now() - began;
      agent.destroy();
      const queries = counter.end();
      const failed = statuses.filter((status) => status !== 200).length;
      return {
        met: queries === 1 && failed === 0,
        figures: `${callers} callers: ${queries} queries, ${failed} failed, all answered within ${took.toFixed(0)} ms`,
      };
    }),
};

/** Counts the statements of this name that the server sends. It runs in this process. */
function countStatements(name: string): { end: () => number } {
  // oxlint-disable-next-line typescript/unbound-method -- it is called with the client as `this`
  const sendOriginal = pg.Client.prototype.query;
  let count = 0;
  pg.Client.prototype.query = function query(this: pg.Client, ...given: unknown[]) {
    if ((given[0] as { name?: string } | undefined)?.name === name) count += 1;
    return Reflect.apply(sendOriginal, this, given) as unknown;
  } as typeof sendOriginal;
  return {
    end: () => {
      pg.Client.prototype.query = sendOriginal;
      return count;
    },
  };
}

function statusOf(agent: Agent, url: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve) => {
    get(url, { agent, headers }, (answer) => {
      answer.resume();
      answer.on('end', () => resolve(answer.statusCode ?? 0));
    }).on('error', () => resolve(0));
  });
}
