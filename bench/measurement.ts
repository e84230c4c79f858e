import type { WorldOptions } from './world.ts';

export interface BenchOptions extends WorldOptions {
  slices: number;
  /** The only endpoints to measure with `endpoints`. */
  endpoints?: string[] | undefined;
  /** The numbers of battles that `growth` compares. */
  sizes: number[];
  /** The other checkout for `beside`. */
  beside?: string | undefined;
  /** If true, `beside` gives each checkout a database of its own, because their schemas differ. */
  ownDatabase?: boolean;
  /** The number of requests that `memory` sends. */
  requests: number;
  /** The numbers of spectators for `spectators`. */
  phones: number[];
  quick: boolean;
  /** Prints a line of progress. */
  say: (line: string) => void;
}

export interface Measured {
  /** Lines for people to read. */
  lines: string[];
  /** Figures for docs/evidence/bench.json. */
  figures: Record<string, unknown>;
  /** Descriptions of what missed a bar. If there are any, the command exits with 1. */
  failures: string[];
}

export type Measurement = (options: BenchOptions) => Promise<Measured>;
