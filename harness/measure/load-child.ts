import { connect, type Socket } from 'node:net';

// node harness/measure/load-child.ts, with an IPC channel
//
// The load generator. Each connection sends the next request when the answer to its last one is complete. It
// reads only what it must: the status, the length and whether the connection stays open.

export interface LoadOrder {
  port: number;
  requests: string[];
  connections: number;
  /** The end of the load: a time, or a number of answers. */
  seconds: number;
  most: number;
}

export interface LoadReport {
  answers: number;
  seconds: number;
  statuses: Record<string, number>;
}

const endOfHead = Buffer.from('\r\n\r\n');

if (process.send !== undefined) {
  process.on('message', (order: LoadOrder) => {
    void drive(order).then((report) => process.send?.(report));
  });
  process.on('disconnect', () => process.exit());
}

async function drive(order: LoadOrder): Promise<LoadReport> {
  const requests = order.requests.map((request) => Buffer.from(request));
  const startedAt = performance.now();
  const endAt = startedAt + order.seconds * 1_000;
  const statuses: Record<string, number> = {};
  let next = Math.floor(Math.random() * requests.length);
  let sent = 0;
  let answers = 0;

  /** Returns undefined when the load is over. */
  const nextRequest = (): Buffer | undefined => {
    if (sent >= order.most || performance.now() >= endAt) return undefined;
    sent += 1;
    next = (next + 1) % requests.length;
    return requests[next];
  };
  const count = (status: string) => {
    answers += 1;
    statuses[status] = (statuses[status] ?? 0) + 1;
  };
  await Promise.all(
    Array.from({ length: order.connections }, () => callUntilTheEnd(order.port, nextRequest, count)),
  );
  return { answers, seconds: (performance.now() - startedAt) / 1_000, statuses };
}

function callUntilTheEnd(
  port: number,
  nextRequest: () => Buffer | undefined,
  count: (status: string) => void,
): Promise<void> {
  return new Promise((resolve) => {
    let socket: Socket;
    let unread: Buffer = Buffer.alloc(0);
    /** The number of body bytes that are still to come. */
    let left = 0;
    let closes = false;

    const send = () => {
      const request = nextRequest();
      if (request === undefined) {
        socket.destroy();
        resolve();
      } else socket.write(request);
    };
    // The server refuses or ends a connection that is waiting for an answer. This counts as an answer with an
    // error.
    const fail = () => {
      socket.destroy();
      count('error');
      if (nextRequest() === undefined) resolve();
      else setTimeout(open, 10);
    };
    const open = () => {
      unread = Buffer.alloc(0);
      left = 0;
      closes = false;
      socket = connect({ port, host: '127.0.0.1', noDelay: true }, send);
      socket.on('data', read);
      socket.on('error', fail);
      socket.on('end', fail);
    };
    const read = (chunk: Buffer) => {
      if (left > 0) {
        left -= chunk.length;
      } else {
        unread = unread.length === 0 ? chunk : Buffer.concat([unread, chunk]);
        const end = unread.indexOf(endOfHead);
        if (end < 0) return;
        const head = unread.toString('latin1', 0, end + 2).toLowerCase();
        count(head.slice(9, 12));
        closes = head.includes('\r\nconnection: close\r\n');
        left = lengthIn(head) - (unread.length - end - 4);
        unread = Buffer.alloc(0);
      }
      if (left > 0) return;
      left = 0;
      if (closes) {
        socket.destroy();
        open();
      } else send();
    };
    open();
  });
}

/** Returns the length of the body. A 304 has no body, and may have no length. */
function lengthIn(head: string): number {
  const name = '\r\ncontent-length: ';
  const at = head.indexOf(name);
  return at < 0 || head.startsWith('304', 9) ? 0 : Number.parseInt(head.slice(at + name.length), 10);
}
