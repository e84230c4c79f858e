import type { Proof } from '../proofs/proof.ts';

/** A fault, made on real parts, and what we expect of the server. */
export interface Drill {
  name: string;
  /** In words, for the table. */
  expected: string;
  run: (options: DrillOptions) => Promise<DrillResult>;
}

export interface DrillOptions {
  /** A PostgreSQL server for databases of the drill's own. */
  serverUrl: string;
  /** Small drills take a few seconds, for CI. Their figures say less. */
  size: 'small' | 'stated';
}

interface DrillResult {
  met: boolean;
  /** One line with the measurements. */
  figures: string;
}

/** A proof that makes the fault of a drill. It throws when it misses its bar. */
export function fromProof(name: string, expected: string, proof: Proof): Drill {
  return {
    name,
    expected,
    run: async (options) => ({ met: true, figures: (await proof(options)).join(' ') }),
  };
}
