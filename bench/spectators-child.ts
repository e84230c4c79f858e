import { Agent, get, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

// node bench/spectators-child.ts, with an IPC channel
//
// Many spectators of one event, as the script of the page behaves: each asks for the fragment about every ten seconds, and for
// the page when the tag of the fragment moved, at most every 30 s. They share some connections, as behind a proxy.

export interface SpectatorOrder {
  origin: string;
  page: string;
  spectators: number;
  seconds: number;
}

export interface SpectatorReport {
  seconds: number;
  /** Answers by what was asked for, with their status. */
  answers: Record<string, number>;
  /** On the wire, in both directions. */
  bytes: number;
  /** Milliseconds. */
  p99: number;
}

const connections = 256;

if (process.send !== undefined) {
  process.on('message', (order: SpectatorOrder) => {
    void watch(order).then((report) => process.send?.(report));
  });
  process.on('disconnect', () => process.exit());
}

async function watch({ origin, page, spectators, seconds }: SpectatorOrder): Promise<SpectatorReport> {
  const sockets = new Set<Socket>();
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const answers: Record<string, number> = {};
  const times: number[] = [];
  const startedAt = performance.now();
  const endAt = startedAt + seconds * 1_000;

  const ask = async (what: string, path: string, held: string): Promise<string> => {
    const askedAt = performance.now();
    const message = await answerTo(`${origin}${path}`, agent, held, sockets);
    const key = `${what} ${message.statusCode}`;
    answers[key] = (answers[key] ?? 0) + 1;
    times.push(performance.now() - askedAt);
    return message.headers.etag ?? held;
  };

  // All begin with the page that is fresh now.
  const text = await (await fetch(`${origin}${page}`)).text();
  const heldOf = (name: string) =>
    (new RegExp(`data-${name}="([^"]+)"`).exec(text)?.[1] ?? '').replaceAll('&quot;', '"');
  const first = { tag: heldOf('tag'), now: heldOf('now'), fragment: heldOf('fragment') };

  const spectator = async (): Promise<void> => {
    let { tag, fragment } = first;
    let ofPage = fragment;
    let fetchedAt = -Infinity;
    await sleep(Math.random() * 10_000);
    while (performance.now() < endAt) {
      fragment = await ask('fragment', first.now, fragment);
      if (fragment !== ofPage && performance.now() - fetchedAt >= 30_000) {
        tag = await ask('page', page, tag);
        fetchedAt = performance.now();
        ofPage = fragment;
      }
      await sleep(8_000 + Math.random() * 4_000);
    }
  };
  await Promise.all(Array.from({ length: spectators }, spectator));
  const bytes = [...sockets].reduce((sum, { bytesRead, bytesWritten }) => sum + bytesRead + bytesWritten, 0);
  agent.destroy();
  const taken = (performance.now() - startedAt) / 1_000;
  const p99 = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0;
  return { seconds: taken, answers, bytes, p99: Math.round(p99) };
}

function answerTo(url: string, agent: Agent, held: string, sockets: Set<Socket>): Promise<IncomingMessage> {
  const headers = { 'accept-encoding': 'br', 'if-none-match': held };
  return new Promise((resolve, reject) => {
    get(url, { agent, headers }, (message) => {
      message.resume().on('end', () => resolve(message));
    })
      .on('socket', (socket) => sockets.add(socket))
      .on('error', reject);
  });
}
