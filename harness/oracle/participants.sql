-- The values of a participant and of a tournament that are derived rather than copied.
create temp table oracle_participant as
select e.slug, p.id, jsonb_build_object(
  'player', case when p.erased then 'Deleted player' else p.name end,
  'playerId', p.player_id,
  'club', p.club,
  'group', case when e.has_groups then p.group_name end,
  'dropped', p.dropped or p.no_show,
  'finalPlacement', case
    when e.status <> 'finished' then null
    when e.has_placements then p.final_placement
    when not x.ranked or not e.placements_recorded then null
    else x.rank
  end
) as data
from oracle_event e
join oracle_person p on p.tournament_id = e.id
left join oracle_final x on x.tournament_id = e.id and x.participant = p.id;

create temp table oracle_tournament as
select e.slug, jsonb_build_object(
  'status', e.status,
  'players', (select count(*) from oracle_person p where p.tournament_id = e.id),
  'rounds', (select coalesce(sum(rounds), 0) from record.stage s where s.tournament_id = e.id),
  'stages', (
    select coalesce(jsonb_agg(stage order by position), '[]') from (
      select s.position, jsonb_build_object('id', s.id, 'name', s.label, 'type', s.type, 'rounds', s.rounds)
        || case when s.id <> 'knockout' then '{}'
          when not s.everybody and listed.players > 0 then jsonb_build_object('players', listed.players)
          -- Without a list of players, the matches give their number as soon as both players are known in
          -- every match of the first round.
          when exists (
            select from record.match m where m.tournament_id = e.id and m.stage = s.id and m.round = 1
          ) and not exists (
            select from record.match m where m.tournament_id = e.id and m.stage = s.id and m.round = 1
              and (m.first_participant is null or m.second_participant is null)
          ) and named.players > 2 ^ (s.rounds - 1) then jsonb_build_object('players', named.players)
          else '{}' end as stage
      from record.stage s
      cross join lateral (
        select count(*) as players from record.stage_member m where m.tournament_id = e.id and m.stage = s.id
      ) listed
      -- A bracket of R rounds has more than half of 2 ^ R players. With fewer, its first round is not
      -- complete yet.
      cross join lateral (
        select count(*) as players from (
          select m.first_participant from record.match m
          where m.tournament_id = e.id and m.stage = s.id and m.first_participant is not null
          union
          select m.second_participant from record.match m
          where m.tournament_id = e.id and m.stage = s.id and m.second_participant is not null
        ) each_once
      ) named
      where s.tournament_id = e.id
      union all
      select 1000000, jsonb_build_object('id', 'standings', 'name', t.standings_label, 'type', 'board')
      from record.tournament t where t.id = e.id and e.status = 'finished'
    ) stages
  )
) as data
from oracle_event e;
