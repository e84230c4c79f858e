import { randomUUID } from 'node:crypto';
import type { ClientBase } from 'pg';
import { LastingClient } from '../../database/lasting-client.ts';
import type { Backend, LockWatch } from '../../database/lock-watch.ts';
import { isOutage } from '../../availability/unavailable.ts';
import type { AppendedMark } from '../backlog/marks.ts';
import { Arrivals } from '../recording/arrivals.ts';
import { Known } from '../recording/recording.ts';

export interface SessionOptions {
  /**
   * True if the caller has an open transaction and will roll it back. Savepoints are then used instead of
   * transactions.
   */
  nested?: boolean;
  lockWatch?: LockWatch | undefined;
  /** The source that sends the records. */
  source: string;
  /** Returns the time at which results arrive. */
  now?: (() => number) | undefined;
}

/** The connection that an import writes through, and the state that belongs to it. */
export class Session implements Backend {
  /** The id of the import in `record.import`. */
  readonly id = randomUUID();
  readonly known = new Known();
  readonly arrivals: Arrivals;
  readonly isNested: boolean;
  readonly source: string;
  pid?: number;
  server?: string;
  readonly #connection: ClientBase | LastingClient;
  readonly #lockWatch: LockWatch | undefined;
  #marks: AppendedMark[] = [];
  #batches = 0;

  constructor(
    connection: ClientBase | LastingClient,
    { nested = false, lockWatch, now, source }: SessionOptions,
  ) {
    this.arrivals = new Arrivals(now);
    this.#connection = connection;
    this.source = source;
    this.isNested = nested;
    this.#lockWatch = lockWatch;
  }

  get client(): ClientBase {
    return this.#connection instanceof LastingClient ? this.#connection.client : this.#connection;
  }

  /** Returns a new number for each attempt to write something. */
  nextBatch(): number {
    return (this.#batches += 1);
  }

  watch<T>(work: () => Promise<T>): Promise<T> {
    return this.#lockWatch === undefined ? work() : this.#lockWatch.watch(this, work);
  }

  /** Reads outside of a transaction. A lost connection is replaced. */
  async read<T>(work: (client: ClientBase) => Promise<T>): Promise<T> {
    for (;;) {
      try {
        const result = await work(this.client);
        if (this.#connection instanceof LastingClient) this.#connection.works();
        return result;
      } catch (error) {
        if (!isOutage(error)) throw error;
        await this.reconnect(error);
      }
    }
  }

  /** Replaces a lost connection. Throws if that is not possible. */
  async reconnect(lost: unknown): Promise<void> {
    if (!(this.#connection instanceof LastingClient)) throw lost;
    this.known.forget();
    delete this.pid;
    await this.#connection.reconnect(lost);
  }

  committed(marks: AppendedMark[]): void {
    for (const mark of marks) this.#marks.push(mark);
    if (this.#connection instanceof LastingClient) this.#connection.works();
  }

  /** Returns the marks of all commits since the last call. */
  takeMarks(): AppendedMark[] {
    const marks = this.#marks;
    this.#marks = [];
    return marks;
  }
}
