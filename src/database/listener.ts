import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

export interface Listener {
  /** False from the start, and from a lost connection, until the next LISTEN stands. */
  isListening: () => boolean;
  close: () => Promise<void>;
}

export interface ListenerOptions {
  /** The primary: a standby cannot listen. */
  url: string;
  onNotice: { [channel: string]: (payload: string) => void };
  /** Each time a LISTEN stands. What was said before it is lost: whoever caches must distrust what is older. */
  onListening: () => void;
  onLost: (error: unknown) => void;
}

/**
 * Listens on the primary for as long as the process lives. A connection that is cut without a word would leave it
 * deaf and unaware, so it asks for a sign of life every second.
 */
export function listen(options: ListenerOptions): Listener {
  let client: pg.Client | undefined;
  let listening = false;
  let lossIsTold = false;
  const closing = new AbortController();

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      try {
        await listenOnce();
      } catch (error) {
        // Once per loss: an outage of an hour is one event.
        if (!closing.signal.aborted && !lossIsTold) options.onLost(error);
        lossIsTold = true;
      }
      listening = false;
      await sleep(retryMs, undefined, { signal: closing.signal }).catch(() => {});
    }
  }

  async function listenOnce(): Promise<void> {
    const connection = new pg.Client({
      connectionString: options.url,
      application_name: 'wartable-listener',
      connectionTimeoutMillis: 1_000,
      query_timeout: 1_500,
      keepAlive: true,
    });
    client = connection;
    const lost = new Promise<never>((_, reject) => {
      connection.on('error', reject);
      connection.on('end', () => reject(new Error('The connection of the listener ended.')));
      // A connection that is closed while it is being made would never say so by itself.
      closing.signal.addEventListener('abort', () => reject(new Error('The listener was closed.')), {
        once: true,
      });
    });
    lost.catch(() => {});
    connection.on('notification', ({ channel, payload }) => options.onNotice[channel]?.(payload ?? ''));
    try {
      await Promise.race([lost, connection.connect()]);
      for (const channel of Object.keys(options.onNotice)) {
        await connection.query(`listen ${connection.escapeIdentifier(channel)}`);
      }
      listening = true;
      lossIsTold = false;
      options.onListening();
      while (!closing.signal.aborted) {
        await Promise.race([lost, sleep(heartbeatMs, undefined, { signal: closing.signal }).catch(() => {})]);
        await Promise.race([lost, connection.query('select 1')]);
      }
    } finally {
      // A frozen backend never answers a goodbye: do not wait for it longer than a moment.
      await Promise.race([connection.end().catch(() => {}), sleep(200)]);
    }
  }

  const running = run();
  return {
    isListening: () => listening,
    close: async () => {
      closing.abort();
      await Promise.race([client?.end().catch(() => {}), sleep(200)]);
      await running;
    },
  };
}

const heartbeatMs = 1_000;
const retryMs = 250;
