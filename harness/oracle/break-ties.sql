-- Applies one tie-break, the $1-th in each tournament's list, to all open rows at once. Head-to-head looks
-- only at pairs: exactly two are tied at this point, and they have met. Rows of a field across groups count
-- the games of the real board.
with tied as (
  select r.*, count(*) over one_tier as size,
    -- In a pair, this is the other one.
    nullif(min(participant) over one_tier, participant) as below, nullif(max(participant) over one_tier, participant) as above,
    tie_breaks[$1::integer] as criterion
  from oracle_row r
  where open and ranked
  window one_tier as (partition by tournament_id, stage, field, tier)
),
judged as (
  select t.*, case criterion
    when 'battlePoints' then battle_points
    when 'wins' then wins
    when 'victoryPointsDiff' then victory_points_diff
    when 'victoryPoints' then victory_points
    when 'opponentsBattlePoints' then opponents_battle_points
    when 'opponentsWins' then opponents_wins
    when 'opponentsWinRate' then opponents_win_rate
    when 'headToHead' then case when size = 2 then (
      select sum(g.won::integer - g.lost::integer) from oracle_game g
      where g.tournament_id = t.tournament_id and g.board = split_part(t.stage, '/', 1)
        and g.participant = t.participant and g.opponent = coalesce(t.below, t.above)
    ) end
  end as value
  from tied t
),
finer as (
  select tournament_id, stage, participant,
    dense_rank() over (partition by tournament_id, stage, field order by tier, value desc nulls last) as tier
  from judged
)
update oracle_row r set tier = f.tier
from finer f
where (r.tournament_id, r.stage, r.participant) = (f.tournament_id, f.stage, f.participant) and r.tier <> f.tier;
