import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * The range lies below the ports that the kernel assigns to connections (from 32,768 on Linux, from 49,152
 * elsewhere). One of those could be taken before our program listens there, or while it restarts.
 */
const [lowest, beyond] = [10_000, 32_768];

/** Returns a TCP port of 127.0.0.1 on which no program listens. */
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
