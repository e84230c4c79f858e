import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the ports that the kernel gives to connections (from 32,768 on Linux, from 49,152 elsewhere). A port of those could be
 * taken before our program listens there, or while it restarts.
 */
const [lowest, beyond] = [10_000, 32_768];

/** A TCP port of 127.0.0.1 where no program listens. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(lowest, beyond);
    const server = createServer().listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') continue;
      throw error;
    }
    server.close();
    await once(server, 'close');
    return port;
  }
}
