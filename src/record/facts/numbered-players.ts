import type { Pool } from '../../database/pool.ts';

interface NumberedPlayer {
  no: number;
  name: string | null;
  id: string | null;
}

/**
 * Returns the participants whose ids are numbers from a sheet, such as p7. An erased one has no name. The
 * numbers of erased guests stay taken after they have left the tournament.
 */
export async function readNumberedPlayers(pool: Pool, slug: string): Promise<NumberedPlayer[]> {
  const { rows } = await pool.query<NumberedPlayer>(
    `select substr(id, 2)::int as no, max(name) as name, max(player) as id from (
        select p.id, coalesce(nullif(p.name, ''), r.name) as name, p.player from record.tournament t
          join record.participant p on p.tournament_id = t.id left join record.player r on r.id = p.player
          where t.slug = $1
        union all select participant, null, null from record.erased_guest where tournament = $1) known
      where id ~ '^p[1-9][0-9]{0,5}$' group by id order by no`,
    [slug],
  );
  return rows;
}
