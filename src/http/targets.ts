import { LRUCache } from 'lru-cache';

/**
 * Remembers what a target leads to. There are many ways to write a target, and parsing one costs more than
 * sending an answer.
 */
export class Targets<T extends object> {
  readonly #meanings = new LRUCache<string, T>({
    maxSize: maxCharacters,
    sizeCalculation: (_, target) => target.length + meaningCharacters,
  });

  get(target: string): T | undefined {
    return this.#meanings.get(target);
  }

  set(target: string, meaning: T): void {
    if (target.length <= longestTarget) this.#meanings.set(target, meaning);
  }
}

const longestTarget = 512;
const maxCharacters = 8_000_000;
/** Roughly the memory that an entry takes besides its target. */
const meaningCharacters = 400;
