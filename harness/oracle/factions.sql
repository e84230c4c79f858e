-- The numbers of factions, from finished tournaments with a date, in the month in which they start. Byes,
-- mirror matches and sides without a faction do not count.

-- Each tournament counts for all packs and for its own, and both among all tournaments and among the long
-- ones.
create temp table oracle_counted_in as
select e.id as tournament_id, date_trunc('month', t.start_date)::date as month, pack, is_long
from oracle_event e
join record.tournament t on t.id = e.id
cross join lateral (select '' union select t.battle_pack where t.battle_pack is not null) as packs (pack)
cross join lateral (
  select false
  union select true where (select sum(s.rounds) from record.stage s where s.tournament_id = e.id) >= 5
) as lengths (is_long)
where e.status = 'finished' and t.start_date is not null;

create temp table oracle_army as
select p.tournament_id, p.id as participant, p.no_show, coalesce(p.faction, f.faction) as faction
from oracle_person p
left join oracle_latest_faction f on f.tournament_id = p.tournament_id and f.participant = p.id;

create temp table oracle_faction_game as
select mine.tournament_id, coalesce(mine.faction, a.faction) as faction, coalesce(other.faction, b.faction) as opponent,
  mine.won, mine.lost
from oracle_side mine
join oracle_side other using (tournament_id, battle)
join oracle_army a on a.tournament_id = mine.tournament_id and a.participant = mine.participant
join oracle_army b on b.tournament_id = other.tournament_id and b.participant = other.participant
where mine.finished and mine.place <> other.place
  and coalesce(mine.faction, a.faction) <> coalesce(other.faction, b.faction);

create temp table oracle_faction_line as
-- The results of each faction against each other one.
select c.month, c.pack, c.is_long, g.faction || ' against ' || g.opponent as line,
  jsonb_build_array(count(*) filter (where won), count(*) filter (where not won and not lost), count(*) filter (where lost)) as numbers
from oracle_counted_in c join oracle_faction_game g using (tournament_id)
group by 1, 2, 3, 4
union all
-- Entries, unbeaten entries and event wins.
select c.month, c.pack, c.is_long, a.faction,
  jsonb_build_array(
    count(*) filter (where not a.no_show),
    count(*) filter (where not a.no_show and played.games >= 3 and played.games = played.wins and not exists (
      select from record.match m where m.tournament_id = a.tournament_id and m.winner <> a.participant
        and a.participant in (m.first_participant, m.second_participant))),
    count(*) filter (where e.placements_recorded and x.ranked
      and case when e.has_placements then p.final_placement else x.rank end = 1)
  )
from oracle_counted_in c
join oracle_event e on e.id = c.tournament_id
join oracle_army a using (tournament_id)
join oracle_person p on p.tournament_id = a.tournament_id and p.id = a.participant
join oracle_final x on x.tournament_id = a.tournament_id and x.participant = a.participant
cross join lateral (
  select count(*) as games, count(*) filter (where won) as wins
  from oracle_side s where s.tournament_id = a.tournament_id and s.participant = a.participant and s.finished
) played
where a.faction is not null
group by 1, 2, 3, 4
union all
select month, pack, is_long, '(tournaments)', to_jsonb(array[count(*)]) from oracle_counted_in group by 1, 2, 3;

create temp table published_faction_line as
select m.month, m.pack, m.is_long, mine || ' against ' || other as line, score as numbers
from published.faction_month m
cross join json_array_elements(m.counts -> 'games') game
cross join lateral (select m.counts -> 'factions' -> (game ->> 0)::integer ->> 0,
  m.counts -> 'factions' -> (game ->> 1)::integer ->> 0) as two (first, second)
cross join lateral (values
  (two.first, two.second, jsonb_build_array(game -> 2, game -> 3, game -> 4)),
  (two.second, two.first, jsonb_build_array(game -> 4, game -> 3, game -> 2))
) as side (mine, other, score)
union all
select m.month, m.pack, m.is_long, f ->> 0, jsonb_build_array(f -> 1, f -> 2, f -> 3)
from published.faction_month m cross join json_array_elements(m.counts -> 'factions') f
union all
select month, pack, is_long, '(tournaments)', to_jsonb(array[tournaments]) from published.faction_month;

-- A faction with games may have no entry that counts, because somebody changed it between two games, or because
-- only no-shows brought it.
delete from oracle_faction_line where numbers = '[0, 0, 0]';
delete from published_faction_line where numbers = '[0, 0, 0]';
