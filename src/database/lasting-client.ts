import { setTimeout as sleep } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import type { Pool } from './pool.ts';
import { isShortage, isUnavailable, Unavailable } from './unavailable.ts';

export interface LastingClientOptions {
  /** How long an outage may last. */
  patienceMs: number;
  /** Gets a line when the connection is lost, and when there is a new one. */
  tell: (line: string) => void;
}

/** A connection that is replaced when it is lost. */
export class LastingClient {
  readonly pool: Pool;
  readonly #options: LastingClientOptions;
  #client: PoolClient | undefined;
  #lostAt: number | undefined;
  #attempts = 0;

  private constructor(pool: Pool, client: PoolClient, options: LastingClientOptions) {
    this.pool = pool;
    this.#client = client;
    this.#options = options;
  }

  /** Fails at once if there is no database: then a setting is probably wrong. */
  static async connect(pool: Pool, options: LastingClientOptions): Promise<LastingClient> {
    return new LastingClient(pool, await pool.connect(), options);
  }

  get client(): PoolClient {
    if (this.#client === undefined) throw new Unavailable('There is no connection to the database.');
    return this.#client;
  }

  /** Tries until there is a new connection to a primary, or until the patience is over. */
  async reconnect(lost: unknown): Promise<void> {
    this.release(lost);
    const { tell, patienceMs } = this.#options;
    if (this.#lostAt === undefined) tell(startOf(lost));
    this.#lostAt ??= performance.now();
    for (let reason = lost; ;) {
      if (performance.now() - this.#lostAt >= patienceMs) {
        throw new Unavailable(endMessage(reason, patienceMs), { cause: reason });
      }
      await sleep(backOffMs(this.#attempts++));
      try {
        this.#client = await connectToPrimary(this.pool);
        break;
      } catch (error) {
        if (!isUnavailable(error)) throw error;
        reason = error;
      }
    }
  }

  /**
   * Call this when work has succeeded: only then the outage is over. A batch that crashes the database each time must
   * not be tried for ever.
   */
  works(): void {
    if (this.#lostAt === undefined) return;
    const seconds = ((performance.now() - this.#lostAt) / 1000).toFixed(1);
    this.#options.tell(`The database works again after ${seconds} s.`);
    this.#lostAt = undefined;
    this.#attempts = 0;
  }

  /** After an error the connection is closed instead of used again. */
  release(error?: unknown): void {
    this.#client?.release(error !== undefined);
    this.#client = undefined;
  }
}

/** At once, then after up to 100 ms, then longer, up to a second. Random: a regular disturbance must not hit every attempt. */
const backOffMs = (attempts: number): number =>
  attempts === 0 ? 0 : Math.min(50 * 2 ** attempts, 1_000) * (0.5 + Math.random() / 2);

async function connectToPrimary(pool: Pool): Promise<PoolClient> {
  const client = await pool.connect();
  try {
    const asking = client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby');
    asking.catch(() => {});
    const { rows } = await Promise.race([asking, tooLate()]);
    if (rows[0]?.standby !== false) throw new Unavailable('The database is a standby.');
    return client;
  } catch (error) {
    client.release(true);
    throw error;
  }
}

async function tooLate(): Promise<never> {
  await sleep(2_000, undefined, { ref: false });
  throw new Unavailable('The database does not answer.');
}

const startOf = (lost: unknown): string =>
  isShortage(lost)
    ? `${shortageOf(lost)}: free some. Trying again until then.`
    : 'The connection to the database was lost, reconnecting.';

const endMessage = (reason: unknown, patienceMs: number): string => {
  const patience = `for more than ${patienceMs / 1000} s (RECONNECT_SECONDS)`;
  return isShortage(reason)
    ? `${shortageOf(reason)}, ${patience}. Free some, then start again.`
    : `The database was away ${patience}. Start again when it is back.`;
};

function shortageOf(error: unknown): string {
  const { code } = error as { code: string };
  if (code === '53100') return 'The database has no space on its disk';
  return `The database has no free ${code === '53300' ? 'connection' : 'memory'}`;
}
