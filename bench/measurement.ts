import type { WorldOptions } from './world.ts';

export interface BenchOptions extends WorldOptions {
  slices: number;
  /** For `endpoints`: only these. */
  endpoints?: string[] | undefined;
  /** For `growth`: the numbers of battles to compare. */
  sizes: number[];
  /** For `beside`: the other checkout. */
  beside?: string | undefined;
  /** For `memory`. */
  requests: number;
  quick: boolean;
  /** Says what is going on. */
  say: (line: string) => void;
}

export interface Measured {
  /** For people. */
  lines: string[];
  /** For docs/evidence/bench.json. */
  figures: Record<string, unknown>;
  /** What missed an enforced bar. */
  failures: string[];
  /** For docs/pictures/bench.svg. */
  picture?: string;
}

export type Measurement = (options: BenchOptions) => Promise<Measured>;
