-- Old names of things: a tournament or a club whose slug changed, a player whose id changed or who was merged. Each names
-- the last name at once, never another old one.
create table record.moved (
  kind text not null check (kind in ('tournament', 'club', 'player')),
  id text collate "C" not null,
  target text collate "C" not null,
  primary key (kind, id),
  check (id <> target)
);
create index moved_to_target on record.moved (kind, target);
grant select, insert, update, delete on record.moved to wartable_publish;

-- Servers may not read `record`. They learn the last name of one thing, and only while it is shown.
create function published.moved_to(kind text, id text) returns text
  language sql stable security definer set search_path = pg_catalog, pg_temp
  as $$
    select moved.target from record.moved
    where moved.kind = $1 and moved.id = $2 and case moved.kind
      when 'tournament' then exists (select from published.tournament where slug = moved.target)
      when 'club' then exists (select from published.club where slug = moved.target)
      else exists (select from published.player where player.id = moved.target and player.name is not null)
    end
  $$;
revoke execute on function published.moved_to(text, text) from public;
grant execute on function published.moved_to(text, text) to wartable_serve;
