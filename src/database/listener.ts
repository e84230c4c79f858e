import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

export interface Listener {
  /** False at the start and after a lost connection, until the next LISTEN succeeds. */
  isListening: () => boolean;
  /** A time on the clock of performance.now(). The notices of all commits before it have arrived. */
  lastNoticeAt: () => number;
  close: () => Promise<void>;
}

export interface ListenerOptions {
  /** The address of the primary, because a standby cannot listen. */
  url: string;
  onNotice: { [channel: string]: (payload: string) => void };
  /** Called after each LISTEN. Notices sent before it are lost, so a cache must not trust older entries. */
  onListening: () => void;
  onLost: (error: unknown) => void;
}

/**
 * Listens on the primary for as long as the process lives. A connection can break without any signal, so the
 * listener sends a query every second to notice it.
 */
export function listen(options: ListenerOptions): Listener {
  let client: pg.Client | undefined;
  let listening = false;
  let lastNoticeAt = -Infinity;
  let lossIsTold = false;
  const closing = new AbortController();

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      try {
        await listenOnce();
      } catch (error) {
        // Report once per loss, not once per attempt.
        if (!closing.signal.aborted && !lossIsTold) options.onLost(error);
        lossIsTold = true;
      }
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
      const lose = (error: Error) => {
        // Do this at once, because nothing may be trusted from this moment on.
        if (client === connection) listening = false;
        reject(error);
      };
      connection.on('error', lose);
      connection.on('end', () => lose(new Error('The connection of the listener ended.')));
      // A connection that is closed while it connects emits no event of its own.
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
      lastNoticeAt = performance.now();
      lossIsTold = false;
      options.onListening();
      while (!closing.signal.aborted) {
        await Promise.race([lost, sleep(heartbeatMs, undefined, { signal: closing.signal }).catch(() => {})]);
        const askedAt = performance.now();
        await Promise.race([lost, connection.query('select 1')]);
        lastNoticeAt = askedAt;
      }
    } finally {
      listening = false;
      // A frozen backend never answers, so do not wait long for it.
      await Promise.race([connection.end().catch(() => {}), sleep(200)]);
    }
  }

  const running = run();
  return {
    isListening: () => listening,
    lastNoticeAt: () => lastNoticeAt,
    close: async () => {
      closing.abort();
      await Promise.race([client?.end().catch(() => {}), sleep(200)]);
      await running;
    },
  };
}

const heartbeatMs = 1_000;
const retryMs = 250;
