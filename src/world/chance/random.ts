// Repeatable random numbers: a stream depends only on the seed, a purpose and indexes. So any event of any world can be
// made by itself, and a change in one place changes no number in another.
import { exp } from './exact-math.ts';

/** The random numbers for this purpose. `indexes` identify an event, player or battle. */
export function stream(seed: number, purpose: string, ...indexes: number[]): Random {
  return new Random([seed, ...indexes], purpose);
}

// The generator is sfc32. It uses only 32-bit integer operations, so it is the same everywhere, and it is good enough.
export class Random {
  #a = 0x9e3779b9;
  #b = 0x243f6a88;
  #c = 0xb7e15162;
  #counter = 1;

  constructor(numbers: readonly number[], purpose: string) {
    for (let i = 0; i < purpose.length; i++) this.#absorb(purpose.charCodeAt(i));
    for (const number of numbers) {
      this.#absorb(number | 0);
      this.#absorb(Math.floor(number / 4_294_967_296) | 0);
    }
    for (let i = 0; i < 12; i++) this.bits();
  }

  /** 32 random bits as a whole number. */
  bits(): number {
    const sum = (((this.#a + this.#b) | 0) + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  /** From 0 to just below 1. */
  unit(): number {
    return this.bits() / 4_294_967_296;
  }

  /** A whole number from 0 to just below `limit`. */
  below(limit: number): number {
    return Math.floor(this.unit() * limit);
  }

  /** A whole number, both ends included. */
  between(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }

  chance(probability: number): boolean {
    return this.unit() < probability;
  }

  pick<T>(list: readonly T[]): T {
    return at(list, this.below(list.length));
  }

  /** A random index. The weights decide how likely each is. */
  weighted(weights: readonly number[]): number {
    let left = this.unit() * weights.reduce((sum, weight) => sum + weight, 0);
    for (const [index, weight] of weights.entries()) {
      left -= weight;
      if (left < 0) return index;
    }
    return weights.length - 1;
  }

  /** Close to a normal distribution: nobody invented is as exceptional as six standard deviations. */
  normal(): number {
    let sum = -6;
    for (let i = 0; i < 12; i++) sum += this.unit();
    return sum;
  }

  logNormal(median: number, sigma: number): number {
    return median * exp(sigma * this.normal());
  }

  /** In place. */
  shuffle<T>(list: T[]): T[] {
    for (let i = list.length - 1; i > 0; i--) {
      const j = this.below(i + 1);
      const kept = list[i] as T;
      list[i] = list[j] as T;
      list[j] = kept;
    }
    return list;
  }

  #absorb(word: number): void {
    this.#a = Math.imul(this.#a ^ word, 0x85ebca6b);
    this.#a ^= this.#a >>> 13;
    this.#b = Math.imul(this.#b ^ this.#a, 0xc2b2ae35);
    this.#b ^= this.#b >>> 16;
    this.#c = Math.imul((this.#c + this.#b) | 0, 0x27d4eb2f);
    this.#c ^= this.#c >>> 15;
  }
}

/** The element at an index that is known to exist. */
export function at<T>(list: readonly T[], index: number): T {
  const value = list[index];
  if (value === undefined) throw new RangeError(`no element ${index} in a list of ${list.length}`);
  return value;
}
