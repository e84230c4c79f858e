import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { type Config, settings } from '../config/config.ts';
import { ListenError, listeners } from '../serve/listeners.ts';
import type { ServerOptions } from '../serve/server.ts';
import { freePort } from './free-port.ts';

const ports = [
  { listener: 'api', hostKey: 'apiHost', portKey: 'apiPort' },
  { listener: 'site', hostKey: 'siteHost', portKey: 'sitePort' },
  { listener: 'ops', hostKey: 'opsHost', portKey: 'opsPort' },
] as const;

type PortKey = (typeof ports)[number]['portKey'];
type Ports = Record<PortKey, number>;

/** A slow laptop may be busy with a virus scan while PostgreSQL makes its first connections. */
const patienceMs = 30_000;

/** Starts a server on free ports. It waits longer than a public server does. */
export async function serveOnFreePorts(config: ServerOptions & Config, environment: NodeJS.ProcessEnv) {
  // Loaded only now, because the server's packages would delay the start of every other command.
  const [{ createLogger }, { startServer }] = await Promise.all([
    import('../serve/log.ts'),
    import('../serve/server.ts'),
  ]);
  return onFreePorts(config, environment, (free) =>
    startServer({ patienceMs, ...config, ...free }, createLogger(config.logLevel)),
  );
}

/**
 * Calls `start` with free ports. If another program takes a port after it was chosen, the ports are chosen
 * again.
 */
export async function onFreePorts<Started>(
  config: Config,
  environment: NodeJS.ProcessEnv,
  start: (ports: Ports) => Promise<Started>,
): Promise<{ started: Started; messages: string[] }> {
  for (let triesLeft = 4; ; triesLeft -= 1) {
    const { ports: chosen, messages } = await choosePorts(config, environment);
    try {
      return { started: await start(chosen), messages };
    } catch (error) {
      if (triesLeft === 0 || !(error instanceof ListenError) || !error.isTaken) throw error;
    }
  }
}

/**
 * Chooses a port for each listener: the one in its setting, or the usual one, or a free one. `messages` has
 * one line for each usual port that is not free.
 */
export async function choosePorts(
  config: Config,
  environment: NodeJS.ProcessEnv,
): Promise<{ ports: Ports; messages: string[] }> {
  const chosen = { apiPort: 0, sitePort: 0, opsPort: 0 };
  const held: Server[] = [];
  const isNamed = (key: PortKey) => Boolean(environment[settings[key].name]);
  try {
    // Ports from settings are held first, so that no other listener can take one as its usual port. Each port
    // is held until all are chosen, so that no two listeners get the same one.
    const inOrder = ports.toSorted((a, b) => Number(isNamed(b.portKey)) - Number(isNamed(a.portKey)));
    for (const { listener, hostKey, portKey } of inOrder) {
      const host = config[hostKey];
      const { server, also } = await hold(host, config[portKey]).catch(
        async (error: NodeJS.ErrnoException) => {
          if (error.code === 'EADDRINUSE' && !isNamed(portKey)) return holdFree(host);
          throw new ListenError(listener, host, config[portKey], error);
        },
      );
      held.push(server, ...also);
      chosen[portKey] = (server.address() as AddressInfo).port;
    }
  } finally {
    for (const server of held) await close(server);
  }
  const messages = ports
    .filter(({ portKey }) => !isNamed(portKey) && chosen[portKey] !== config[portKey])
    .map(
      ({ listener, portKey }) =>
        `Port ${config[portKey]} is taken: the ${listeners[listener].name} is on ${chosen[portKey]}.`,
    );
  return { ports: chosen, messages };
}

interface Held {
  server: Server;
  also: Server[];
}

/**
 * Listens on the port, and also on the same port of ::1, which `localhost` may mean: another program there
 * would answer instead.
 */
async function hold(host: string, port: number): Promise<Held> {
  const server = await listenOn(host, port);
  if (host !== '127.0.0.1') return { server, also: [] };
  try {
    return { server, also: [await listenOn('::1', (server.address() as AddressInfo).port)] };
  } catch (error) {
    // A machine without IPv6 has no ::1.
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') return { server, also: [] };
    await close(server);
    throw error;
  }
}

/** Holds a free port. We try again if a port is free on 127.0.0.1 but not on ::1. */
async function holdFree(host: string): Promise<Held> {
  for (;;) {
    try {
      return await hold(host, await freePort());
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
  }
}

async function listenOn(host: string, port: number): Promise<Server> {
  const server = createServer().listen(port, host);
  await once(server, 'listening');
  return server;
}

const close = (server: Server) => new Promise((resolve) => server.close(resolve));
