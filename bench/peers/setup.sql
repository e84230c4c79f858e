-- What a server over the normalised tables needs for a player's page: the indexes, and the page as a function. Both peers
-- use it, so that they differ in the server only.
create index if not exists bench_battle_first on record.battle (tournament_id, first_participant);
create index if not exists bench_battle_second on record.battle (tournament_id, second_participant);

create schema if not exists peers;
create or replace function peers.player_page(who text) returns setof record.battle stable language sql as $$
  select battle.*
  from record.battle
  where not battle.archived and battle.id in (
    select b.id from record.participant p join record.battle b
      on b.tournament_id = p.tournament_id and b.first_participant = p.id where p.player = who
    union all
    select b.id from record.participant p join record.battle b
      on b.tournament_id = p.tournament_id and b.second_participant = p.id where p.player = who
    union all
    select b.id from record.battle b where b.first_player = who
    union all
    select b.id from record.battle b where b.second_player = who
  )
  order by battle.date desc nulls last, battle.round desc nulls last, battle.id desc
  limit 20
$$;
