-- The rows of every board in the order of its document. Rows without a rank are in no order here: they are
-- sorted by name, in an alphabet that plain SQL does not have, so the comparison treats each run of them as a
-- set.

-- The faction in a participant's latest battle that has one, in any stage, because an army stays the same all
-- weekend.
create temp table oracle_latest_faction as
select distinct on (tournament_id, participant) tournament_id, participant, faction
from oracle_side
where finished and faction is not null
order by tournament_id, participant, date desc nulls last, stage_position desc, round desc, battle desc;

create temp table oracle_standings as
select e.slug, r.stage, jsonb_agg(
  jsonb_build_object(
    'rank', case when r.recorded then r.given when r.begun then r.rank end, 'player', p.name, 'playerId', p.player_id, 'faction', coalesce(p.faction, f.faction),
    'battlePoints', r.battle_points, 'wins', r.wins, 'draws', r.draws, 'losses', r.losses,
    'victoryPoints', r.victory_points, 'victoryPointsDiff', r.victory_points_diff
  ) || case when b.grouped then jsonb_build_object('group', p.group_name) else '{}' end
  order by case when b.grouped then p.group_position end, case when r.recorded then r.given is null else p.no_show end,
    p.no_show and r.given is null, r.rank
) as data
from oracle_row r
join oracle_event e on e.id = r.tournament_id
join oracle_board b on b.tournament_id = r.tournament_id and b.stage = r.stage
join oracle_person p on p.tournament_id = r.tournament_id and p.id = r.participant
left join oracle_latest_faction f
  on f.tournament_id = r.tournament_id and f.participant = r.participant
group by 1, 2;

insert into oracle_standings
select e.slug, 'standings', jsonb_agg(
  jsonb_build_object(
    'rank', case when x.ranked then case when e.has_placements then p.final_placement else x.rank end end,
    'player', p.name, 'playerId', p.player_id, 'faction', coalesce(p.faction, f.faction),
    'battlePoints', coalesce(s.battle_points, 0), 'wins', coalesce(s.wins, 0), 'draws', coalesce(s.draws, 0),
    'losses', coalesce(s.losses, 0), 'victoryPoints', coalesce(s.victory_points, 0),
    'victoryPointsDiff', coalesce(s.victory_points_diff, 0)
  )
  order by x.place
)
from oracle_final x
join oracle_event e on e.id = x.tournament_id
join oracle_person p on p.tournament_id = x.tournament_id and p.id = x.participant
left join oracle_sum s on s.tournament_id = x.tournament_id and s.participant = x.participant
left join oracle_latest_faction f
  on f.tournament_id = x.tournament_id and f.participant = x.participant
group by 1, 2;

-- A board with no participants is a document, too.
insert into oracle_standings
select e.slug, b.stage, '[]'
from oracle_board b join oracle_event e on e.id = b.tournament_id
where not exists (select from oracle_member m where m.tournament_id = b.tournament_id and m.stage = b.stage);
