import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export const listeners = {
  api: { name: 'API', host: 'API_HOST', port: 'API_PORT' },
  site: { name: 'site', host: 'SITE_HOST', port: 'SITE_PORT' },
  ops: { name: 'private listener', host: 'OPS_HOST', port: 'OPS_PORT' },
};

export type ListenerKey = keyof typeof listeners;

/** Thrown if a listener cannot use its address. The message says why, and what to do. */
export class ListenError extends Error {
  /** True if another program is listening there. */
  readonly isTaken: boolean;

  constructor(listener: ListenerKey, host: string, port: number, cause: NodeJS.ErrnoException) {
    const { name, ...settings } = listeners[listener];
    const address = `${host.includes(':') ? `[${host}]` : host}:${port}`;
    const why =
      reasons[cause.code ?? '']?.(settings) ??
      `${cause.message}: check ${settings.host} and ${settings.port}`;
    super(`The ${name} cannot listen on ${address}: ${why}.`, { cause });
    this.isTaken = cause.code === 'EADDRINUSE';
  }
}

const noHost = ({ host }: { host: string }) => `there is no such host: correct ${host}`;

const reasons: Record<string, (settings: { host: string; port: string }) => string> = {
  EADDRINUSE: ({ port }) => `the port is taken: set ${port} to another, or end the program that has it`,
  EACCES: ({ port }) => `this user may not use the port: set ${port} to one above 1023`,
  EADDRNOTAVAIL: ({ host }) => `this machine does not have the address: correct ${host}`,
  ENOTFOUND: noHost,
  EAI_AGAIN: noHost,
};

export async function bind(listener: ListenerKey, host: string, port: number, server: Server): Promise<void> {
  try {
    await once(server.listen({ host, port, backlog: maxUnaccepted }), 'listening');
  } catch (error) {
    throw new ListenError(listener, host, port, error as NodeJS.ErrnoException);
  }
}

/**
 * The number of connections that the kernel holds for a busy process. Node's default is 511. The kernel drops
 * any more, and a caller tries again only after 1 s, then 2 s, then 4 s.
 */
const maxUnaccepted = 4_096;

/** Stops listening, waits for open requests, and cuts off those that are still open after this time. */
export async function closeServer(server: Server | undefined, cutAfterMs = lastAnswersMs): Promise<void> {
  if (!server?.listening) return;
  const closed = once(server, 'close');
  server.close();
  // A connection whose last answer was sent before draining began becomes idle only later.
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const cut = setTimeout(() => server.closeAllConnections(), cutAfterMs);
  await closed;
  clearInterval(idle);
  clearTimeout(cut);
}

const lastAnswersMs = 5_000;

export function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

export function urlOf(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

/**
 * Returns the public address of a listener: the one that the operator has set, or its port on this machine.
 */
export function publicUrlOf(server: () => Server, given: string | undefined): () => string {
  let url = given;
  // Every answer needs it, and finding out the port costs a system call.
  return () => (url ??= `http://localhost:${portOf(server())}`);
}
