import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

// node test/drills/open-loop-child.ts '{"port":…,"key":…,"paths":[…],"rate":…,"seconds":…,"mostInFlight":…}'
//
// Opens `mostInFlight` connections, as a proxy in front of a server has them. Then sends requests at a fixed rate, whether
// answers come or not. With a huge rate, all connections send one request after the other. Prints what came: requests that
// found no free connection are `unsent`, times are counted from the sending.
interface Order {
  port: number;
  key: string;
  paths: string[];
  rate: number;
  seconds: number;
  mostInFlight: number;
}

export interface OpenLoopReport {
  /** Requests a second that were sent. */
  offered: number;
  unsent: number;
  /** Answers with 200, a second. */
  goodput: number;
  /** Milliseconds, of answers with 200. */
  p50: number;
  p99: number;
  statuses: Record<string, number>;
}

const order = JSON.parse(process.argv[2] ?? '') as Order;
const idle: Socket[] = [];
const statuses: Record<string, number> = {};
const times: number[] = [];
let [sent, unsent, inFlight] = [0, 0, 0];
let startedAt = 0;
const isOver = () => performance.now() - startedAt > order.seconds * 1_000;

await openAll();
startedAt = performance.now();
const timer = setInterval(sendDue, 2);
setTimeout(report, order.seconds * 1_000 + 4_000);

/** A few at a time: Node accepts one connection in each turn of its event loop. */
async function openAll(): Promise<void> {
  while (idle.length < order.mostInFlight) {
    const some = Array.from({ length: Math.min(50, order.mostInFlight - idle.length) }, open);
    await Promise.all(some.map((socket) => once(socket, 'connect')));
    idle.push(...some);
  }
  // Until the server has accepted the last ones.
  await sleep(500);
}

function sendDue(): void {
  if (isOver()) {
    clearInterval(timer);
    return;
  }
  const due = ((performance.now() - startedAt) / 1_000) * order.rate;
  while (sent + unsent < due) {
    if (inFlight < order.mostInFlight) send();
    else if (order.rate > 1e6) return;
    else unsent += 1;
  }
}

function send(): void {
  const path = order.paths[sent % order.paths.length] ?? '';
  sent += 1;
  inFlight += 1;
  const socket = idle.pop() ?? open();
  (socket as Socket & { sentAt: number }).sentAt = performance.now();
  socket.write(`GET ${path} HTTP/1.1\r\nHost: drill\r\nAuthorization: Bearer ${order.key}\r\n\r\n`);
}

function open(): Socket {
  const socket = connect(order.port, '127.0.0.1').setNoDelay(true);
  let head = '';
  let left = -1;
  let waits = true;
  const done = (status: string) => {
    if (!waits) return;
    inFlight -= 1;
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (status === '200') times.push(performance.now() - (socket as Socket & { sentAt: number }).sentAt);
  };
  socket.on('data', (bytes) => {
    if (left < 0) {
      head += bytes.toString('latin1');
      const end = head.indexOf('\r\n\r\n');
      if (end < 0) return;
      left = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0) - (head.length - end - 4);
    } else left -= bytes.length;
    if (left > 0) return;
    const closes = /\r\nconnection: close/i.test(head);
    done(head.slice(9, 12));
    [head, left] = ['', -1];
    if (closes) {
      waits = false;
      socket.destroy();
    } else idle.push(socket);
    if (order.rate > 1e6) sendDue();
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    const at = idle.indexOf(socket);
    if (at >= 0) idle.splice(at, 1);
    else done('error');
    waits = false;
  });
  return socket;
}

function report(): void {
  times.sort((a, b) => a - b);
  const at = (share: number) => Math.round(times[Math.floor(times.length * share)] ?? 0);
  const result: OpenLoopReport = {
    offered: Math.round(sent / order.seconds),
    unsent,
    goodput: Math.round((statuses['200'] ?? 0) / order.seconds),
    p50: at(0.5),
    p99: at(0.99),
    statuses,
  };
  console.log(JSON.stringify(result));
  process.exit();
}
