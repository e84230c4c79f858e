import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { ofOneRequest } from './columns.ts';
import { endpoints, keysOf } from './endpoints.ts';
import { startCaller, type Request } from './load.ts';
import { machineLine, machineOf } from '../scripts/machine.ts';
import type { Measurement } from './measurement.ts';
import { startServe } from './serve-process.ts';
import { sizesLine, withWorld } from './world.ts';

const callsPerSlice = 2_000;

/**
 * Another checkout (`--beside FOLDER`) and this one on one database, in turns: processor time of the server for each answer,
 * cold, hot and as a 304, and whether both give the same bytes.
 */
export const beside: Measurement = (options) =>
  withWorld(options, async (world) => {
    assert.ok(options.beside, 'say which checkout to compare with: --beside FOLDER');
    const machine = machineLine(await machineOf(world.pool));
    const other = path.resolve(options.beside);
    const headers = { authorization: `Bearer ${world.key}` };
    const caller = startCaller();
    const start = async (cacheMb: number) => {
      const settings = {
        CACHE_MB: String(cacheMb),
        API_URL: 'http://localhost:3000',
        SITE_URL: 'http://localhost:3001',
      };
      return {
        before: await startServe(world.url, settings, undefined, other),
        after: await startServe(world.url, settings),
      };
    };
    const cold = await start(0);
    const hot = await start(64);
    const rows: BesideRow[] = [];
    let compared = 0;
    try {
      for (const endpoint of endpoints) {
        if (options.endpoints !== undefined && !options.endpoints.includes(endpoint.name)) continue;
        const keys = await keysOf(world.pool, endpoint, 500);
        const requests: Request[] = keys.map((key) => ({ path: endpoint.path(key), headers }));
        compared += await compare(requests, [cold.before.origin, cold.after.origin]);
        const held: Request[] = [];
        for (const each of requests.slice(0, 50)) held.push(await withTag(hot.after.origin, each));
        const ratios = { cold: [] as number[], hot: [] as number[], held: [] as number[] };
        for (let slice = -1; slice < options.slices; slice += 1) {
          const measure = async (pair: typeof cold, asked: Request[], expected: 200 | 304) => {
            const costs: number[] = [];
            // The order changes, so that neither is always the first.
            const sides = slice % 2 === 0 ? (['before', 'after'] as const) : (['after', 'before'] as const);
            for (const side of sides) {
              const { pid, origin } = pair[side];
              const began = await processorMs(pid);
              const { statuses } = await caller.call(origin, asked, { most: callsPerSlice });
              // Every six hours the cursors of a list change, and its tag with them: such a list is a 200 then.
              assert.ok((statuses[expected] ?? 0) >= 0.9 * callsPerSlice, JSON.stringify(statuses));
              costs[side === 'before' ? 0 : 1] = (await processorMs(pid)) - began;
            }
            return (costs[1] ?? 0) / (costs[0] ?? 1);
          };
          const figures = {
            cold: await measure(cold, requests, 200),
            hot: await measure(hot, requests.slice(0, 50), 200),
            held: await measure(hot, held, 304),
          };
          // The first slice warms both up.
          if (slice < 0) continue;
          for (const kind of ['cold', 'hot', 'held'] as const) ratios[kind].push(figures[kind]);
        }
        const row: BesideRow = {
          name: endpoint.name,
          isList: endpoint.isList,
          cold: median(ratios.cold),
          hot: median(ratios.hot),
          held: median(ratios.held),
        };
        rows.push(row);
        options.say(line(row));
      }
    } finally {
      await caller.close();
      for (const server of [cold.before, cold.after, hot.before, hot.after]) await server.close();
    }
    const failures = rows
      .filter(({ cold: ratio, isList }) => ratio > (isList ? 0.75 : 0.5))
      .map(({ name, cold: ratio }) => `${name}: ${ratio.toFixed(2)} of the processor time before`);
    return {
      lines: [
        machine,
        sizesLine(world.sizes),
        `${compared} answers are the same in both.`,
        '',
        ...table(rows),
      ],
      figures: { machine, compared, endpoints: rows },
      failures,
    };
  });

export interface BesideRow {
  name: string;
  isList: boolean;
  cold: number;
  hot: number;
  held: number;
}

function table(rows: BesideRow[]): string[] {
  return ['Processor time of this checkout, where the other one takes 1:', '', ...rows.map(line)];
}

function line({ name, cold, hot, held }: BesideRow): string {
  return `${name.padEnd(20)} cold ${cold.toFixed(2)}  hot ${hot.toFixed(2)}  304 ${held.toFixed(2)}`;
}

/** The same status, headers and bytes from both. Only what belongs to one request or one connection differs. */
async function compare(requests: Request[], origins: [string, string]): Promise<number> {
  const odd = requests
    .slice(0, 30)
    .flatMap(({ path: target, headers }) =>
      [
        '?limit=0',
        '?limit=1',
        '?cursor=a',
        '?from=2025-13-01',
        '?stage=a',
        '?status=b',
        '/',
        '%2F',
        '%zz',
      ].map((end) => ({ path: `${target.split('?', 1)[0]}${end}`, headers })),
    );
  const all = [...requests, ...odd];
  for (const { path: target, headers } of all) {
    const [one, two] = await Promise.all(
      origins.map(async (origin) => {
        const answer = await fetch(`${origin}${target}`, { headers });
        const lines = [...answer.headers].filter(([name]) => !ofOneRequest.has(name));
        return { status: answer.status, lines, text: await answer.text() };
      }),
    );
    assert.deepEqual(two, one, target);
  }
  return all.length;
}

async function withTag(origin: string, request: Request): Promise<Request> {
  const answer = await fetch(`${origin}${request.path}`, { headers: request.headers });
  await answer.arrayBuffer();
  assert.equal(answer.status, 200, request.path);
  return { ...request, headers: { ...request.headers, 'if-none-match': answer.headers.get('etag') ?? '' } };
}

/** User and system time of all threads of a process. */
async function processorMs(pid: number): Promise<number> {
  let nanoseconds = 0;
  for (const thread of await readdir(`/proc/${pid}/task`)) {
    const [ran] = (await readFile(`/proc/${pid}/task/${thread}/schedstat`, 'utf8')).split(' ');
    nanoseconds += Number(ran);
  }
  return nanoseconds / 1e6;
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN;
}
