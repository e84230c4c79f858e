import assert from 'node:assert/strict';
import { Agent, get } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Proof } from '../proofs/proof.ts';
import { heavyPage, type HeavyServer, usualPages, watchMemory, withHeavyServer } from './heavy-pages.ts';

const maxMegabytes = 512;

/**
 * Callers of eight keys ask for answers of 2 MB and do not read them, send requests byte by byte, or ask for hundreds of answers
 * ahead. The server stays below 512 MB and closes them, and another caller hardly notices.
 */
export const slowReaders: Proof = ({ serverUrl, size }) =>
  withHeavyServer(serverUrl, async (server) => {
    const seconds = size === 'small' ? 3 : 20;
    for (let i = 0; i < 5; i += 1) await ask(server.origin, heavyPage, server.keys[0]);
    await p99Of(server, 2);
    const alone = await p99Of(server, seconds);
    const memoryPeak = watchMemory(server.pid);
    const beside = await besideNeverReading(server, seconds);
    const closed = await slowClients(server);
    const ahead = askAhead(server, size === 'small' ? 50 : 500);
    await sleep(6_000);
    for (const socket of ahead) socket.destroy();
    const peak = await memoryPeak();
    const figure = `At most ${peak} MB; another caller's p99 ${alone.p99.toFixed(1)} ms alone, ${beside.p99.toFixed(1)} ms beside.`;
    assert.ok(peak <= maxMegabytes && beside.failed === 0, figure);
    if (size === 'stated') assert.ok(beside.p99 <= 3 * alone.p99, figure);
    assert.ok(Math.max(...closed.silent) < 10_500 && Math.max(...closed.trickling) < 12_000);
    return [
      figure,
      `100 connections that never read 2 MB, ${beside.count} requests of another caller beside them: ${beside.failed} failed. Never reading: closed after ${range(closed.silent)} s. Byte by byte: closed after ${range(closed.trickling)} s. ${ahead.length} connections asked 300 times ahead.`,
    ];
  });

/** Half of them ask for the same page. The others ask for pages that they cannot share. */
async function besideNeverReading(server: HeavyServer, seconds: number) {
  const over = new AbortController();
  const attack = Array.from({ length: 100 }, async (_, i) => {
    const page = i % 2 === 0 ? heavyPage : heavyPage.replace('100', String(100 - (i % 50)));
    while (!over.signal.aborted) {
      const { socket, closed } = neverRead(server.origin, requestFor(page, server.keys[1 + (i % 8)]));
      await Promise.race([closed, sleep(seconds * 1_000)]);
      socket.destroy();
      // A refused request is closed soon. It must not turn this into a measurement of connecting.
      await sleep(200);
    }
  });
  const beside = await p99Of(server, seconds);
  over.abort();
  await Promise.all(attack);
  return beside;
}

/** Milliseconds until the server closed each connection. */
async function slowClients({ origin, keys }: HeavyServer) {
  const head = requestFor(heavyPage, keys[1]);
  const trickling = Array.from({ length: 200 }, () => trickle(origin, head));
  const silent = Array.from({ length: 20 }, () => neverRead(origin, head));
  // One that the server forgets counts as half a minute.
  const closedAfter = (all: Slow[]) =>
    Promise.all(all.map(({ closed }) => Promise.race([closed, sleep(30_000, 30_000)])));
  return { silent: await closedAfter(silent), trickling: await closedAfter(trickling) };
}

function askAhead({ origin, keys }: HeavyServer, connections: number): Socket[] {
  return Array.from({ length: connections }, () => {
    const { socket } = open(origin);
    socket.write(requestFor(`${usualPages[0]}?limit=100`, keys[1]).repeat(300));
    return socket;
  });
}

/** One caller who asks for usual pages, one after the other. */
async function p99Of({ origin, keys }: HeavyServer, seconds: number) {
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
  return { p99: sorted[Math.floor(sorted.length * 0.99)] ?? 0, failed, count: times.length };
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

function requestFor(path: string, key = ''): string {
  return `GET ${path} HTTP/1.1\r\nHost: drill\r\nAuthorization: Bearer ${key}\r\n\r\n`;
}

interface Slow {
  socket: Socket;
  /** Milliseconds until the server closed the connection. */
  closed: Promise<number>;
}

/** Asks twice, and never reads what comes. The kernel takes the first answer from the server, but not both. */
function neverRead(origin: string, request: string): Slow {
  const slow = open(origin);
  slow.socket.write(request.repeat(2));
  return slow;
}

/** Sends a byte of its request every 200 ms. */
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
  // A reset shows although nothing is read. An orderly end shows only when a write fails.
  const probe = setInterval(() => socket.write(''), 500);
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
