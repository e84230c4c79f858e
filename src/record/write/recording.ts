// What the writers of one transaction share: the connection, the marks to append, what is known to exist, and where
// refusals go.
import type { ClientBase } from 'pg';
import type { FeedRecord } from '../feed/records.ts';
import type { Problem } from '../feed/problem.ts';
import { Marks } from '../stale.ts';

export class Recording {
  readonly client: ClientBase;
  readonly known: Known;
  readonly marks = new Marks();
  readonly refusals = new Map<FeedRecord, Problem[]>();

  constructor(client: ClientBase, known: Known) {
    this.client = client;
    this.known = known;
  }

  refuse(record: FeedRecord, ...problems: Problem[]): void {
    this.refusals.set(record, problems);
  }
}

/** Thrown where a refusal shows only after writing: the transaction is rolled back and the record tried by itself. */
export class Refusal extends Error {
  readonly problems: Problem[];

  constructor(...problems: Problem[]) {
    super(problems[0]?.message ?? 'refused');
    this.problems = problems;
  }
}

const mostKnown = 200_000;
const lookups = {
  players: 'select id as key from record.player where id = any($1::text[])',
  clubs: 'select slug as key from record.club where slug = any($1::text[])',
  packs: 'select name as key from record.battle_pack where name = any($1::text[])',
};
export type Referred = Record<keyof typeof lookups, Set<string>>;

/**
 * Ids that were seen in the database: the same players meet all season, one lookup each is enough. Foreign keys stand
 * behind it, so a club that another process removed in between is refused all the same.
 */
export class Known {
  readonly #seen: Referred = { players: new Set(), clubs: new Set(), packs: new Set() };

  async look(client: ClientBase, referred: Referred): Promise<void> {
    for (const kind of Object.keys(lookups) as (keyof typeof lookups)[]) {
      const seen = this.#seen[kind];
      const asked = [...referred[kind]].filter((key) => !seen.has(key));
      if (asked.length === 0) continue;
      if (seen.size + asked.length > mostKnown) {
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
