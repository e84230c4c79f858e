import assert from 'node:assert/strict';
import { type BareServer, startBare } from './bare.ts';
import type { DriverGiven } from './driver-child.ts';
import type { Endpoint } from './endpoints.ts';
import { keysOf } from './endpoints.ts';
import { type Caller, type Request, startCaller } from '../harness/measure/load.ts';
import type { MapGiven } from './map-child.ts';
import { startServe, type ServeProcess } from '../harness/measure/serve-process.ts';
import { type Spread, spreadOf } from '../harness/measure/spread.ts';
import type { World } from './world.ts';

/**
 * The columns that we measure for each endpoint, with ten connections, as many as the pool of a server has.
 * `driver`, `fastify`, `map` and `bare` are the
 * baselines.
 *
 * - `driver`: a bare `node:http` server that runs the statement with our driver: no key, no cache, no log.
 * - `fastify`: the same answers from Fastify with `pg`, as one would write it in an afternoon.
 * - `cold`: answers that are not in memory, because the keys are asked for in turn and there are more of them
 *   than the cache holds.
 * - `hot`: 32 answers, again and again. `304`: the same with the current tag. `gzip`, `br`: the same,
 *   compressed.
 * - `map`: a plain `node:http` server that sends the answers of `hot` from a Map. It checks the key, sends
 *   the same headers and writes a line to the log. `bare`: the same server without these three.
 * - `listener`: our own listener: the same answers from memory, without key and log.
 */
export const columns = [
  'driver',
  'fastify',
  'cold',
  'hot',
  '304',
  'gzip',
  'br',
  'map',
  'bare',
  'listener',
] as const;
export type Column = (typeof columns)[number];

export interface MeasuredEndpoint {
  endpoint: string;
  isList: boolean;
  /** The number of answers that the cold column draws from, and their mean size. */
  coldKeys: number;
  coldBytes: number;
  hotKeys: number;
  hotBytes: number;
  /** CACHE_MB of the server for the cold column. */
  coldCacheMb: number;
  /** Answers per second. A column without a figure could not be measured. */
  columns: Partial<Record<Column, Spread>>;
}

export interface ColumnOptions {
  endpoints: Endpoint[];
  /** The number of turns for each column, and the length of a turn. */
  slices: number;
  seconds: number;
  /** The length of the first turn for each server, which doubles its speed in about ten seconds. */
  warmUpSeconds: number;
  /**
   * No slice except the first one begins after this time, so that a busy machine does not make the run
   * longer.
   */
  enoughMs?: number;
  onProgress?: (line: string) => void;
}

interface Parts {
  world: World;
  load: Caller;
  map: BareServer<MapGiven>;
  bare: BareServer<MapGiven>;
  listener: BareServer<MapGiven>;
  driver: BareServer<DriverGiven>;
  fastify: BareServer<DriverGiven>;
  hot: ServeProcess;
  /** Returns the server of the cold column with this CACHE_MB. */
  coldServer: (cacheMb: number) => Promise<ServeProcess>;
  /** The origins of the servers that have been asked before. */
  warm: Set<string>;
}

type Turn = [column: Column, origin: string, requests: Request[], expected?: 200 | 304];

const maxHotKeys = 32;

/** Measures all columns of each endpoint in turns, so that a noisy moment of the machine affects them all. */
export async function measureColumns(world: World, options: ColumnOptions): Promise<MeasuredEndpoint[]> {
  const open: { close: () => Promise<void> }[] = [];
  const keep = <T extends { close: () => Promise<void> }>(part: T): T => {
    open.push(part);
    return part;
  };
  const cold = new Map<number, ServeProcess>();
  try {
    const parts: Parts = {
      world,
      load: keep(startCaller()),
      map: keep(await startBare('map-child.ts')),
      bare: keep(await startBare('map-child.ts')),
      listener: keep(await startBare('listener-child.ts')),
      driver: keep(await startBare('driver-child.ts', { DATABASE_URL: world.url })),
      fastify: keep(await startBare('fastify-child.ts', { DATABASE_URL: world.url })),
      hot: keep(await startServe(world.url)),
      coldServer: async (cacheMb) => {
        const server = cold.get(cacheMb) ?? keep(await startServe(world.url, { CACHE_MB: String(cacheMb) }));
        cold.set(cacheMb, server);
        return server;
      },
      warm: new Set(),
    };
    const endpoints: MeasuredEndpoint[] = [];
    for (const endpoint of options.endpoints) {
      options.onProgress?.(`${endpoint.name} …`);
      endpoints.push(await measureEndpoint(endpoint, parts, options));
    }
    return endpoints;
  } finally {
    for (const part of open.toReversed()) await part.close();
  }
}

async function measureEndpoint(
  endpoint: Endpoint,
  parts: Parts,
  { slices, seconds, warmUpSeconds, enoughMs = Infinity }: ColumnOptions,
): Promise<MeasuredEndpoint> {
  const enoughAt = performance.now() + enoughMs;
  const { world, load, map, bare, listener, driver, fastify, hot, warm } = parts;
  const keys = await keysOf(world.pool, endpoint);
  const coldPaths = keys.map(endpoint.path);
  const hotPaths = coldPaths.slice(0, maxHotKeys);
  const authorization = { authorization: `Bearer ${world.key}` };
  const request = (path: string, headers = {}): Request => ({
    path,
    headers: { ...authorization, ...headers },
  });

  const bodies = await answersOf(
    hot.origin,
    hotPaths.map((path) => request(path)),
    200,
  );
  const coldBodies = await answersOf(
    hot.origin,
    coldPaths.slice(0, 100).map((path) => request(path)),
    200,
  );
  const coldBytes = mean(coldBodies.map(({ body }) => Buffer.byteLength(body)));
  const answers = Object.fromEntries(bodies.map(({ path, body, headers }) => [path, { body, headers }]));
  await map.give({ key: world.key, answers });
  await bare.give({ key: undefined, answers });
  await listener.give({ key: undefined, answers });
  const statements = {
    statement: endpoint.statement,
    values: Object.fromEntries(keys.map((key) => [endpoint.path(key), endpoint.values(key)])),
  };
  await driver.give(statements);
  await fastify.give(statements);

  // An LRU cache that is asked in turn for more than it holds never has the next answer.
  const coldCacheMb = coldBytes * keys.length > 4e6 ? 1 : 0;
  const cold = await parts.coldServer(coldCacheMb);
  const encoded = (encoding: string) =>
    hotPaths.map((path) => request(path, { 'accept-encoding': encoding }));
  const holding = async () => {
    const fresh = await answersOf(
      hot.origin,
      hotPaths.map((path) => request(path)),
      200,
    );
    const requests = fresh.map(({ path, tag }) => request(path, { 'if-none-match': tag }));
    await answersOf(hot.origin, requests, 304);
    return requests;
  };
  // Every six hours a list gets other cursors and another tag, which may happen between the two requests.
  const held = await holding().catch(holding);
  // The server does not compress small answers, so the column would only repeat `hot`.
  const isCompressed = async (encoding: string) =>
    (await answersOf(hot.origin, encoded(encoding), 200)).some((answer) => answer.encoding === encoding);
  const compressed: Turn[] = [];
  for (const encoding of ['gzip', 'br'] as const) {
    if (await isCompressed(encoding)) compressed.push([encoding, hot.origin, encoded(encoding)]);
  }

  const plain = (paths: string[]) => paths.map((path) => request(path));
  const turns: Turn[] = [
    ['driver', driver.origin, plain(coldPaths)],
    ['fastify', fastify.origin, plain(coldPaths)],
    ['cold', cold.origin, plain(coldPaths)],
    ['hot', hot.origin, plain(hotPaths)],
    ['304', hot.origin, held, 304],
    ...compressed,
    ['map', map.origin, plain(hotPaths)],
    ['bare', bare.origin, plain(hotPaths)],
    ['listener', listener.origin, plain(hotPaths)],
  ];
  const rates = new Map<Column, number[]>();
  // The first turn only warms up: code is compiled and caches are filled.
  for (let slice = -1; slice < slices; slice += 1) {
    if (slice > 0 && performance.now() > enoughAt) break;
    for (const [column, origin, requests, expected = 200] of turns) {
      const rate = await load.rate(origin, requests, expected, warm.has(origin) ? seconds : warmUpSeconds);
      warm.add(origin);
      if (slice >= 0) rates.set(column, [...(rates.get(column) ?? []), rate]);
    }
  }
  return {
    endpoint: endpoint.name,
    isList: endpoint.isList,
    coldKeys: keys.length,
    coldBytes,
    hotKeys: hotPaths.length,
    hotBytes: mean(bodies.map(({ body }) => Buffer.byteLength(body))),
    coldCacheMb,
    columns: Object.fromEntries([...rates].map(([column, each]) => [column, spreadOf(each)])),
  };
}

interface Answer {
  path: string;
  body: string;
  tag: string;
  encoding: string | null;
  /** The headers without those in `ofOneRequest`. */
  headers: Record<string, string>;
}

/** Headers that belong to one request or one connection. */
export const ofOneRequest = new Set(['x-request-id', 'date', 'connection', 'keep-alive']);

/** Sends each request once, to make sure that a column measures what its name says. */
async function answersOf(origin: string, requests: Request[], expected: 200 | 304): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const { path, headers } of requests) {
    const response = await fetch(`${origin}${path}`, {
      headers: { 'accept-encoding': 'identity', ...headers },
    });
    assert.equal(response.status, expected, path);
    answers.push({
      path,
      body: await response.text(),
      tag: response.headers.get('etag') ?? '',
      encoding: response.headers.get('content-encoding'),
      headers: Object.fromEntries([...response.headers].filter(([name]) => !ofOneRequest.has(name))),
    });
  }
  return answers;
}

function mean(numbers: number[]): number {
  return Math.round(numbers.reduce((sum, each) => sum + each, 0) / Math.max(1, numbers.length));
}
