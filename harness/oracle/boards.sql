-- A board counts its own stage, and also the earlier one if that carries over.
create temp table oracle_board as
select s.tournament_id, s.id as stage, s.grouped, s.carries_over, e.tie_breaks
from oracle_event e join record.stage s on s.tournament_id = e.id and s.type = 'board';

create temp table oracle_counted as
select tournament_id, stage as board, stage from oracle_board
union all
select tournament_id, stage, carries_over from oracle_board where carries_over is not null;

create temp table oracle_total as
select c.tournament_id, c.board, g.participant,
  sum(g.battle_points) as battle_points, sum(g.wins) as wins, sum(g.draws) as draws, sum(g.losses) as losses,
  sum(g.victory_points) as victory_points, sum(g.victory_points_diff) as victory_points_diff
from oracle_counted c join oracle_gain g on g.tournament_id = c.tournament_id and g.stage = c.stage
group by 1, 2, 3;
alter table oracle_total add primary key (tournament_id, board, participant);

create temp table oracle_game as
select c.tournament_id, c.board, s.participant, s.opponent, s.won, s.lost
from oracle_counted c join oracle_side s on s.tournament_id = c.tournament_id and s.stage = c.stage
where s.finished;
create index on oracle_game (tournament_id, board, participant, opponent);

-- The strength of the opponents: the numbers of each on this board, averaged over the games. A bye is not a
-- game.
create temp table oracle_strength as
select g.tournament_id, g.board, g.participant, round(sum(t.battle_points) / count(*), 10) as opponents_battle_points,
  round(sum(t.wins)::numeric / count(*), 10) as opponents_wins,
  round(sum(greatest(1.0 / 3, (t.wins + t.draws / 2.0) / (t.wins + t.draws + t.losses))) / count(*), 10) as opponents_win_rate
from oracle_game g
join oracle_total t on t.tournament_id = g.tournament_id and t.board = g.board and t.participant = g.opponent
group by 1, 2, 3;
alter table oracle_strength add primary key (tournament_id, board, participant);

-- The organiser's rankings: for each board the ranking after the highest round, one row for each rank.
create temp table oracle_ranking as
select distinct on (r.tournament_id, r.stage) r.tournament_id, r.stage, r.after_round, r.ranks
from oracle_event e join record.ranking r on r.tournament_id = e.id
order by r.tournament_id, r.stage, r.after_round desc;

create temp table oracle_given as
select r.tournament_id, r.stage, each.key collate "C" as participant, each.value::integer as rank
from oracle_ranking r cross join lateral jsonb_each_text(r.ranks) each;

create temp table oracle_begun as
select distinct c.tournament_id, c.board
from oracle_counted c join oracle_gain g on g.tournament_id = c.tournament_id and g.stage = c.stage
where g.kind in ('battle', 'bye');

-- `field` says who is ranked against whom: the members of a group, or all. Each tie-break splits `tier`
-- further.
create temp table oracle_row as
select b.tournament_id, b.stage, m.participant, case when b.grouped then p.group_name else '' end as field,
  case when k.stage is null then 1 else coalesce(g.rank, 1000000) end::bigint as tier, true as open, b.tie_breaks,
  -- There is an order before the first result (adjustments, then the lot), but it is shown as a rank only
  -- afterwards. If there is a ranking, a no-show may have a rank.
  g.rank is not null or not p.no_show as ranked, u.board is not null as begun,
  k.stage is not null as recorded, g.rank as given, null::bigint as rank, p.lot,
  coalesce(t.battle_points, 0) as battle_points, coalesce(t.wins, 0) as wins, coalesce(t.draws, 0) as draws,
  coalesce(t.losses, 0) as losses, coalesce(t.victory_points, 0) as victory_points,
  coalesce(t.victory_points_diff, 0) as victory_points_diff,
  coalesce(o.opponents_battle_points, 0) as opponents_battle_points, coalesce(o.opponents_wins, 0) as opponents_wins,
  coalesce(o.opponents_win_rate, 0) as opponents_win_rate
from oracle_board b
join oracle_member m on m.tournament_id = b.tournament_id and m.stage = b.stage
join oracle_person p on p.tournament_id = b.tournament_id and p.id = m.participant
left join oracle_ranking k on k.tournament_id = b.tournament_id and k.stage = b.stage
left join oracle_given g on g.tournament_id = b.tournament_id and g.stage = b.stage and g.participant = m.participant
left join oracle_begun u on u.tournament_id = b.tournament_id and u.board = b.stage
left join oracle_total t on t.tournament_id = b.tournament_id and t.board = b.stage and t.participant = m.participant
left join oracle_strength o on o.tournament_id = b.tournament_id and o.board = b.stage and o.participant = m.participant;
alter table oracle_row add primary key (tournament_id, stage, participant);

analyze oracle_total, oracle_game, oracle_strength, oracle_row;
