-- The contents of the published documents. People are identified as the public can identify them: by player
-- id, or otherwise by name.

-- Each document is parsed only once, because that is most of the work.
create temp table shown_battle as
select id, tournament, date, stage_order, round, players, clubs, (document || '"}')::jsonb as shown from published.battle;

create temp table shown_side as
select b.tournament, b.shown ->> 'stage' as stage,
  coalesce('id ' || (mine ->> 'playerId'), 'name ' || (mine ->> 'player')) as person,
  mine ->> 'outcome' as outcome,
  coalesce((mine ->> 'battlePoints')::numeric, 0) as battle_points,
  coalesce((mine ->> 'victoryPoints')::numeric, 0) as victory_points,
  coalesce((mine ->> 'victoryPoints')::numeric, 0) - coalesce((other ->> 'victoryPoints')::numeric, 0)
    as victory_points_diff
from shown_battle b
cross join lateral (values
  (b.shown -> 'players' -> 0, b.shown -> 'players' -> 1), (b.shown -> 'players' -> 1, b.shown -> 'players' -> 0)
) as two (mine, other)
where b.tournament is not null and mine ->> 'outcome' is not null;

create temp table shown_row as
select s.tournament, s.stage, position, (row ->> 'rank')::integer as rank, row ->> 'group' as group_name,
  coalesce('id ' || (row ->> 'playerId'), 'name ' || coalesce(row ->> 'player', 'Deleted player')) as person,
  row ->> 'faction' as faction, (row ->> 'battlePoints')::numeric as battle_points, (row ->> 'wins')::integer as wins, (row ->> 'draws')::integer as draws,
  (row ->> 'losses')::integer as losses, (row ->> 'victoryPoints')::numeric as victory_points,
  (row ->> 'victoryPointsDiff')::numeric as victory_points_diff
from (select tournament, stage, document::jsonb as shown from published.standings) s
cross join lateral jsonb_array_elements(s.shown -> 'data') with ordinality as listed (row, position)
where s.shown -> 'stage' ->> 'type' = 'board';

create temp table shown_participant as
select tournament, id, coalesce('id ' || (shown ->> 'playerId'), 'name ' || (shown ->> 'player')) as person,
  shown ->> 'group' as group_name, (shown ->> 'finalPlacement')::integer as final_placement
from (select tournament, id, document::jsonb as shown from published.participant) p;

-- The two things that no document shows.
create temp table shown_gift as
select t.slug as tournament, given.stage, s.person, given.kind, given.wins, given.battle_points, given.victory_points,
  given.victory_points_diff
from record.tournament t
join (
  select tournament_id, stage, participant, 'bye' as kind, win::integer as wins, battle_points, victory_points, victory_points_diff
  from record.bye
  union all
  select tournament_id, stage, participant, 'adjustment', 0, battle_points, victory_points, victory_points_diff
  from record.adjustment
) given on given.tournament_id = t.id
join shown_participant s on s.tournament = t.slug and s.id = given.participant;

-- The stages whose results a board counts. The merged board counts all.
create temp table shown_scope as
select t.slug as tournament, s.id as board, s.id as stage
from record.tournament t join record.stage s on s.tournament_id = t.id where t.published and s.type = 'board'
union all
select t.slug, s.id, s.carries_over
from record.tournament t join record.stage s on s.tournament_id = t.id where t.published and s.carries_over is not null
union all
select t.slug, 'standings', s.id
from record.tournament t join record.stage s on s.tournament_id = t.id where t.published and t.status = 'finished';

create temp table shown_result as
select c.tournament, c.board, r.person, 'battle' as kind, (r.outcome = 'win')::integer as wins,
  (r.outcome = 'draw')::integer as draws, (r.outcome = 'loss')::integer as losses, r.battle_points, r.victory_points,
  r.victory_points_diff
from shown_scope c join shown_side r on r.tournament = c.tournament and r.stage = c.stage
union all
select c.tournament, c.board, g.person, g.kind, g.wins, 0, 0, g.battle_points, g.victory_points, g.victory_points_diff
from shown_scope c join shown_gift g on g.tournament = c.tournament and g.stage = c.stage;

create index on shown_row (tournament, stage, person);
create index on shown_result (tournament, board, person);
create index on shown_participant (tournament, person);
analyze shown_battle, shown_side, shown_row, shown_participant, shown_gift, shown_scope, shown_result;
