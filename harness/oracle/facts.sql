-- The facts of every published tournament, with one row per thing that counts. Everything below was written
-- from the description of the domain and the tables of schema record. It shares nothing with src/publish.

create temp table oracle_event as
select id, slug, status::text as status, tie_breaks, placements_recorded,
  exists (select from record.stage s where s.tournament_id = t.id and s.grouped) as has_groups,
  -- Placements that were never recorded according to the feed are ignored, even if there are some.
  placements_recorded and exists (
    select from record.participant p where p.tournament_id = t.id and p.final_placement is not null
  ) as has_placements
from record.tournament t
where published;
alter table oracle_event add primary key (id);

create temp table oracle_person as
-- An erased guest has an empty name.
select p.tournament_id, p.id, p.player, q.erased is true or p.name is not distinct from '' as erased,
  case when p.player is null then nullif(p.name, '') else q.name end as name,
  case when q.erased then null else p.player end as player_id,
  p.group_name, g.position as group_position, p.club, p.dropped, p.no_show, p.faction, p.final_placement, p.lot
from oracle_event e
join record.participant p on p.tournament_id = e.id
left join record.player q on q.id = p.player
left join record.tournament_group g on g.tournament_id = p.tournament_id and g.name = p.group_name;
alter table oracle_person add primary key (tournament_id, id);

create temp table oracle_member as
select s.tournament_id, s.id as stage, p.id as participant, null::integer as seed
from oracle_event e
join record.stage s on s.tournament_id = e.id and s.everybody
join record.participant p on p.tournament_id = e.id
union all
select s.tournament_id, s.id, m.participant, m.seed
from oracle_event e
join record.stage s on s.tournament_id = e.id and not s.everybody
join record.stage_member m on m.tournament_id = e.id and m.stage = s.id;
alter table oracle_member add primary key (tournament_id, stage, participant);

-- The sides of battles. In a running battle only the faction counts.
create temp table oracle_side as
select b.tournament_id, b.stage, s.position as stage_position, b.round, b.id as battle, b.date, b.finished, side.*
from oracle_event e
join record.battle b on b.tournament_id = e.id
join record.stage s on s.tournament_id = e.id and s.id = b.stage
cross join lateral (select
  coalesce(b.first_victory_points, (select sum((cells ->> 1)::numeric) from jsonb_array_elements(b.first_rounds) cells), 0),
  coalesce(b.second_victory_points, (select sum((cells ->> 1)::numeric) from jsonb_array_elements(b.second_rounds) cells), 0)
) as vp (first, second)
cross join lateral (values
  (1, b.first_participant, b.second_participant, b.first_faction, coalesce(b.first_battle_points, 0), vp.first,
    vp.first - vp.second, (b.winner = 1) is true, (b.winner = 2) is true),
  (2, b.second_participant, b.first_participant, b.second_faction, coalesce(b.second_battle_points, 0), vp.second,
    vp.second - vp.first, (b.winner = 2) is true, (b.winner = 1) is true)
) as side (place, participant, opponent, faction, battle_points, victory_points, victory_points_diff, won, lost);
create index on oracle_side (tournament_id, participant);

-- Everything that adds to a participant's numbers, in one form: counted sides, byes, adjustments.
create temp table oracle_gain as
select tournament_id, stage, participant, 'battle' as kind, battle_points, victory_points, victory_points_diff,
  won::integer as wins, (not won and not lost)::integer as draws, lost::integer as losses
from oracle_side where finished
union all
select b.tournament_id, b.stage, b.participant, 'bye', b.battle_points, b.victory_points, b.victory_points_diff,
  b.win::integer, 0, 0
from oracle_event e join record.bye b on b.tournament_id = e.id
union all
select a.tournament_id, a.stage, a.participant, 'adjustment', a.battle_points, a.victory_points, a.victory_points_diff, 0, 0, 0
from oracle_event e join record.adjustment a on a.tournament_id = e.id;
create index on oracle_gain (tournament_id, stage, participant);

analyze oracle_event, oracle_person, oracle_member, oracle_side, oracle_gain;
