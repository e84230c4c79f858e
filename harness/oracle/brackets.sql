-- The size of the field in a round follows from the number of rounds still to come. Byes are not matches, so
-- counting the matches of a first round would give too few.
create temp table oracle_match as
select m.*, e.slug, s.position as stage_position,
  power(2, greatest(s.rounds, max(m.round) over one_stage) - m.round + 1)::integer as field,
  split_part(m.stage, '-', 2) as best, split_part(m.stage, '-', 3) as worst
from oracle_event e
join record.stage s on s.tournament_id = e.id and s.type = 'bracket'
join record.match m on m.tournament_id = e.id and m.stage = s.id
window one_stage as (partition by m.tournament_id, m.stage);

create function pg_temp.ordinal(number integer) returns text language sql immutable as $$
  select number || case
    when number % 100 between 11 and 13 then 'th'
    when number % 10 = 1 then 'st'
    when number % 10 = 2 then 'nd'
    when number % 10 = 3 then 'rd'
    else 'th'
  end
$$;

create function pg_temp.round_of(field integer) returns text language sql immutable as $$
  select case field when 2 then 'Final' when 4 then 'Semi-final' when 8 then 'Quarter-final' else 'Round of ' || field end
$$;

-- In a placement bracket each round splits every band in two: 5th–8th, then 5th and 6th, and 7th and 8th.
-- `first` is the best placement that this match can lead to.
create temp table oracle_round_name as
select m.tournament_id, m.stage, m.round, m.position, coalesce(m.name, case
  when m.stage = 'knockout' then pg_temp.round_of(m.field)
  when m.stage in ('placement-3', 'placement-3-4') then 'Third-place match'
  when m.field = 2 then pg_temp.ordinal(first) || '-place match'
  else pg_temp.ordinal(first) || '–' || pg_temp.ordinal(first + m.field - 1) || ' ' || lower(pg_temp.round_of(m.field))
end) as name
from oracle_match m
cross join lateral (
  select case when m.stage <> 'knockout' then m.best::integer + (m.position - 1) / (m.field / 2) * m.field end
) as band (first);

insert into oracle_standings
select m.slug, m.stage, jsonb_agg(
  jsonb_build_object(
    'round', n.name, 'table', m.table_number,
    'players', case when m.second_participant is null then '[]' else jsonb_build_array(
      case when f.erased then 'Deleted player' else f.name end, case when s.erased then 'Deleted player' else s.name end
    ) end,
    'winner', case when w.erased then 'Deleted player' else w.name end,
    'battle', m.battle
  )
  order by m.round, m.position
)
from oracle_match m
join oracle_round_name n using (tournament_id, stage, round, position)
left join oracle_person f on f.tournament_id = m.tournament_id and f.id = m.first_participant
left join oracle_person s on s.tournament_id = m.tournament_id and s.id = m.second_participant
left join oracle_person w on w.tournament_id = m.tournament_id and w.id = m.winner
group by 1, 2;

insert into oracle_standings
select e.slug, s.id, '[]'
from oracle_event e join record.stage s on s.tournament_id = e.id and s.type = 'bracket'
where not exists (select from record.match m where m.tournament_id = e.id and m.stage = s.id);
