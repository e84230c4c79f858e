-- A small platform that is not Wartable: its own numbers as ids, three game systems of which one goes to Wartable, soft
-- deletes, users who were merged, and an outbox that triggers fill.
create schema platform;

create table platform.systems (id integer primary key, name text not null);
insert into platform.systems values (1, 'Lantern Wars'), (2, 'Iron Tides'), (3, 'Hex and Hammer');

create table platform.users (
  id integer generated always as identity primary key,
  nick text not null,
  deleted_at timestamptz,
  merged_into integer references platform.users
);

create table platform.clubs (
  id integer generated always as identity primary key,
  slug text not null unique,
  title text not null,
  city text,
  deleted_at timestamptz
);

create table platform.events (
  id integer generated always as identity primary key,
  slug text not null unique,
  title text not null,
  system_id integer not null references platform.systems,
  club_id integer references platform.clubs,
  state text not null default 'draft' check (state in ('draft', 'open', 'running', 'done')),
  starts_on date,
  rounds integer not null default 3,
  deleted_at timestamptz
);

create table platform.entries (
  id integer generated always as identity primary key,
  event_id integer not null references platform.events,
  user_id integer references platform.users,
  guest text,
  army text,
  dropped boolean not null default false,
  unique (event_id, user_id),
  check (num_nonnulls(user_id, guest) = 1)
);

create table platform.games (
  id integer generated always as identity primary key,
  event_id integer not null references platform.events,
  round integer not null,
  entry1 integer not null references platform.entries,
  entry2 integer not null references platform.entries,
  points1 integer,
  points2 integer,
  deleted_at timestamptz
);
create index on platform.games (event_id);

-- What has changed, not how: the exporter reads the state of the thing when it sends it.
create table platform.outbox (
  id bigint generated always as identity primary key,
  kind text not null,
  thing integer not null,
  old_slug text
);

create function platform.note() returns trigger language plpgsql as $$
declare
  now_ jsonb := to_jsonb(coalesce(new, old));
begin
  insert into platform.outbox (kind, thing, old_slug) values (tg_argv[0], (now_ ->> tg_argv[1])::integer,
    case when tg_op = 'UPDATE' then nullif(to_jsonb(old) ->> 'slug', now_ ->> 'slug') end);
  return null;
end
$$;
create trigger note after insert or update or delete on platform.users
  for each row execute function platform.note('user', 'id');
create trigger note after insert or update or delete on platform.clubs
  for each row execute function platform.note('club', 'id');
create trigger note after insert or update or delete on platform.events
  for each row execute function platform.note('event', 'id');
create trigger note after insert or update or delete on platform.entries
  for each row execute function platform.note('event', 'event_id');
create trigger note after insert or update or delete on platform.games
  for each row execute function platform.note('event', 'event_id');
