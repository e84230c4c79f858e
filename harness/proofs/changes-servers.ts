import { type ServeProcess, startServe } from '../measure/serve-process.ts';
import type { Random } from '../../src/world/chance/random.ts';
import { bareEnvironment } from '../support/bare-environment.ts';
import type { Get } from './changes-mirror.ts';

/** A server that is started again after it was killed. */
export interface Slot {
  /** Undefined while it is down. */
  origin: () => string | undefined;
  kill: () => Promise<void>;
  close: () => Promise<void>;
}

export async function startSlot(url: string, settings: Record<string, string>): Promise<Slot> {
  const addresses = { API_URL: 'https://api.example', SITE_URL: 'https://example' };
  const start = () => startServe(url, { ...bareEnvironment, ...addresses, ...settings });
  let server: ServeProcess | undefined = await start();
  return {
    origin: () => server?.origin,
    async kill() {
      const old = server;
      server = undefined;
      if (old === undefined) return;
      process.kill(old.pid, 'SIGKILL');
      await old.close();
      server = await start();
    },
    close: async () => server?.close(),
  };
}

class NoAnswer extends Error {}

/** Returns a function that asks one of the servers, and does not ask another one if it fails. */
export function getter(slots: readonly Slot[], key: string, random: Random): Get {
  return async (target) => {
    const origin = random.pick(slots).origin();
    if (origin === undefined) throw new NoAnswer('the server is away');
    try {
      const headers = { authorization: `Bearer ${key}` };
      const response = await fetch(`${origin}${target}`, { headers, signal: AbortSignal.timeout(10_000) });
      const text = await response.text();
      if (response.status >= 500) throw new NoAnswer(text);
      const revision = Number(/^W\/"(\d+)\./.exec(response.headers.get('etag') ?? '')?.[1]);
      return { status: response.status, revision, text };
    } catch (error) {
      throw new NoAnswer('the server failed', { cause: error });
    }
  };
}

/**
 * Returns an error handler that counts failed polls. A poll may fail, because its entries stay pending. An
 * error that a copy finds may not.
 */
export function tolerate(count: () => void): (error: unknown) => void {
  return (error) => {
    if (!(error instanceof NoAnswer)) throw error;
    count();
  };
}
