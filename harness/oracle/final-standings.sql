with placed as (
  select tournament_id, stage, participant,
    row_number() over (partition by tournament_id, stage order by tier, lot, participant) as rank
  from oracle_row where open
)
update oracle_row r set rank = p.rank
from placed p where (r.tournament_id, r.stage, r.participant) = (p.tournament_id, p.stage, p.participant);

-- The matches of each participant, and how they ended: 2 advanced, 1 undecided, 0 eliminated.
create temp table oracle_entry as
select m.tournament_id, m.stage, m.round, m.position, who.participant,
  case when m.winner is null then 1 when m.winner = who.participant then 2 else 0 end as ended
from oracle_event e
join record.match m on m.tournament_id = e.id
cross join lateral (values (m.first_participant), (m.second_participant)) as who (participant)
where who.participant is not null;

-- The round that was reached: that of the last match, and one more for winning it. A member of the knockout
-- without a match in it reached none.
create temp table oracle_knockout as
select m.tournament_id, m.participant, m.seed,
  coalesce(max(x.round + case x.ended when 2 then 1 else 0 end), 0) as reached
from oracle_member m
left join oracle_entry x
  on x.tournament_id = m.tournament_id and x.stage = m.stage and x.participant = m.participant
where m.stage = 'knockout'
group by 1, 2, 3
-- Those who have no match there and play on in the placement Swiss are placed by that stage.
having count(x.participant) > 0 or not exists (
  select from oracle_member s
  where s.tournament_id = m.tournament_id and s.stage = 'placement-swiss' and s.participant = m.participant
);

-- In a placement bracket, early wins count before late ones: the winners of the first round of 5th–8th play
-- for 5th, and its losers for 7th.
create temp table oracle_placement as
select x.tournament_id, x.participant, x.stage, split_part(x.stage, '-', 2)::integer as best_place,
  array_agg(-x.ended order by x.round) as path
from oracle_entry x where x.stage <> 'knockout'
group by 1, 2, 3;

-- Until something counts, at least a walkover, there is no order, on the merged board as on any other.
create temp table oracle_played as
select tournament_id from oracle_gain where kind in ('battle', 'bye')
union
select tournament_id from oracle_entry where ended <> 1
union
select tournament_id from oracle_given;

-- The board that places those who are not placed by the knockout, and the organiser's ranking of it.
create temp table oracle_placed as
select distinct on (r.tournament_id, r.participant) r.tournament_id, r.participant, r.stage, r.recorded, r.given, b.grouped
from oracle_row r join oracle_board b on b.tournament_id = r.tournament_id and b.stage = r.stage
where (r.tournament_id, r.participant) not in (select tournament_id, participant from oracle_knockout)
order by r.tournament_id, r.participant, r.stage;
alter table oracle_placed add primary key (tournament_id, participant);

create temp table oracle_final as
select p.tournament_id, p.id as participant,
  -- A recorded placement is served as recorded, whoever has it.
  case when e.has_placements then p.final_placement is not null
    else not p.no_show and e.id in (select tournament_id from oracle_played)
      and (d.recorded is not true or d.given is not null) end as ranked,
  -- Those who share a recorded rank share the placement. Ranks in different groups are not the same.
  case when d.recorded and not d.grouped and not p.no_show then d.stage || ' ' || d.given end as shared,
  row_number() over (
    partition by p.tournament_id
    order by case when e.has_placements then p.final_placement end nulls last, p.no_show,
      not e.has_placements and d.recorded is true and d.given is null,
      -- the knockout
      (k.participant is null), k.reached desc, l.best_place nulls last, l.path nulls last, k.seed nulls last,
      -- the placement Swiss
      (k.participant is null and s.participant is null), case when k.participant is null then s.rank end nulls last,
      -- everybody left
      w.rank nulls last, p.lot, p.id
  ) as place
from oracle_event e
join oracle_person p on p.tournament_id = e.id
left join oracle_placed d on d.tournament_id = e.id and d.participant = p.id
left join oracle_knockout k on k.tournament_id = e.id and k.participant = p.id
left join oracle_placement l on l.tournament_id = e.id and l.participant = p.id
left join oracle_row s on s.tournament_id = e.id and s.participant = p.id and s.stage = 'placement-swiss'
left join oracle_row w on w.tournament_id = e.id and w.participant = p.id and w.stage = 'swiss/across'
where e.status = 'finished';
alter table oracle_final add primary key (tournament_id, participant), add rank bigint;
update oracle_final f set rank = first.place
from (
  select tournament_id, participant, case when shared is null then place
    else min(place) over (partition by tournament_id, shared) end as place
  from oracle_final
) first where (f.tournament_id, f.participant) = (first.tournament_id, first.participant);

create temp table oracle_sum as
select tournament_id, participant, sum(battle_points) as battle_points, sum(wins) as wins, sum(draws) as draws,
  sum(losses) as losses, sum(victory_points) as victory_points, sum(victory_points_diff) as victory_points_diff
from oracle_gain group by 1, 2;
alter table oracle_sum add primary key (tournament_id, participant);
