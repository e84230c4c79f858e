import type { Postponed } from './kind-publisher.ts';

/** How often to publish all waiting tournaments in one batch. Each time derives all of them again. */
const togetherMs = 1_000;

/** How long things have been waiting until others are published. */
export class Waiting {
  readonly #patienceMs: number;
  #since = new Map<string, number>();
  #togetherAt = 0;

  constructor(patienceMs: number) {
    this.#patienceMs = patienceMs;
  }

  /** Whether it is time to publish those that wait in one batch. */
  isDue(postponed: Postponed[]): boolean {
    if (postponed.length === 0 || Date.now() < this.#togetherAt) return false;
    this.#togetherAt = Date.now() + togetherMs;
    return true;
  }

  /** Those that have waited for too long. */
  giveUp(postponed: Postponed[]): Postponed[] {
    const now = Date.now();
    const byName = new Map(postponed.map((each) => [`${each.kind} ${each.key}`, each]));
    this.#since = new Map([...byName.keys()].map((name) => [name, this.#since.get(name) ?? now]));
    return [...byName]
      .filter(([name]) => now - (this.#since.get(name) ?? now) > this.#patienceMs)
      .map(([, each]) => each);
  }
}
