import { fork } from 'node:child_process';
import { once } from 'node:events';
import { ended } from './serve-process.ts';

export interface MapServer {
  origin: string;
  /** Adds bodies by target. */
  keep: (bodies: Record<string, string>) => Promise<void>;
  close: () => Promise<void>;
}

/** Starts the bare server of map-child.ts. */
export async function startMap(): Promise<MapServer> {
  const child = fork(new URL('map-child.ts', import.meta.url));
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return {
    origin: `http://127.0.0.1:${port}`,
    keep: async (bodies) => {
      const kept = once(child, 'message');
      child.send(bodies);
      await kept;
    },
    close: () => ended(child),
  };
}
