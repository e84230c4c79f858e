import type { Pool } from '../../database/pool.ts';
import type { TournamentHeader } from './tournament-header.ts';

type ListedTournament = Pick<TournamentHeader, 'slug' | 'startDate' | 'status' | 'published' | 'name'>;

/** Lists the tournaments with the newest start first and those without a date last. */
export async function listTournaments(pool: Pool, withDrafts: boolean): Promise<ListedTournament[]> {
  const { rows } = await pool.query<ListedTournament>(
    `select slug, start_date::text as "startDate", status, published, name from record.tournament
      where published or $1 order by start_date desc nulls last, slug`,
    [withDrafts],
  );
  return rows;
}
