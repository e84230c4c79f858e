import { LRUCache } from 'lru-cache';

/** Remembers what a target means. The same thing has many targets, and reading a target costs more than sending an answer. */
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
/** Roughly what an entry takes beside its target. */
const meaningCharacters = 400;
