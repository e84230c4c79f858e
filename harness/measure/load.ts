import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { LoadOrder, LoadReport } from './load-child.ts';
import { ended } from './serve-process.ts';

/** The number of connections, the same as in the server's pool. */
export const connections = 10;

/** A request, with its headers by name. */
export interface Request {
  path: string;
  headers: Record<string, string>;
}

export interface Caller {
  /** Asks for the targets in turn, from a random start. */
  call: (origin: string, requests: Request[], until: Partial<LoadOrder>) => Promise<LoadReport>;
  /** Returns the number of answers per second that have this status. */
  rate: (origin: string, requests: Request[], expected: 200 | 304, seconds: number) => Promise<number>;
  close: () => Promise<void>;
}

/** Starts the load generator in load-child.ts, which is the same for all columns. */
export function startCaller(): Caller {
  const child = fork(new URL('load-child.ts', import.meta.url));
  const call: Caller['call'] = async (origin, requests, until) => {
    const { host, port } = new URL(origin);
    const texts = requests.map(({ path: target, headers }) => {
      const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
      return `GET ${target} HTTP/1.1\r\n${lines.join('')}\r\n`;
    });
    const order: LoadOrder = {
      port: Number(port),
      requests: texts,
      connections,
      seconds: 3_600,
      most: Number.MAX_SAFE_INTEGER,
      ...until,
    };
    const reported = once(child, 'message');
    child.send(order);
    const [report] = (await reported) as [LoadReport];
    return report;
  };
  return {
    call,
    rate: async (origin, requests, expected, seconds) => {
      const { answers, seconds: taken, statuses } = await call(origin, requests, { seconds });
      // Every six hours the cursors of a list change, and its tag with them, so one of many requests may be a
      // 200.
      const right = statuses[expected] ?? 0;
      assert.ok(right >= 0.9 * answers, JSON.stringify(statuses));
      return right / taken;
    },
    close: () => ended(child),
  };
}
