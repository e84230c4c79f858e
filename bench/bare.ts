import { fork } from 'node:child_process';
import { once } from 'node:events';
import { ended } from '../harness/measure/serve-process.ts';

/** A server with little or nothing of ours, as a baseline. */
export interface BareServer<Given extends object> {
  origin: string;
  give: (given: Given) => Promise<void>;
  close: () => Promise<void>;
}

/** Starts the server in one of these scripts. What is passed to `give` is the content for each target. */
export async function startBare<Given extends object>(
  script: 'map-child.ts' | 'driver-child.ts' | 'fastify-child.ts' | 'listener-child.ts',
  environment: Record<string, string> = {},
): Promise<BareServer<Given>> {
  const child = fork(new URL(script, import.meta.url), { env: { ...process.env, ...environment } });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return {
    origin: `http://127.0.0.1:${port}`,
    give: async (given) => {
      const taken = once(child, 'message');
      child.send(given);
      await taken;
    },
    close: () => ended(child),
  };
}
