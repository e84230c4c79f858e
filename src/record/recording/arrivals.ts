import type { ClientBase } from 'pg';
import type { TournamentRow } from '../tables.ts';

/**
 * Notes when results of running tournaments came in. The results that come with a tournament's first import
 * were played before, so they have no time of arrival, unless the import goes on during the tournament. A
 * correction keeps the time.
 */
export class Arrivals {
  /** True if the input is read while the tournament is being played. */
  isLive = false;
  readonly #now: () => number;
  readonly #created = new Set<string>();

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Adds tournaments that are recorded for the first time. */
  created(slugs: readonly string[]): void {
    for (const slug of slugs) this.#created.add(slug);
  }

  canCome(slug: string): boolean {
    return this.isLive || !this.#created.has(slug);
  }

  /**
   * Returns those of these battles that have a result now but had none before. Call it before they are
   * written.
   */
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

  /** Stores the time of arrival. Call it after the battles were written. */
  async note(client: ClientBase, battles: readonly string[]): Promise<void> {
    if (battles.length === 0) return;
    await client.query({
      text: 'update record.battle set arrived = $2 where id = any($1::text[])',
      values: [battles, new Date(this.#now())],
    });
  }
}
