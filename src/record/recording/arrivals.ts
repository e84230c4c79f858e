import type { ClientBase } from 'pg';
import type { TournamentRow } from '../tables.ts';

/**
 * When results of running tournaments came in. What the import brings that records a tournament for the first time was played
 * before, so it has no time, unless the import goes on during the event. A correction keeps the time.
 */
export class Arrivals {
  /** The source of the records is read while the tournament is played. */
  isLive = false;
  readonly #now: () => number;
  readonly #created = new Set<string>();

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Tournaments that are recorded for the first time. */
  created(slugs: readonly string[]): void {
    for (const slug of slugs) this.#created.add(slug);
  }

  canCome(slug: string): boolean {
    return this.isLive || !this.#created.has(slug);
  }

  /** Those of these battles that have a result now, and had none. Ask before they are written. */
  async coming(client: ClientBase, battles: readonly TournamentRow<'battles'>[]): Promise<string[]> {
    const finished = battles.filter((each) => each.finished).map(({ id }) => id);
    if (finished.length === 0) return [];
    const { rows } = await client.query<{ id: string }>({
      text: `select id from unnest($1::text[]) as given (id)
        where not exists (select from record.battle b where b.id = given.id and b.finished)`,
      values: [finished],
    });
    return rows.map(({ id }) => id);
  }

  /** Call it after they were written. */
  async note(client: ClientBase, battles: readonly string[]): Promise<void> {
    if (battles.length === 0) return;
    await client.query({
      text: 'update record.battle set arrived = $2 where id = any($1::text[])',
      values: [battles, new Date(this.#now())],
    });
  }
}
