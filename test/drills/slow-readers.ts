import { Agent, get } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Drill } from './drill.ts';
import {
  heavyPage,
  type HeavyServer,
  residentMb,
  usualPages,
  watchMemory,
  withHeavyServer,
} from './heavy-pages.ts';

// Callers who ask for large answers and do not read them.

const neverReadingOneKey: Drill = {
  name: 'never-reading-one-key',
  expected: '100 connections of one key never read 2 MB: memory grows < 170 MB, p99 of another caller ≤ 3 ×',
  run: (options) =>
    withHeavyServer(options, {}, (server) => neverReading(server, 1, 170, secondsOf(options.size))),
};

const neverReadingManyKeys: Drill = {
  name: 'never-reading-many-keys',
  expected: '100 connections of 8 keys never read 2 MB: memory grows < 250 MB, p99 of another caller ≤ 3 ×',
  run: (options) =>
    withHeavyServer(options, {}, (server) => neverReading(server, 8, 250, secondsOf(options.size))),
};

const gzipAtOnce: Drill = {
  name: 'gzip-at-once',
  expected: '16 callers ask for 2 MB with gzip at once: all get it',
  run: (options) =>
    withHeavyServer(options, {}, async ({ origin, keys }) => {
      const together = await Promise.all(
        Array.from({ length: 16 }, () => ask(origin, heavyPage, keys[0], 'gzip')),
      );
      // Not shared: each is a read of its own, from different callers.
      const apart = await Promise.all(
        Array.from({ length: 16 }, (_, i) =>
          ask(origin, heavyPage.replace('100', String(100 - i)), keys[i % keys.length], 'gzip'),
        ),
      );
      const counted = (answers: Answered[]) => {
        const good = answers.filter(({ status }) => status === 200).length;
        return `${good} × 200, ${answers.length - good} × 503, slowest ${Math.round(Math.max(...answers.map(({ ms }) => ms)))} ms`;
      };
      return {
        met: together.every(({ status }) => status === 200),
        figures: `the same page: ${counted(together)}; 16 different pages: ${counted(apart)}`,
      };
    }),
};

const slowClients: Drill = {
  name: 'slow-clients',
  expected: '200 trickling, 20 never reading: closed after 7 s without progress, memory grows < 150 MB',
  run: (options) =>
    withHeavyServer(options, {}, async (server) => {
      await warmUp(server);
      const before = await residentMb(server.pid);
      const memoryPeak = watchMemory(server.pid);
      const head = requestFor(heavyPage, server.keys[1]);
      const trickling = Array.from({ length: 200 }, () => trickle(server.origin, head));
      const silent = Array.from({ length: 20 }, () => neverRead(server.origin, head));
      const closedAfter = await Promise.all([...silent, ...trickling].map(({ closed }) => closed));
      const ofSilent = closedAfter.slice(0, silent.length);
      const ofTrickling = closedAfter.slice(silent.length);
      const growth = (await memoryPeak()) - before;
      const slowest = Math.max(...ofSilent);
      return {
        met: growth < 150 && slowest < 10_500 && Math.max(...ofTrickling) < 12_000,
        figures: `never reading: closed after ${range(ofSilent)} s; trickling requests: closed after ${range(ofTrickling)} s; memory ${before} + ${growth} MB`,
      };
    }),
};

export const slowReaders: Drill[] = [neverReadingOneKey, neverReadingManyKeys, gzipAtOnce, slowClients];

function secondsOf(size: 'small' | 'stated'): number {
  return size === 'small' ? 3 : 20;
}

async function neverReading(server: HeavyServer, keys: number, mostGrowth: number, seconds: number) {
  await warmUp(server);
  const alone = await p99Of(server, seconds);
  const before = await residentMb(server.pid);
  const memoryPeak = watchMemory(server.pid);
  const over = new AbortController();
  let connections = 0;
  const attack = Array.from({ length: 100 }, async (_, i) => {
    // Half of them ask for the same page. The others ask for pages that they cannot share.
    const page = i % 2 === 0 ? heavyPage : heavyPage.replace('100', String(100 - (i % 50)));
    while (!over.signal.aborted) {
      connections += 1;
      const { socket, closed } = neverRead(server.origin, requestFor(page, server.keys[1 + (i % keys)]));
      await Promise.race([closed, sleep(seconds * 1_000)]);
      socket.destroy();
      // A refused request is closed soon. It must not turn this into a measurement of connecting.
      await sleep(200);
    }
  });
  const beside = await p99Of(server, seconds);
  over.abort();
  await Promise.all(attack);
  const growth = (await memoryPeak()) - before;
  return {
    met: growth < mostGrowth && beside.p99 <= 3 * alone.p99 && beside.failed === 0,
    figures: `memory ${before} + ${growth} MB; another caller's p99 ${alone.p99.toFixed(1)} ms alone, ${beside.p99.toFixed(1)} ms beside, ${beside.failed} of ${beside.count} failed; ${connections} connections`,
  };
}

async function warmUp(server: HeavyServer): Promise<void> {
  for (let i = 0; i < 5; i += 1) await ask(server.origin, heavyPage, server.keys[0]);
  await p99Of(server, 2);
}

interface Answered {
  status: number;
  ms: number;
}

/** One caller who asks for usual pages, one after the other. */
async function p99Of({ origin, keys }: HeavyServer, seconds: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times: number[] = [];
  let failed = 0;
  const until = performance.now() + seconds * 1_000;
  for (let i = 0; performance.now() < until; i += 1) {
    const { status, ms } = await ask(origin, usualPages[i % usualPages.length] ?? '', keys[0], '', agent);
    if (status !== 200) failed += 1;
    times.push(ms);
    await sleep(2);
  }
  agent.destroy();
  const sorted = times.toSorted((a, b) => a - b);
  return { p99: sorted[Math.floor(sorted.length * 0.99)] ?? 0, failed, count: times.length };
}

function ask(origin: string, path: string, key = '', encoding = '', agent?: Agent): Promise<Answered> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}`, 'accept-encoding': encoding };
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
