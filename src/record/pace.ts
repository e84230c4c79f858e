/** More records in a batch do not make it faster. */
const maxRecords = 4_000;
const fewestRecords = 50;
/** The batches of a live source should take between these times, in milliseconds. */
const shortest = 250;
const longest = 1_000;

/**
 * Decides how many records a batch holds. The batches of a live source stay short, because a source that has
 * to catch up would fill large ones, and a large one that fails has to be written again while the source
 * waits.
 */
export class Pace {
  #most: number;
  readonly #isLive: boolean;

  constructor(isLive: boolean) {
    this.#isLive = isLive;
    this.#most = isLive ? 8 * fewestRecords : maxRecords;
  }

  get most(): number {
    return this.#most;
  }

  /** Learns from a batch of this many records how long they take. */
  async timed(records: number, work: () => Promise<void>): Promise<void> {
    const began = performance.now();
    await work();
    const took = performance.now() - began;
    if (!this.#isLive) return;
    if (took > longest) this.#most = Math.max(fewestRecords, this.#most >> 1);
    else if (took < shortest && records >= this.#most) this.#most = Math.min(maxRecords, 2 * this.#most);
  }
}
