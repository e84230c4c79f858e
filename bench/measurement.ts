import type { WorldOptions } from './world.ts';

export interface BenchOptions extends WorldOptions {
  slices: number;
  /** For `endpoints`: only these. */
  endpoints?: string[] | undefined;
  /** For `growth`: the numbers of battles to compare. */
  sizes: number[];
  /** For `beside`: the other checkout. */
  beside?: string | undefined;
  /** For `beside`: each checkout has a database of its own, because their schemas differ. */
  ownDatabase?: boolean;
  /** For `memory`. */
  requests: number;
  /** For `spectators`: how many watch. */
  phones: number[];
  quick: boolean;
  /** Says what is going on. */
  say: (line: string) => void;
}

export interface Measured {
  /** For people. */
  lines: string[];
  /** For docs/evidence/bench.json. */
  figures: Record<string, unknown>;
  /** What missed a bar: then the command exits with 1. */
  failures: string[];
}

export type Measurement = (options: BenchOptions) => Promise<Measured>;
