import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { quantile } from '../measure/spread.ts';
import { heavyPage, type HeavyServer, usualPages, watchMemory, withHeavyServer } from './heavy-server.ts';
import type { Proof } from './proof.ts';

const maxMegabytes = 512;
const longestP99 = 250;
/** The maximum time to wait until the server closes a slow connection. */
const forgottenMs = 120_000;

/**
 * Proves that hostile callers do no harm: they do not read answers of 2 MB, send requests byte by byte, ask
 * for hundreds of answers ahead, or send a thousand requests in one write. The server stays below 512 MB and
 * closes slow connections. Another key is never refused.
 */
export const hostileCallers: Proof = ({ serverUrl, size }) =>
  withHeavyServer(serverUrl, async (server) => {
    const seconds = size === 'small' ? 2 : 15;
    for (let i = 0; i < 5; i += 1) await ask(server.origin, heavyPage, server.keys[0]);
    await knownKey(server, 2);
    const alone = await knownKey(server, seconds);
    const memoryPeak = watchMemory(server.pid);
    const figures = [`Alone: p99 ${alone.p99.toFixed(1)} ms.`];
    let [slowest, requests] = [0, 0];
    for (const [what, attack] of Object.entries(attacks)) {
      const over = new AbortController();
      const attacking = attack(server, over.signal);
      const { p99, failed, count } = await knownKey(server, seconds);
      over.abort();
      await attacking;
      const figure = `${what}: p99 ${p99.toFixed(1)} ms, ${failed} of ${count} failed.`;
      assert.equal(failed, 0, figure);
      if (size === 'stated') assert.ok(p99 <= (what === neverReading ? 3 * alone.p99 : longestP99), figure);
      [slowest, requests] = [Math.max(slowest, p99), requests + count];
      figures.push(figure);
    }
    const closed = await slowClients(server);
    const peak = await memoryPeak();
    assert.ok(peak <= maxMegabytes, `${peak} MB`);
    const [silentMs, tricklingMs] = size === 'stated' ? [10_500, 12_000] : [forgottenMs, forgottenMs];
    assert.ok(Math.max(...closed.silent) < silentMs && Math.max(...closed.trickling) < tricklingMs);
    return [
      `At most ${peak} MB; 0 of ${requests} failed, p99 at most ${slowest.toFixed(0)} ms.`,
      ...figures,
      `Never reading: closed after ${range(closed.silent)} s. Byte by byte: closed after ${range(closed.trickling)} s.`,
    ];
  });

type Attack = (server: HeavyServer, over: AbortSignal) => Promise<void>;

const neverReading = '100 connections that never read 2 MB';
const page = usualPages[0] ?? '';
const attacks: Record<string, Attack> = {
  // Half of them ask for the same page, and the others for pages that they cannot share.
  [neverReading]: ({ origin, keys }, over) =>
    again(over, 100, (i) => {
      const target = i % 2 === 0 ? heavyPage : heavyPage.replace('100', String(100 - (i % 50)));
      return neverRead(origin, requestFor(target, keys[1 + (i % 8)])).socket;
    }),
  '500 connections that ask 300 times ahead': ({ origin, keys }, over) =>
    again(over, 500, () => write(origin, requestFor(`${page}?limit=100`, keys[1]).repeat(300))),
  'a thousand refusals in one write': flood(() => requestFor(page)),
  'a thousand errors': flood((key) => requestFor('/api/v1/none', key)),
  'a thousand 304s': flood((key, etag) => requestFor(page, key, `If-None-Match: ${etag}`)),
  'a thousand answers from memory': flood((key) => requestFor(page, key)),
  'a thousand refusals, closed at once': ({ origin }, over) =>
    again(over, 100, () => write(origin, requestFor(page).repeat(1_000)).resume().end()),
};

/** Sends a thousand requests in one write. The ETag is that of the page. */
function flood(request: (key: string, etag: string) => string): Attack {
  return async ({ origin, keys: [, key = ''] }, over) => {
    const answer = await fetch(`${origin}${page}`, { headers: { authorization: `Bearer ${key}` } });
    const requests = request(key, answer.headers.get('etag') ?? '').repeat(1_000);
    await again(over, 100, () => write(origin, requests).resume());
  };
}

/** Opens that many connections, and opens each again when it is closed, until it is over. */
async function again(over: AbortSignal, connections: number, make: (i: number) => Socket): Promise<void> {
  const attack = async (_: unknown, i: number) => {
    while (!over.aborted) {
      const socket = make(i);
      await Promise.race([once(socket, 'close'), once(over, 'abort')]).catch(() => {});
      socket.destroy();
      // This must not become a measurement of connecting.
      await sleep(200);
    }
  };
  await Promise.all(Array.from({ length: connections }, attack));
}

/** Returns the milliseconds until the server closed each connection. */
async function slowClients({ origin, keys }: HeavyServer) {
  const head = requestFor(heavyPage, keys[1]);
  const trickling = Array.from({ length: 200 }, () => trickle(origin, head));
  const silent = Array.from({ length: 20 }, () => neverRead(origin, head));
  const closedAfter = (all: Slow[]) =>
    Promise.all(all.map(({ closed }) => Promise.race([closed, sleep(forgottenMs, forgottenMs)])));
  return { silent: await closedAfter(silent), trickling: await closedAfter(trickling) };
}

/** Measures one caller who asks for ordinary pages, one after the other. */
async function knownKey({ origin, keys }: HeavyServer, seconds: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times: number[] = [];
  let failed = 0;
  const until = performance.now() + seconds * 1_000;
  for (let i = 0; performance.now() < until; i += 1) {
    const { status, ms } = await ask(origin, usualPages[i % usualPages.length] ?? '', keys[0], agent);
    if (status !== 200) failed += 1;
    times.push(ms);
    await sleep(2);
  }
  agent.destroy();
  const sorted = times.toSorted((a, b) => a - b);
  return { p99: quantile(sorted, 0.99), failed, count: times.length };
}

function ask(origin: string, path: string, key = '', agent?: Agent): Promise<{ status: number; ms: number }> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}` };
    get(`${origin}${path}`, { headers, ...(agent && { agent }) }, (answer) => {
      answer.resume();
      answer.on('error', reject);
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, ms: performance.now() - startedAt }));
    }).on('error', reject);
  });
}

function requestFor(path: string, key = '', ...headers: string[]): string {
  return [`GET ${path} HTTP/1.1`, 'Host: proof', `Authorization: Bearer ${key}`, ...headers, '', ''].join(
    '\r\n',
  );
}

interface Slow {
  socket: Socket;
  /** Resolves with the milliseconds until the server closed the connection. */
  closed: Promise<number>;
}

/**
 * Asks twice, and never reads the answers. The kernel takes the first answer from the server, but not both.
 */
function neverRead(origin: string, request: string): Slow {
  const slow = open(origin);
  slow.socket.write(request.repeat(2));
  return slow;
}

function write(origin: string, requests: string): Socket {
  const { socket } = open(origin);
  socket.write(requests);
  return socket;
}

/** Sends one byte of a request every 200 ms. */
function trickle(origin: string, request: string): Slow {
  const slow = open(origin);
  let at = 0;
  const timer = setInterval(() => slow.socket.write(request[at++ % request.length] ?? ''), 200);
  void slow.closed.then(() => clearInterval(timer));
  return slow;
}

function open(origin: string): Slow {
  const startedAt = performance.now();
  const socket = connect(Number(new URL(origin).port), '127.0.0.1').pause();
  // A reset is noticed although nothing is read. An orderly end is noticed only when a write fails.
  const probe = setInterval(() => socket.writable && socket.write(''), 500);
  const closed = new Promise<number>((resolve) => {
    socket.on('error', () => {});
    socket.on('close', () => {
      clearInterval(probe);
      resolve(performance.now() - startedAt);
    });
  });
  return { socket, closed };
}

function range(ms: number[]): string {
  const seconds = (value: number) => (value / 1_000).toFixed(1);
  return `${seconds(Math.min(...ms))}–${seconds(Math.max(...ms))}`;
}
