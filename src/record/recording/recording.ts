// The state that the writers of one transaction share: the connection, the marks, the known ids and the
// refusals.
import type { ClientBase } from 'pg';
import type { Warning } from '../feed/warning.ts';
import type { FeedRecord } from '../feed/records.ts';
import type { Problem } from '../feed/problem.ts';
import { type AppendedMark, Marks } from '../backlog/marks.ts';
import type { Arrivals } from './arrivals.ts';

export type Refusals = Map<FeedRecord, Problem[]>;

export class Recording {
  readonly client: ClientBase;
  /** The source that sends the records. */
  readonly source: string;
  readonly known: Known;
  readonly arrivals: Arrivals;
  readonly marks = new Marks();
  readonly remarks: BatchRemarks;
  /** True if battles that are recorded elsewhere may move here. */
  readonly takesBattles: boolean;
  /** True for a trial, which is undone if it changes something. */
  readonly mayChangeOthers: boolean;
  readonly refusals: Refusals = new Map();
  /** The records that changed a row. */
  readonly changed = new Set<FeedRecord>();
  /** The appended marks, set just before the commit. Empty if nothing was changed. */
  appended: AppendedMark[] = [];
  /** The number of the batch in the import, if something was changed. */
  batch: number | undefined;

  constructor(
    { client, known, source, arrivals }: Pick<Recording, 'client' | 'known' | 'source' | 'arrivals'>,
    remarks: BatchRemarks,
    takesBattles = false,
    mayChangeOthers = false,
  ) {
    this.client = client;
    this.source = source;
    this.takesBattles = takesBattles;
    this.mayChangeOthers = mayChangeOthers;
    this.known = known;
    this.arrivals = arrivals;
    this.remarks = remarks;
  }

  /**
   * Returns a recording that writes through the same connection but keeps marks and remarks of its own,
   * because the caller may undo what it writes.
   */
  trial(): Recording {
    return new Recording(this, new BatchRemarks(this.remarks.isStrict), this.takesBattles, true);
  }

  /** Takes over what a trial has remarked about a record that changed nothing. */
  takeOver(record: FeedRecord, trial: Recording): void {
    const { warnings, finished } = trial.remarks;
    this.remarks.warnings.set(record, warnings.get(record) ?? []);
    const slug = finished.get(record);
    if (slug !== undefined) this.remarks.finished.set(record, slug);
  }

  refuse(record: FeedRecord, problems: Problem[]): void {
    this.refusals.set(record, problems);
  }

  /** Notes the records whose rows were written. `written` has the keys of these rows. */
  noteChanged<Of extends FeedRecord>(records: Of[], keyOf: (record: Of) => string, written: string[]): void {
    const keys = new Set(written);
    for (const record of records) if (keys.has(keyOf(record))) this.changed.add(record);
  }
}

/** A tournament that a write changed. `part` says which documents are affected, as in `Marks.add`. */
export interface Touched {
  id: number;
  part: string | null;
  /** The key of the row, as in `noteChanged` of write-tournaments.ts. */
  key: string;
}

/** The numbers of battles and participants that a tournament record removed, because it left them out. */
export interface Removed {
  battles: number;
  participants: number;
}

/** The remarks of the writers about a batch. If a batch is written several times, the last time counts. */
export class BatchRemarks {
  readonly isStrict: boolean;
  readonly warnings = new Map<FeedRecord, Warning[]>();
  /** The slugs of tournaments, by the record that finishes them. */
  readonly finished = new Map<FeedRecord, string>();
  /** The records that changed something. */
  readonly changed = new Set<FeedRecord>();
  readonly removed = new Map<FeedRecord, Removed | undefined>();

  constructor(isStrict = false) {
    this.isStrict = isStrict;
  }
}

/** Thrown when a check fails after writing. The transaction is rolled back and each record is tried alone. */
export class RecordRefusal extends Error {
  readonly problems: Problem[];

  constructor(problems: Problem[]) {
    super(problems[0]?.message ?? 'refused');
    this.problems = problems;
  }
}

const maxKnown = 200_000;
const lookups = {
  players: 'select id as key from record.player where id = any($1::text[])',
  clubs: 'select slug as key from record.club where slug = any($1::text[])',
  packs: 'select name as key from record.battle_pack where name = any($1::text[])',
};
export type Referred = Record<keyof typeof lookups, Set<string>>;

/**
 * A cache of ids that exist in the database. The same players occur all season, so one lookup for each is
 * enough. Another process may remove a club meanwhile, but then the foreign key refuses the record.
 */
export class Known {
  readonly #seen: Referred = { players: new Set(), clubs: new Set(), packs: new Set() };

  async look(client: ClientBase, referred: Referred): Promise<void> {
    for (const kind of Object.keys(lookups) as (keyof typeof lookups)[]) {
      const seen = this.#seen[kind];
      const asked = [...referred[kind]].filter((key) => !seen.has(key));
      if (asked.length === 0) continue;
      if (seen.size + asked.length > maxKnown) {
        seen.clear();
        asked.splice(0, Infinity, ...referred[kind]);
      }
      const values = [asked];
      const { rows } = await client.query<{ key: string }>({
        text: lookups[kind],
        values,
      });
      for (const { key } of rows) seen.add(key);
    }
  }

  has(kind: keyof Referred, key: string): boolean {
    return this.#seen[kind].has(key);
  }

  forget(): void {
    for (const seen of Object.values(this.#seen)) seen.clear();
  }
}
