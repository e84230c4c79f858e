export const listeners = {
  api: { name: 'API', settings: 'API_HOST, API_PORT' },
  site: { name: 'site', settings: 'SITE_HOST, SITE_PORT' },
  ops: { name: 'private listener', settings: 'OPS_HOST, OPS_PORT' },
};

export type ListenerKey = keyof typeof listeners;

/** A listener cannot have its address. The message is one sentence. */
export class ListenError extends Error {
  constructor(listener: ListenerKey, host: string, port: number, cause: NodeJS.ErrnoException) {
    const { name, settings } = listeners[listener];
    const why = reasons[cause.code ?? ''] ?? cause.message;
    super(`The ${name} cannot listen on ${host}:${port} (${settings}): ${why}.`, { cause });
  }
}

const reasons: Record<string, string> = {
  EADDRINUSE: 'the port is taken',
  EACCES: 'this user may not use the port',
  EADDRNOTAVAIL: 'this machine does not have the address',
  ENOTFOUND: 'there is no such host',
};
