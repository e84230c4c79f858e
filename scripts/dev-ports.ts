import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { type Config, settings } from '../src/config.ts';

const listeners = [
  { listener: 'API', hostKey: 'apiHost', portKey: 'apiPort' },
  { listener: 'site', hostKey: 'siteHost', portKey: 'sitePort' },
  { listener: 'private listener', hostKey: 'opsHost', portKey: 'opsPort' },
] as const;

type PortKey = (typeof listeners)[number]['portKey'];

/** A listener cannot have its port. The message is one sentence. */
export class PortError extends Error {}

/**
 * For each listener the port that its setting names, else the usual one, else a free one. `notice` is one line about the
 * usual ports that are not free.
 */
export async function choosePorts(
  config: Config,
  environment: NodeJS.ProcessEnv,
): Promise<{ ports: Record<PortKey, number>; notice: string | undefined }> {
  const ports = { apiPort: 0, sitePort: 0, opsPort: 0 };
  const held: Server[] = [];
  const isNamed = (key: PortKey) => Boolean(environment[settings[key].name]);
  try {
    // What settings name goes first: no other listener may take it as its usual port. Each port is held until all are
    // chosen, so that no two listeners get the same one.
    const inOrder = listeners.toSorted((a, b) => Number(isNamed(b.portKey)) - Number(isNamed(a.portKey)));
    for (const { listener, hostKey, portKey } of inOrder) {
      const host = config[hostKey];
      const server = await hold(host, config[portKey]).catch(async (error: NodeJS.ErrnoException) => {
        const isTaken = error.code === 'EADDRINUSE';
        if (isTaken && !isNamed(portKey)) return hold(host, 0);
        const names = `${settings[hostKey].name}, ${settings[portKey].name}`;
        const why = isTaken ? 'the port is taken' : error.message;
        throw new PortError(
          `The ${listener} cannot listen on ${host}:${config[portKey]} (${names}): ${why}.`,
        );
      });
      held.push(server);
      ports[portKey] = (server.address() as AddressInfo).port;
    }
  } finally {
    for (const server of held) await new Promise((resolve) => server.close(resolve));
  }
  const moved = listeners
    .filter(({ portKey }) => !isNamed(portKey) && ports[portKey] !== config[portKey])
    .map(({ listener, portKey }) => `the ${listener} is on ${ports[portKey]} instead of ${config[portKey]}`);
  return {
    ports,
    notice: moved.length === 0 ? undefined : `The usual ports are not all free: ${moved.join(', ')}.`,
  };
}

async function hold(host: string, port: number): Promise<Server> {
  const server = createServer().listen(port, host);
  await once(server, 'listening');
  return server;
}
