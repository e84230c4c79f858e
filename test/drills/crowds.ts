import { Agent, get } from 'node:http';
import { crowd } from '../proofs/crowd.ts';
import { withServing } from '../proofs/serving.ts';
import { publishWorld } from '../support/published-world.ts';
import { type Drill, fromProof } from './drill.ts';

const herd: Drill = {
  name: 'herd',
  expected: '1,000 callers of one cold list: 1 query',
  run: ({ serverUrl, size }) =>
    withServing(serverUrl, async ({ apiUrl, opsUrl, key, pool }) => {
      await publishWorld(pool);
      const callers = size === 'small' ? 50 : 1_000;
      const headers = { authorization: `Bearer ${key}` };
      // The key is known. The list is cold.
      await (await fetch(`${apiUrl}/api/v1/nowhere`, { headers })).text();
      const before = await reads(opsUrl);
      const agent = new Agent({ maxSockets: callers });
      const began = performance.now();
      const statuses = await Promise.all(
        Array.from({ length: callers }, () =>
          statusOf(agent, `${apiUrl}/api/v1/tournaments?limit=100`, headers),
        ),
      );
      const took = performance.now() - began;
      agent.destroy();
      const queries = (await reads(opsUrl)) - before;
      const failed = statuses.filter((status) => status !== 200).length;
      return {
        met: queries === 1 && failed === 0,
        figures: `${callers} callers: ${queries} query, ${failed} failed, all answered within ${took.toFixed(0)} ms`,
      };
    }),
};

export const crowds: Drill[] = [
  herd,
  fromProof('crowd', 'bursts of 400 callers, 256 connections at full speed: 0 refused', crowd),
];

/** Reads that one or more callers waited for. */
async function reads(opsUrl: string): Promise<number> {
  const metrics = await (await fetch(`${opsUrl}/metrics`)).text();
  return Number(/^wartable_answers_total\{source="database"\} (\d+)$/m.exec(metrics)?.[1] ?? 0);
}

function statusOf(agent: Agent, url: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve) => {
    get(url, { agent, headers }, (answer) => {
      answer.resume();
      answer.on('end', () => resolve(answer.statusCode ?? 0));
    }).on('error', () => resolve(0));
  });
}
