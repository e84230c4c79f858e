import assert from 'node:assert/strict';
import { Agent, type IncomingMessage, request } from 'node:http';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import { ofOneRequest } from './columns.ts';
import { endpoints, keysOf } from './endpoints.ts';
import { startCaller, type Request } from '../harness/measure/load.ts';
import { machineLine, machineOf } from '../scripts/machine.ts';
import { exportsOf, withDatabaseOf } from './beside-database.ts';
import type { BenchOptions, Measured, Measurement } from './measurement.ts';
import { processorMs } from './processor.ts';
import { type ServeProcess, startServe } from '../harness/measure/serve-process.ts';
import { sizesLine, withWorld, type World } from './world.ts';

const callsPerSlice = 2_000;
const maxOfBefore = 1.05;
const kinds = ['cold', 'hot', 'held'] as const;

/**
 * Compares another checkout (`--beside FOLDER`) with this one, in turns: the server's processor time per
 * answer when it is read, when it is in memory and as a 304, and whether both send the same bytes. They share
 * one database. With `--own-database` each has a database of its own with the same world, for a change of the
 * schema. Then tags and times of publishing differ, and the exports are compared as well.
 */
export const beside: Measurement = (options) =>
  withWorld(options, async (world) => {
    assert.ok(options.beside, 'say which checkout to compare with: --beside FOLDER');
    const other = path.resolve(options.beside);
    if (!options.ownDatabase) return compareOn(world, options, { other, url: world.url });
    return withDatabaseOf(other, world, options.battles, async (url) => {
      const [before, after] = await exportsOf(other, { before: url, after: world.url });
      const measured = await compareOn(world, options, { other, url });
      const isSame = before === after;
      return {
        ...measured,
        lines: [...measured.lines, `What they export is ${isSame ? 'the same' : 'different'}.`],
        failures: [...measured.failures, ...(isSame ? [] : ['they export different feeds'])],
      };
    });
  });

async function compareOn(
  world: World,
  options: BenchOptions,
  { other, url }: { other: string; url: string },
): Promise<Measured> {
  const machine = machineLine(await machineOf(world.pool));
  const isShared = url === world.url;
  const caller = startCaller();
  const start = async (cacheMb: number) => {
    const settings = {
      CACHE_MB: String(cacheMb),
      API_URL: 'http://localhost:3000',
      SITE_URL: 'http://localhost:3001',
    };
    return {
      before: await startServe(url, settings, undefined, other),
      after: await startServe(world.url, settings),
    };
  };
  const cold = await start(0);
  const hot = await start(64);
  const rows: BesideRow[] = [];
  const different: string[] = [];
  let compared = 0;
  const compareAll = async (requests: Request[], originOf: (server: ServeProcess) => string) => {
    different.push(...(await differences(requests, [originOf(cold.before), originOf(cold.after)], isShared)));
    compared += requests.length;
  };
  try {
    for (const target of await targetsOf(world)) {
      if (options.endpoints !== undefined && !options.endpoints.includes(target.name)) continue;
      const { requests, originOf } = target;
      await compareAll(target.compared, originOf);
      if (requests.length === 0) continue;
      // The tag of a page depends on the code that made it.
      const held: Record<Side, Request[]> = { before: [], after: [] };
      const first = requests.slice(0, 50);
      for (const side of ['before', 'after'] as const)
        for (const each of first) held[side].push(await withTag(originOf(hot[side]), each));
      const ratios = { cold: [] as number[], hot: [] as number[], held: [] as number[] };
      for (let slice = -1; slice < options.slices; slice += 1) {
        const measure = async (pair: typeof cold, asked: Record<Side, Request[]>, expected: 200 | 304) => {
          const costs: number[] = [];
          // The order alternates, so that neither is always the first.
          const sides = slice % 2 === 0 ? (['before', 'after'] as const) : (['after', 'before'] as const);
          for (const side of sides) {
            const { pid } = pair[side];
            const began = await processorMs(pid);
            const { statuses } = await caller.call(originOf(pair[side]), asked[side], {
              most: callsPerSlice,
            });
            // Every six hours the cursors of a list change, and its tag with them; such a list is then a 200.
            assert.ok((statuses[expected] ?? 0) >= 0.9 * callsPerSlice, JSON.stringify(statuses));
            costs[side === 'before' ? 0 : 1] = (await processorMs(pid)) - began;
          }
          return (costs[1] ?? 0) / (costs[0] ?? 1);
        };
        const figures = {
          cold: await measure(cold, { before: requests, after: requests }, 200),
          hot: await measure(hot, { before: first, after: first }, 200),
          held: await measure(hot, held, 304),
        };
        // The first slice warms up both.
        if (slice < 0) continue;
        for (const kind of kinds) ratios[kind].push(figures[kind]);
      }
      const row: BesideRow = {
        name: target.name,
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
  const all: BesideRow = {
    name: 'the median',
    cold: median(rows.map((row) => row.cold)),
    hot: median(rows.map((row) => row.hot)),
    held: median(rows.map((row) => row.held)),
  };
  return {
    lines: [
      machine,
      sizesLine(world.sizes),
      `${compared - different.length} of ${compared} answers are the same in both.`,
      ...different,
      '',
      'Processor time of this checkout, where the other one takes 1:',
      '',
      ...[...rows, all].map(line),
    ],
    figures: { machine, compared, endpoints: rows },
    failures: [
      ...different,
      ...kinds
        .filter((kind) => all[kind] > maxOfBefore)
        .map((kind) => `${kind}: ${all[kind].toFixed(2)} of the processor time before`),
    ],
  };
}

type Side = 'before' | 'after';

interface BesideRow {
  name: string;
  cold: number;
  hot: number;
  held: number;
}

function line({ name, cold, hot, held }: BesideRow): string {
  return `${name.padEnd(20)} cold ${cold.toFixed(2)}  hot ${hot.toFixed(2)}  304 ${held.toFixed(2)}`;
}

interface Target {
  name: string;
  originOf: (server: ServeProcess) => string;
  requests: Request[];
  /** The same requests and some unusual ones. */
  compared: Request[];
}

/** Returns the endpoints of the API, and the site. */
async function targetsOf(world: World): Promise<Target[]> {
  const headers = { authorization: `Bearer ${world.key}` };
  const api = (server: ServeProcess) => server.origin;
  const site = (server: ServeProcess) => server.siteOrigin;
  const targets: Target[] = [];
  for (const endpoint of endpoints) {
    const requests = (await keysOf(world.pool, endpoint, 500)).map((key) => ({
      path: endpoint.path(key),
      headers,
    }));
    const odd = oddOf(requests, ['?limit=0', '?limit=1', '?cursor=a', '?from=2025-13-01', '?stage=a']);
    targets.push({ name: endpoint.name, originOf: api, requests, compared: [...requests, ...odd] });
  }
  for (const { name, keys, paths } of pages) {
    const found = await keysOf(world.pool, { name, keys }, 100);
    const requests = found.flatMap((key) => paths.map((each) => ({ path: each(key), headers: {} })));
    targets.push({
      name,
      originOf: site,
      requests,
      compared: [...requests, ...oddOf(requests, ['?player=a', '?before=a'])],
    });
  }
  // These are made only once, so their cost does not matter.
  const compared = fixed.map((each) => ({ path: each, headers: {} }));
  return [...targets, { name: 'files', originOf: site, requests: [], compared }];
}

function oddOf(requests: Request[], ends: string[]): Request[] {
  return requests.slice(0, 30).flatMap(({ path: target, headers }) =>
    [...ends, '?status=b', '/', '%2F', '%zz'].map((end) => ({
      path: `${target.split('?', 1)[0]}${end}`,
      headers,
    })),
  );
}

const below = (folder: string, ...ends: string[]) =>
  ends.map((end) => (key: string) => `/${folder}/${encodeURIComponent(key)}${end}`);

const pages = [
  {
    name: 'page of an event',
    keys: 'select slug as key from published.tournament where default_stage is not null',
    paths: below('tournaments', '', '/rounds', '/participants', '/names', '/standings.csv'),
  },
  {
    name: 'page of a club',
    keys: 'select slug as key from published.club',
    paths: below('clubs', '', '/tournaments.ics'),
  },
  {
    name: 'page of a player',
    keys: 'select player as key from published.player_battle group by player',
    paths: below('players', ''),
  },
  {
    name: 'page of a battle',
    keys: 'select id as key from published.battle',
    paths: below('battles', ''),
  },
];

const fixed = [
  '/',
  '/tournaments',
  '/clubs',
  '/factions',
  '/factions.csv',
  '/search?q=club',
  '/tournaments.ics',
  '/tournaments.atom',
  '/sitemap.xml',
  '/docs',
  '/reference/',
  '/openapi.json',
  '/openapi-extra.json',
  '/client/wartable.mjs',
  '/robots.txt',
  '/favicon.ico',
];

/**
 * Returns the requests whose status, headers or bytes differ. Only what belongs to one request or one
 * connection may differ.
 */
async function differences(
  requests: Request[],
  origins: [string, string],
  isShared: boolean,
): Promise<string[]> {
  const agent = new Agent({ keepAlive: true });
  const different: string[] = [];
  for (const [i, asked] of requests.entries()) {
    const encoding = isShared ? (encodings[i % encodings.length] ?? '') : 'identity';
    const method = i % 10 === 9 ? 'HEAD' : 'GET';
    const answers = await Promise.all(
      origins.map((origin) => exchange(agent, origin, method, asked, encoding)),
    );
    const [one, two] = isShared ? answers : answers.map(withoutRevisions);
    if (!isDeepStrictEqual(one, two)) different.push(`${method} ${asked.path} (${encoding})`);
  }
  agent.destroy();
  return different;
}

async function exchange(agent: Agent, origin: string, method: string, asked: Request, encoding: string) {
  const message = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { ...asked.headers, 'accept-encoding': encoding };
    request(`${origin}${asked.path}`, { agent, method, headers }, resolve).on('error', reject).end();
  });
  const lines = Object.entries(message.headers).filter(([name]) => !ofOneRequest.has(name));
  const bytes = await buffer(message);
  return { status: message.statusCode, lines: Object.fromEntries(lines), bytes: bytes.toString('latin1') };
}

/** Removes the tag, and the revisions and times of publishing in the text. */
function withoutRevisions({ status, lines, bytes }: Awaited<ReturnType<typeof exchange>>) {
  const { etag: _, ...rest } = lines;
  const text = bytes
    .replaceAll(/W\/(&quot;|")[\w.-]*\1/g, 'TAG')
    .replaceAll(/^(DTSTAMP|LAST-MODIFIED):.*$/gm, '')
    .replaceAll(/<updated>.*?<\/updated>/g, '')
    .replaceAll(/<time datetime="[^"]*T[^"]*">.*?<\/time>/g, '');
  return { status, lines: rest, text };
}

const encodings = ['identity', 'gzip', 'br'];

async function withTag(origin: string, asked: Request): Promise<Request> {
  const answer = await fetch(`${origin}${asked.path}`, { headers: asked.headers });
  await answer.arrayBuffer();
  assert.equal(answer.status, 200, asked.path);
  return { ...asked, headers: { ...asked.headers, 'if-none-match': answer.headers.get('etag') ?? '' } };
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN;
}
