import { Agent, type ClientRequest, get, type IncomingMessage } from 'node:http';
import { Agent as TlsAgent, get as getOverTls } from 'node:https';
import type { Socket } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

// node bench/spectators-child.ts, with an IPC channel
//
// Many spectators of one event, who behave like the script of the page: each asks for the page about every
// ten seconds, with the tag of the copy that it holds. They share some connections, as behind a proxy.

export interface SpectatorOrder {
  /** The servers, among which the spectators are distributed. */
  origins: string[];
  /** The name in the certificate, for https. */
  host?: string;
  /** The pages. Each spectator looks at one of them, in turn. */
  pages: string[];
  spectators: number;
  seconds: number;
}

export interface SpectatorReport {
  seconds: number;
  /** The number of answers by status. */
  answers: Record<string, number>;
  /** Bytes on the wire, in both directions. */
  bytes: number;
  /** The time in milliseconds within which 99 % of the answers arrived. */
  p99: number;
  /**
   * The load of this process: how much of a core it used, and how late its own timers were (99 %,
   * milliseconds).
   */
  ownCore: number;
  ownDelay: number;
  /**
   * The moments at which a spectator saw newer content: the revisions before and after, and the time in
   * microseconds.
   */
  seen: [before: number, after: number, at: number][];
}

const connections = 256;

if (process.send !== undefined) {
  process.on('message', (order: SpectatorOrder) => {
    void watch(order).then((report) => process.send?.(report));
  });
  process.on('disconnect', () => process.exit());
}

async function watch({
  origins,
  host,
  pages,
  spectators,
  seconds,
}: SpectatorOrder): Promise<SpectatorReport> {
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  const used = process.cpuUsage();
  const seen: SpectatorReport['seen'] = [];
  const sockets = new Set<Socket>();
  const options = { keepAlive: true, maxSockets: connections / origins.length };
  const agent =
    host === undefined
      ? new Agent(options)
      : new TlsAgent({ ...options, servername: host, rejectUnauthorized: false });
  const answers: Record<string, number> = {};
  const times: number[] = [];
  const startedAt = performance.now();
  const endAt = startedAt + seconds * 1_000;

  const ask = async (origin: string, path: string, held: string): Promise<string> => {
    const askedAt = performance.now();
    const headers = { 'accept-encoding': 'br', 'if-none-match': held, ...(host !== undefined && { host }) };
    const message = await answerTo(`${origin}${path}`, agent, headers, sockets);
    const key = `page ${message.statusCode}`;
    answers[key] = (answers[key] ?? 0) + 1;
    times.push(performance.now() - askedAt);
    const { etag } = message.headers;
    if (etag === undefined || message.statusCode !== 200) return held;
    if (revisionIn(etag) > revisionIn(held))
      seen.push([revisionIn(held), revisionIn(etag), Date.now() * 1_000]);
    return etag;
  };

  // All spectators begin with the page as it is now.
  const firsts = new Map<string, string>();
  for (const page of new Set(pages)) {
    const text = await textOf(`${origins[0]}${page}`, agent, host);
    firsts.set(page, (/data-tag="([^"]+)"/.exec(text)?.[1] ?? '').replaceAll('&quot;', '"'));
  }

  const spectator = async (_: unknown, index: number): Promise<void> => {
    const origin = origins[index % origins.length] ?? '';
    const page = pages[Math.floor(index / origins.length) % pages.length] ?? '';
    let tag = firsts.get(page) ?? '';
    await sleep(Math.random() * 10_000);
    while (performance.now() < endAt) {
      tag = await ask(origin, page, tag);
      await sleep(8_000 + Math.random() * 4_000);
    }
  };
  await Promise.all(Array.from({ length: spectators }, spectator));
  const bytes = [...sockets].reduce((sum, { bytesRead, bytesWritten }) => sum + bytesRead + bytesWritten, 0);
  agent.destroy();
  const taken = (performance.now() - startedAt) / 1_000;
  const p99 = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0;
  const { user, system } = process.cpuUsage(used);
  return {
    seconds: taken,
    answers,
    bytes,
    p99: Math.round(p99),
    ownCore: (user + system) / 1e6 / taken,
    ownDelay: Math.round(delay.percentile(99) / 1e6),
    seen,
  };
}

/** Returns the revision in a tag. A tag begins with it, and it is a time in microseconds. */
function revisionIn(tag: string): number {
  return Number(/\d+/.exec(tag)?.[0] ?? 0);
}

async function textOf(url: string, agent: Agent, host: string | undefined): Promise<string> {
  let text = '';
  await answerTo(
    url,
    agent,
    host === undefined ? {} : { host },
    new Set(),
    (piece) => (text += piece.toString()),
  );
  return text;
}

function answerTo(
  url: string,
  agent: Agent,
  headers: Record<string, string>,
  sockets: Set<Socket>,
  onPiece: (piece: Buffer) => void = () => {},
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const ask = url.startsWith('https:') ? getOverTls : get;
    const asked: ClientRequest = ask(url, { agent, headers }, (message) => {
      message.on('data', onPiece).on('end', () => resolve(message));
    });
    asked.on('socket', (socket) => sockets.add(socket)).on('error', reject);
  });
}
