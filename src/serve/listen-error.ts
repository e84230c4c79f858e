export const listeners = {
  api: { name: 'API', host: 'API_HOST', port: 'API_PORT' },
  site: { name: 'site', host: 'SITE_HOST', port: 'SITE_PORT' },
  ops: { name: 'private listener', host: 'OPS_HOST', port: 'OPS_PORT' },
};

export type ListenerKey = keyof typeof listeners;

/** A listener cannot have its address. The message says why and what to do. */
export class ListenError extends Error {
  /** Another program listens there. */
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
