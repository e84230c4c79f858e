import { setTimeout as sleep } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import type { Pool } from './pool.ts';
import { explainDatabaseError, noDatabaseAnswers } from './explain.ts';
import { isAway, isShortage, isUnavailable, Unavailable } from '../availability/unavailable.ts';

export interface LastingClientOptions {
  /** The longest outage to wait for. */
  patienceMs: number;
  /** Called with a line when the connection is lost, and with another one when the database works again. */
  tell: (line: string) => void;
}

/** A connection to the database that is replaced when it is lost. */
export class LastingClient {
  readonly pool: Pool;
  readonly #options: LastingClientOptions;
  #client: PoolClient | undefined;
  #lostAt: number | undefined;
  #attempts = 0;
  #hasWorked = false;

  private constructor(pool: Pool, options: LastingClientOptions) {
    this.pool = pool;
    this.#options = options;
  }

  /**
   * Connects. Waits while the database is away, but fails at once on any other error. `prepare` does the
   * first work on the connection.
   */
  static async connect(
    pool: Pool,
    options: LastingClientOptions,
    prepare?: (client: PoolClient) => Promise<void>,
  ): Promise<LastingClient> {
    const lasting = new LastingClient(pool, options);
    while (!lasting.#hasWorked) {
      try {
        lasting.#client ??= await pool.connect();
        await prepare?.(lasting.#client);
        lasting.works();
      } catch (error) {
        lasting.release(error);
        if (!isAway(error)) throw error;
        await lasting.reconnect(error);
      }
    }
    return lasting;
  }

  get client(): PoolClient {
    if (this.#client === undefined) throw new Unavailable('There is no connection to the database.');
    return this.#client;
  }

  /** Tries again until there is a new connection to a primary, or until `patienceMs` is over. */
  async reconnect(lost: unknown): Promise<void> {
    this.release(lost);
    const { tell, patienceMs } = this.#options;
    if (this.#lostAt === undefined) tell(this.#hasWorked ? startOf(lost) : waitMessage(lost, patienceMs));
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
        // A login that worked before may be refused during a failover.
        if (!(this.#hasWorked ? isUnavailable(error) : isAway(error))) throw error;
        reason = error;
      }
    }
  }

  /**
   * Call this when work has succeeded, because only then is the outage over. A batch that crashes the
   * database each time must not be tried for ever.
   */
  works(): void {
    this.#hasWorked = true;
    if (this.#lostAt === undefined) return;
    const seconds = ((performance.now() - this.#lostAt) / 1000).toFixed(1);
    this.#options.tell(`The database works again after ${seconds} s.`);
    this.#lostAt = undefined;
    this.#attempts = 0;
  }

  /** Gives the connection back to the pool, or closes it if there was an error. */
  release(error?: unknown): void {
    this.#client?.release(error !== undefined);
    this.#client = undefined;
  }
}

/**
 * The first attempt is made at once, the next one after up to 100 ms, later ones after up to a second. The
 * pauses are random so that a regular disturbance does not hit every attempt.
 */
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

const waitMessage = (reason: unknown, patienceMs: number): string => {
  const words = explainDatabaseError(reason, '') ?? noDatabaseAnswers;
  const patience = `for up to ${patienceMs / 1000} s (RECONNECT_SECONDS)`;
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}. Trying again ${patience}.`;
};

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
