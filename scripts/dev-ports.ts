import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { type Config, settings } from '../src/config.ts';
import { ListenError, listeners } from '../src/serve/listen-error.ts';

const ports = [
  { listener: 'api', hostKey: 'apiHost', portKey: 'apiPort' },
  { listener: 'site', hostKey: 'siteHost', portKey: 'sitePort' },
  { listener: 'ops', hostKey: 'opsHost', portKey: 'opsPort' },
] as const;

type PortKey = (typeof ports)[number]['portKey'];

/**
 * For each listener the port that its setting names, else the usual one, else a free one. `notice` is one line about the
 * usual ports that are not free.
 */
export async function choosePorts(
  config: Config,
  environment: NodeJS.ProcessEnv,
): Promise<{ ports: Record<PortKey, number>; notice: string | undefined }> {
  const chosen = { apiPort: 0, sitePort: 0, opsPort: 0 };
  const held: Server[] = [];
  const isNamed = (key: PortKey) => Boolean(environment[settings[key].name]);
  try {
    // What settings name goes first: no other listener may take it as its usual port. Each port is held until all are
    // chosen, so that no two listeners get the same one.
    const inOrder = ports.toSorted((a, b) => Number(isNamed(b.portKey)) - Number(isNamed(a.portKey)));
    for (const { listener, hostKey, portKey } of inOrder) {
      const host = config[hostKey];
      const server = await hold(host, config[portKey]).catch(async (error: NodeJS.ErrnoException) => {
        if (error.code === 'EADDRINUSE' && !isNamed(portKey)) return hold(host, 0);
        throw new ListenError(listener, host, config[portKey], error);
      });
      held.push(server);
      chosen[portKey] = (server.address() as AddressInfo).port;
    }
  } finally {
    for (const server of held) await new Promise((resolve) => server.close(resolve));
  }
  const moved = ports
    .filter(({ portKey }) => !isNamed(portKey) && chosen[portKey] !== config[portKey])
    .map(
      ({ listener, portKey }) =>
        `the ${listeners[listener].name} is on ${chosen[portKey]} instead of ${config[portKey]}`,
    );
  return {
    ports: chosen,
    notice: moved.length === 0 ? undefined : `The usual ports are not all free: ${moved.join(', ')}.`,
  };
}

async function hold(host: string, port: number): Promise<Server> {
  const server = createServer().listen(port, host);
  await once(server, 'listening');
  return server;
}
