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
