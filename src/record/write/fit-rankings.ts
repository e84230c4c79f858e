// Keeps the recorded rankings in a form that a feed could send again.
import type { ClientBase } from 'pg';

/**
 * Removes participants who have left a board from its rankings. If nobody is left with rank 1, on the board
 * or in a group, everybody moves up. Call it when participants or stages of these tournaments have changed.
 * It adds no marks, because these changes publish all of the tournament anyway.
 */
export async function fitRankings(client: ClientBase, tournaments: number[]): Promise<void> {
  if (tournaments.length === 0) return;
  const text = `
    with given as (
      select r.tournament_id, r.stage, r.after_round, p.id, each.rank::integer,
        min(each.rank::integer) filter (where p.id is not null) over (
          partition by r.tournament_id, r.stage, r.after_round, case when s.grouped then p.group_name end) as first
      from record.ranking r join record.stage s on (s.tournament_id, s.id) = (r.tournament_id, r.stage)
      cross join lateral jsonb_each_text(r.ranks) each (id, rank)
      left join record.participant p on (p.tournament_id, p.id) = (r.tournament_id, each.id) and (s.everybody or exists (
        select from record.stage_member m where (m.tournament_id, m.stage, m.participant) = (s.tournament_id, s.id, p.id)))
      where r.tournament_id = any($1::integer[])
    ), fitting as (
      select tournament_id, stage, after_round,
        coalesce(jsonb_object_agg(id, rank - first + 1) filter (where id is not null), '{}') as ranks
      from given group by 1, 2, 3
    )
    update record.ranking r set ranks = f.ranks from fitting f
    where (r.tournament_id, r.stage, r.after_round) = (f.tournament_id, f.stage, f.after_round) and r.ranks <> f.ranks`;
  await client.query(text, [tournaments]);
}
