import { whole } from './tournament-parts.ts';
import type { Row, Statement } from './reader.ts';

export interface OpponentsRow extends Row {
  /** The opponents as JSON documents, separated by commas. Null if there is none. */
  documents: string | null;
  /** True if the record covers all battles of the player. */
  isComplete: boolean;
}

/**
 * Reads the record of a player against each opponent who has an account. $1 is the player, and $3 says how
 * many of the newest battles count, because the opponents are in the documents of the battles.
 */
export const opponentsOfPlayer: Statement = {
  name: 'opponents_of_player',
  text: `
    select player.revision, record.*
    from published.player
    left join lateral (
      with newest as materialized (
        select battle, date, outcome,
          row_number() over (order by date desc, stage_order desc, round desc, battle desc) as turn
        from published.player_battle
        where player = $1 and player.revision <> all ($2::bigint[])
        order by date desc, stage_order desc, round desc, battle desc
        limit $3 + 1
      ), played as materialized (
        select newest.*, side ->> 'playerId' as opponent, side ->> 'player' as name
        from newest
        join published.battle on battle.id = newest.battle
        cross join json_array_elements(${whole('battle.document')} -> 'players') side
        where turn <= $3 and newest.outcome is not null and side ->> 'playerId' <> $1
      ), opponents as (
        select min(turn) as turn, count(*) as battles,
          count(*) filter (where outcome = 'win') as won,
          count(*) filter (where outcome = 'draw') as drawn,
          count(*) filter (where outcome = 'loss') as lost
        from played
        group by opponent
      )
      select string_agg(document, ',' order by battles desc, turn) as documents,
        (select count(*) <= $3 from newest) as "isComplete"
      from (
        select battles, turn, (
            select row_to_json(shown)::text
            from (
              select opponent as "playerId", name as player, battles, won, drawn, lost, battle as "lastBattle",
                nullif(date, '-infinity') as "lastDate"
            ) shown
          ) as document
        from opponents
        join played using (turn)
      ) listed
    ) record on true
    where player.id = $1`,
};
