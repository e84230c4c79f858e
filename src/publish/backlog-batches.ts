import type { Pool } from '../database/pool.ts';
import { markedKeys, type Urgency } from '../record/backlog/drain.ts';
import type { KindPublisher, PublishSettings } from './kind-publisher.ts';

/**
 * Hands out the marked keys of one kind to several workers, batch by batch. After the end it starts again
 * from the beginning, because other publishers may have held some keys, and there may be new marks.
 */
export class BacklogBatches {
  readonly publisher: KindPublisher;
  readonly urgency: Urgency;
  readonly #pool: Pool;
  readonly #settings: PublishSettings;
  #after = '';
  #turn: Promise<unknown> = Promise.resolve();

  constructor(pool: Pool, settings: PublishSettings, publisher: KindPublisher, urgency: Urgency) {
    this.#pool = pool;
    this.#settings = settings;
    this.publisher = publisher;
    this.urgency = urgency;
  }

  /**
   * Returns the next batch, which is empty at the end. Calls run one after the other, and a failed call does
   * not make the next ones fail.
   */
  next(): Promise<string[]> {
    const batch = this.#turn.then(() => this.#read());
    this.#turn = batch.catch(() => {});
    return batch;
  }

  async #read(): Promise<string[]> {
    const { kind, max, lighten } = this.publisher;
    const marked = await markedKeys(this.#pool, kind, { urgency: this.urgency, after: this.#after, max });
    const keys = lighten === undefined ? marked : await lighten(this.#pool, marked, this.#settings);
    this.#after = keys.at(-1) ?? '';
    return keys;
  }
}
