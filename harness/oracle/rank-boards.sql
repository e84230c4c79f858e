-- The Swiss board comes first, because its ranks break the ties of the placement Swiss, before the lot.
with placed as (
  select tournament_id, stage, participant,
    row_number() over (partition by tournament_id, stage, field order by tier, lot, participant) as rank
  from oracle_row where open and ranked and stage = 'swiss'
)
update oracle_row r set rank = p.rank
from placed p where (r.tournament_id, r.stage, r.participant) = (p.tournament_id, p.stage, p.participant);

with placed as (
  select r.tournament_id, r.stage, r.participant,
    row_number() over (
      partition by r.tournament_id, r.stage, r.field
      order by r.tier, case when earlier.recorded then earlier.given when earlier.begun then earlier.rank end nulls last, r.lot, r.participant
    ) as rank
  from oracle_row r
  left join oracle_row earlier
    on earlier.tournament_id = r.tournament_id and earlier.participant = r.participant and earlier.stage = 'swiss'
  where r.open and r.ranked and r.stage = 'placement-swiss'
)
update oracle_row r set rank = p.rank
from placed p where (r.tournament_id, r.stage, r.participant) = (p.tournament_id, p.stage, p.participant);

update oracle_row set open = false;

-- The order of the Swiss board as one sequence, for the final standings: first by rank within the group, then
-- by the tie-break list across groups. A board without groups keeps its own order.
insert into oracle_row (
  tournament_id, stage, participant, field, tier, open, tie_breaks, ranked, begun, lot, battle_points, wins, draws, losses,
  victory_points, victory_points_diff, opponents_battle_points, opponents_wins, opponents_win_rate
)
select r.tournament_id, stage || '/across', participant, '', case when recorded then coalesce(given, 1000000) else rank end, true, tie_breaks, ranked, begun, r.lot, battle_points, wins, draws,
  losses, victory_points, victory_points_diff, opponents_battle_points, opponents_wins, opponents_win_rate
from oracle_row r join oracle_person p on p.tournament_id = r.tournament_id and p.id = r.participant
where r.stage = 'swiss' and r.ranked and not p.no_show;
analyze oracle_row;
