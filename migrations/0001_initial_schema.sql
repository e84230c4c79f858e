-- The whole schema of version 1.0.0.
--
--   record     The facts, as feeds sent them. This is the system of record, and only members of wartable_publish may read or
--              write it.
--   published  The documents that are derived from the facts, the rows that lists are paged by, and what the pages show.
--              A server may read nothing else.
--   keys       API keys. A server reaches them through two functions, a self-service portal through four.
--   audit      What operators did by command.
--
-- migrations/schema.sql is generated: it shows the same schema as PostgreSQL prints it. This file explains the reasons.

-- Roles ---------------------------------------------------------------------------------------------------------------

-- Three groups without a login. wartable_publish records and publishes, wartable_serve answers requests, and wartable_keys
-- issues keys for a self-service portal that must never hold the owner's password.
--
-- Roles belong to the whole cluster, so another database may be creating them at this very moment. Therefore we create only
-- what is missing, accept that somebody else was faster, and never ALTER a role, which would end in "tuple concurrently
-- updated".
do $$
declare
  role_name text;
begin
  foreach role_name in array array['wartable_publish', 'wartable_serve', 'wartable_keys'] loop
    begin
      if not exists (select from pg_catalog.pg_roles where rolname = role_name) then
        execute format('create role %I nologin', role_name);
      end if;
    exception
      when duplicate_object or unique_violation then null;
    end;
  end loop;
end
$$;

revoke create on schema public from public;

-- `record` exists already: the runner of the migrations keeps its own table in it.
create schema if not exists record;
create schema published;
create schema keys;
create schema audit;

grant usage on schema record, published, audit to wartable_publish;
grant usage on schema published, keys, audit to wartable_serve;
grant usage on schema keys to wartable_keys;

-- Audit ---------------------------------------------------------------------------------------------------------------

-- An audit entry: one thing that an operator did by command, and the login that did it. An entry holds ids
-- and slugs, never a name or a key.
--
-- The group roles can only add entries, and only by calling audit.note, which takes the login and the time
-- from the session. No trigger protects entries from the owner, because the owner could drop it, and must be
-- able to delete old entries.
create table audit.entry (
  id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  login text not null default session_user,
  action text not null check (action ~ '^[a-z]+( [a-z]+)*$' and length(action) <= 50),
  kind text not null check (kind ~ '^[a-z]+( [a-z]+)*$' and length(kind) <= 50),
  -- An id or a slug. Most names would not even fit.
  thing text not null check (thing ~ '^[A-Za-z0-9_/-]{1,200}$')
);

-- The identity of this installation. A dump and a copy of the server keep it, so a saved audit can tell whether it belongs to
-- a restored database. Only the owner may read it.
create table audit.installation (
  "only" boolean primary key default true check ("only"),
  id uuid not null default gen_random_uuid()
);
insert into audit.installation default values;

-- Adds an entry. The function runs with the owner's rights, but session_user is still the login that called it.
create function audit.note(action text, kind text, thing text) returns void
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
as $$
  insert into audit.entry (action, kind, thing) values ($1, $2, $3)
$$;

revoke execute on function audit.note from public;
grant execute on function audit.note to wartable_publish, wartable_serve;

-- Keys ----------------------------------------------------------------------------------------------------------------

-- An account: a person or an organisation that has API keys.
create table keys.account (
  id bigint generated always as identity primary key,
  name text not null unique check (name ~ '\S' and length(name) <= 200),
  active boolean not null default true,
  created_at timestamptz not null default now(),
  contact text check (contact ~ '\S' and length(contact) <= 200),
  -- The limit that all keys of the account share. When it is null, each key has the server's limit to itself.
  requests_per_minute integer check (requests_per_minute > 0)
);

-- An API key. We store only its SHA-256 digest.
create table keys.key (
  id bigint generated always as identity primary key,
  account_id bigint not null references keys.account,
  digest bytea not null unique check (octet_length(digest) = 32),
  created_at timestamptz not null default now(),
  revoked_at timestamptz,
  last_used_at timestamptz,
  label text check (label ~ '\S' and length(label) <= 200),
  expires_at timestamptz check (isfinite(expires_at)),
  -- The key that replaced it. A key can be rotated only once; after that, rotate the key that replaced it.
  rotated_to bigint references keys.key
);
create index key_account_id on keys.key (account_id);

-- Looks a key up for a server. It returns the time that is left rather than the moment at which the key expires, so only the
-- database's clock counts: a server whose clock is wrong refuses the key at the same time as the others.
create function keys.check_key(key_digest bytea)
  returns table (
    key_id bigint, account_id bigint, active boolean, expires_in_ms double precision, requests_per_minute integer
  )
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
as $$
  select key.id, account.id, key.revoked_at is null and account.active,
    extract(epoch from key.expires_at - now()) * 1000, account.requests_per_minute
  from keys.key join keys.account on account.id = key.account_id
  where key.digest = key_digest
$$;

-- Notes when keys were last used. Several servers may report overlapping sets of keys at the same time, so
-- the rows are locked in the order of their ids, which makes the servers wait for each other instead of
-- running into a deadlock.
create function keys.note_use(key_ids bigint[], used_at timestamptz[]) returns void
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
as $$
  with used as (
    select id, least(max(at), now()) as at
    from unnest(key_ids, used_at) as noted (id, at)
    group by id
  ), locked as (
    select key.id, used.at
    from keys.key join used using (id)
    where key.last_used_at is null or key.last_used_at < used.at
    order by key.id
    for no key update of key
  )
  update keys.key set last_used_at = locked.at from locked where key.id = locked.id
$$;

revoke execute on function keys.check_key, keys.note_use from public;
grant execute on function keys.check_key, keys.note_use to wartable_serve;

-- The remaining functions are for a portal, and `wartable keys` uses them, too. Each adds an audit entry with the login that
-- called it.

-- Creates a key, and the account if there is none of that name. Only the digest of the key reaches the database.
create function keys.create_key(account text, key_digest bytea, label text, expires_at timestamptz)
  returns table (id bigint, account_name text, account_active boolean, ends_at timestamptz)
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  made keys.key;
begin
  insert into keys.account (name) values ($1) on conflict (name) do nothing;
  insert into keys.key (account_id, digest, label, expires_at)
    select account.id, $2, $3, $4 from keys.account where account.name = $1 returning * into made;
  perform audit.note('key created', 'key', made.id::text);
  return query select made.id, account.name, account.active, made.expires_at
    from keys.account where account.id = made.account_id;
end
$$;

-- Creates a key that replaces an old one, with the same account and label. The old key expires after the overlap, or at its own
-- expiry if that is earlier. Returns no row when there is no such key, or when it was already rotated, was revoked or has
-- expired: keys.list_keys tells which.
create function keys.rotate_key(old_id bigint, key_digest bytea, overlap_ms float8, expires_at timestamptz)
  returns table (
    id bigint, account_name text, account_active boolean, ends_at timestamptz, old_ends_at timestamptz
  )
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  old keys.key;
  made keys.key;
begin
  select * into old from keys.key
    where key.id = $1 and key.rotated_to is null and key.revoked_at is null
      and (key.expires_at is null or key.expires_at > now()) for update;
  if not found then
    return;
  end if;
  insert into keys.key (account_id, digest, label, expires_at) values (old.account_id, $2, old.label, coalesce($4,
    now() + make_interval(secs => extract(epoch from old.expires_at - old.created_at)::float8))) returning * into made;
  update keys.key set rotated_to = made.id, expires_at = least(key.expires_at, now() + $3 * interval '1 ms')
    where key.id = $1 returning * into old;
  perform audit.note('key created', 'key', made.id::text);
  perform audit.note('key rotated', 'key', $1::text);
  perform pg_notify('wartable_keys', json_build_object('expire', 'key', 'id', $1::text,
    'inMs', (extract(epoch from old.expires_at - now()) * 1000)::float8)::text);
  return query select made.id, account.name, account.active, made.expires_at, old.expires_at
    from keys.account where account.id = made.account_id;
end
$$;

-- Revokes a key and tells the servers. Returns false when there is no such key.
create function keys.revoke_key(key_id bigint) returns boolean
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  revoked keys.key;
begin
  select * into revoked from keys.key where key.id = $1 for update;
  if not found then
    return false;
  end if;
  if revoked.revoked_at is null then
    update keys.key set revoked_at = now() where key.id = $1;
    perform audit.note('key revoked', 'key', $1::text);
  end if;
  perform pg_notify('wartable_keys', json_build_object('refuse', 'key', 'id', $1::text)::text);
  return true;
end
$$;

-- Lists all keys with their accounts, and states for each key whether servers accept it.
create function keys.list_keys()
  returns table (
    id bigint, account text, label text, contact text, created_at timestamptz, expires_at timestamptz,
    last_used_at timestamptz, revoked_at timestamptz, rotated_to bigint, state text
  )
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select key.id, account.name, key.label, account.contact, key.created_at, key.expires_at, key.last_used_at,
    key.revoked_at, key.rotated_to,
    case when key.revoked_at is not null then 'revoked' when key.expires_at <= now() then 'expired'
      when not account.active then 'account inactive' else 'active' end
  from keys.key join keys.account on account.id = key.account_id
  order by key.id
$$;

revoke execute on function keys.create_key, keys.rotate_key, keys.revoke_key, keys.list_keys from public;
grant execute on function keys.create_key, keys.rotate_key, keys.revoke_key, keys.list_keys to wartable_keys;

-- Facts: clubs, players, battle packs ---------------------------------------------------------------------------------

-- These tables refuse whatever the domain forbids. The importer alone checks what constraints cannot express, for example that
-- the faction of a side agrees with the army list of its participant.
--
-- Each name is stored once: that of a registered player in record.player, that of a guest where the guest took part. The only
-- other personal data are army lists and the reasons for adjustments. Erasing a person removes those as well.

create type record.role as enum ('attacker', 'defender');
create type record.victory_size as enum ('major', 'minor');
create type record.status as enum ('planned', 'ongoing', 'finished');

-- A source: a platform, an organiser's sheet, or anybody else who sends feeds. Every thing belongs to the
-- source that first sent it, and no other source may change or remove it (docs/sources.md).
--
-- The counts and times show how the source is doing. An import writes them outside its transactions, so that
-- two imports of one source never wait for each other.
create table record.source (
  name text collate "C" primary key check (name ~ '^[a-z0-9][a-z0-9-]{0,62}$'),
  last_sent_at timestamptz,
  accepted bigint not null default 0,
  refused bigint not null default 0,
  last_refused_at timestamptz,
  -- The reason for the last refusal, without the value that was found, which may be a person's name.
  last_refusal text,
  -- True if something was refused since an import last reached its end without refusing anything.
  is_refusing boolean not null default false,
  -- The length of silence that is normal. If it is null, there is no alert for silence.
  expected_every interval check (expected_every > interval '0')
);
insert into record.source (name) values ('main');

-- A club, which may run tournaments and which players may represent.
create table record.club (
  slug text collate "C" primary key check (slug ~ '^[a-z0-9-]{1,100}$'),
  name text not null check (name <> ''),
  description text not null,
  city text,
  country text,
  website text,
  members integer not null check (members >= 0),
  source text collate "C" not null references record.source
);

-- A registered player. After an erasure, the row stays as an id without a name.
create table record.player (
  id text collate "C" primary key check (id ~ '^[A-Za-z0-9_-]{1,64}$'),
  name text,
  erased boolean not null default false,
  -- True if an operator erased this player, which no feed can undo. If a feed erased the player, a feed may
  -- bring the name back.
  erased_for_good boolean not null default false,
  source text collate "C" not null references record.source,
  check (erased = (name is null)),
  constraint player_erased_for_good check (erased or not erased_for_good)
);

-- A battle pack: a set of rules for battles, with what is scored under them.
create table record.battle_pack (
  name text collate "C" primary key,
  objectives boolean not null,
  battle_tactics boolean not null,
  grand_strategies boolean not null,
  source text collate "C" not null references record.source
);

-- Facts: tournaments --------------------------------------------------------------------------------------------------

-- A tournament, published or still a draft. The tables below refer to its number, because millions of their rows would
-- otherwise repeat the slug.
create table record.tournament (
  id integer generated by default as identity primary key,
  slug text collate "C" not null unique check (slug ~ '^[a-z0-9-]{1,100}$'),
  published boolean not null,
  name text not null,
  status record.status not null,
  start_date date,
  end_date date,
  description text not null,
  city text,
  country text,
  battle_size integer not null,
  battle_pack text collate "C" references record.battle_pack,
  organizer text collate "C" references record.club,
  tie_breaks text[] not null,
  metrics jsonb not null,
  standings_label text not null,
  placements_recorded boolean not null,
  source text collate "C" not null references record.source,
  check (end_date >= start_date)
);
create index tournament_by_battle_pack on record.tournament (battle_pack);
create index tournament_by_organizer on record.tournament (organizer);

-- A registered player who helps to run a tournament.
create table record.tournament_organizer (
  tournament_id integer references record.tournament,
  player text collate "C" references record.player,
  primary key (tournament_id, player)
);
create index tournament_organizer_by_player on record.tournament_organizer (player);

-- A group of participants. Boards show the groups of a tournament in the order of their positions.
create table record.tournament_group (
  tournament_id integer references record.tournament,
  name text collate "C",
  position integer not null,
  primary key (tournament_id, name),
  unique (tournament_id, position) deferrable initially deferred
);

-- A participant: a registered player, or a guest with a name, in one tournament. An erased guest has an empty
-- name, which no feed can give, so every participant is either a player or a guest.
create table record.participant (
  tournament_id integer references record.tournament,
  id text collate "C" check (id ~ '^[A-Za-z0-9_-]{1,64}$'),
  player text collate "C" references record.player,
  name text,
  club text collate "C" references record.club,
  group_name text collate "C",
  dropped boolean not null,
  no_show boolean not null,
  faction text,
  final_placement integer check (final_placement > 0),
  lot integer not null,
  primary key (tournament_id, id),
  unique (player, tournament_id) deferrable initially deferred,
  foreign key (tournament_id, group_name) references record.tournament_group,
  constraint participant_player_or_guest check ((player is null) <> (name is null))
);
create index participant_by_club on record.participant (club) where club is not null;

-- The army list of a participant. Its faction is stored with the participant, so the two cannot disagree. Erasing a person
-- leaves only the sub-faction, because boards and battles show it.
create table record.participant_list (
  tournament_id integer,
  participant text collate "C",
  sub_faction text not null,
  points integer,
  battle_tactic_cards text[],
  text text,
  primary key (tournament_id, participant),
  foreign key (tournament_id, participant) references record.participant,
  constraint participant_list_whole_or_erased check (num_nulls(points, battle_tactic_cards, text) in (0, 3))
);

-- A stage: a part of a tournament with standings of its own, which are a board or a bracket.
create table record.stage (
  tournament_id integer references record.tournament,
  id text collate "C" check (id ~ '^(swiss|knockout|placement-swiss|placement-[1-9][0-9]*(-[1-9][0-9]*)?)$'),
  position integer not null,
  label text not null,
  type text not null check (type = case when id in ('swiss', 'placement-swiss') then 'board' else 'bracket' end),
  phase integer not null check (phase > 0),
  rounds integer not null check (rounds >= 0),
  grouped boolean not null check (not grouped or type = 'board'),
  everybody boolean not null,
  carries_over text collate "C",
  primary key (tournament_id, id),
  unique (tournament_id, position) deferrable initially deferred,
  foreign key (tournament_id, carries_over) references record.stage deferrable initially deferred,
  -- The knockout decides the first two placements, and a band of placements runs downwards.
  constraint stage_of_placements check (
    case when id ~ '^placement-[1-9]'
    then split_part(id, '-', 2)::numeric >= 3
      and coalesce(nullif(split_part(id, '-', 3), '')::numeric > split_part(id, '-', 2)::numeric, true)
    end
  )
);

-- A participant who plays in a stage. A stage in which everybody plays has no such rows.
create table record.stage_member (
  tournament_id integer,
  stage text collate "C",
  participant text collate "C",
  seed integer,
  primary key (tournament_id, stage, participant),
  foreign key (tournament_id, stage) references record.stage,
  foreign key (tournament_id, participant) references record.participant
);

-- A bye: a round in which a participant had no opponent, and what it counts for.
create table record.bye (
  tournament_id integer,
  stage text collate "C",
  round integer check (round > 0),
  participant text collate "C",
  win boolean not null,
  battle_points numeric(9, 2) not null,
  victory_points numeric(9, 2) not null,
  victory_points_diff numeric(9, 2) not null,
  primary key (tournament_id, stage, round, participant),
  foreign key (tournament_id, stage) references record.stage,
  foreign key (tournament_id, participant) references record.participant
);

-- An adjustment: points that the organiser gave to a participant or took away, apart from any battle.
create table record.adjustment (
  tournament_id integer,
  position integer,
  stage text collate "C" not null,
  participant text collate "C" not null,
  battle_points numeric(9, 2) not null,
  victory_points numeric(9, 2) not null,
  victory_points_diff numeric(9, 2) not null,
  reason text,
  primary key (tournament_id, position),
  foreign key (tournament_id, stage) references record.stage,
  foreign key (tournament_id, participant) references record.participant
);

-- The organiser's own ranking of a board after a round. `ranks` is by participant, so it holds each of them
-- once. `results` is a digest of the results that it counts: once these have changed, a page says which round
-- the ranking is from.
create table record.ranking (
  tournament_id integer,
  stage text collate "C" check (stage in ('swiss', 'placement-swiss')),
  after_round integer check (after_round >= 0),
  ranks jsonb not null check (jsonb_typeof(ranks) = 'object'),
  results text not null default '',
  primary key (tournament_id, stage, after_round),
  foreign key (tournament_id, stage) references record.stage on delete cascade
);

-- Facts: battles ------------------------------------------------------------------------------------------------------

-- A battle, either of a tournament or casual. Its two sides are columns of the same row, so a battle is one row to write and to
-- read, and constraints can see that there are exactly two sides, that the two don't have the same role, that the winner took
-- part and that nobody plays against themselves.
create table record.battle (
  id text collate "C" primary key check (id ~ '^[A-Za-z0-9_-]{1,64}$'),
  tournament_id integer,
  stage text collate "C",
  round integer check (round > 0),
  table_number integer,
  date date,
  scenario text,
  battle_pack text collate "C" references record.battle_pack,
  battle_size integer,
  club text collate "C" references record.club,
  finished boolean not null,
  winner smallint check (winner in (1, 2)),
  victory_size record.victory_size,
  archived boolean not null,
  -- The time at which the result came in while the tournament was running, or null if it is not known. No
  -- feed has it.
  arrived timestamptz,
  first_participant text collate "C",
  first_player text collate "C" references record.player,
  first_name text,
  first_club text collate "C" references record.club,
  first_faction text,
  first_sub_faction text,
  first_battle_points numeric(9, 2),
  first_victory_points numeric(9, 2),
  first_objective_points numeric(9, 2),
  first_battle_tactics_scored integer,
  first_grand_strategy text,
  first_grand_strategy_scored boolean,
  first_drops integer,
  first_role record.role,
  first_metrics jsonb,
  first_list jsonb,
  first_rounds jsonb,
  second_participant text collate "C",
  second_player text collate "C" references record.player,
  second_name text,
  second_club text collate "C" references record.club,
  second_faction text,
  second_sub_faction text,
  second_battle_points numeric(9, 2),
  second_victory_points numeric(9, 2),
  second_objective_points numeric(9, 2),
  second_battle_tactics_scored integer,
  second_grand_strategy text,
  second_grand_strategy_scored boolean,
  second_drops integer,
  second_role record.role,
  second_metrics jsonb,
  second_list jsonb,
  second_rounds jsonb,
  -- The source of a casual battle. A battle of a tournament belongs to the owner of the tournament.
  source text collate "C" references record.source,
  -- The foreign key of record.match needs it.
  constraint battle_of_a_stage unique (tournament_id, stage, id),
  foreign key (tournament_id, stage) references record.stage,
  foreign key (tournament_id, first_participant) references record.participant,
  foreign key (tournament_id, second_participant) references record.participant,
  constraint battle_winner_finished check (winner is null or finished),
  constraint battle_size_of_a_win check (victory_size is null or winner is not null),
  constraint battle_opposite_roles check (first_role <> second_role),
  constraint battle_two_people check (first_participant <> second_participant and first_player <> second_player),
  constraint battle_faction_of_list check (
    (first_list is null or first_faction is not null) and (second_list is null or second_faction is not null)
  ),
  constraint battle_casual_source check ((tournament_id is null) = (source is not null)),
  constraint battle_of_a_tournament_or_casual check (
    case when tournament_id is not null
    then stage is not null and round is not null and club is null
      and first_participant is not null and second_participant is not null
      and num_nonnulls(first_player, first_name, first_club, second_player, second_name, second_club) = 0
    else num_nonnulls(stage, round, table_number, first_participant, second_participant) = 0
      and battle_size is not null
      and num_nonnulls(first_player, first_name) = 1 and num_nonnulls(second_player, second_name) = 1
    end
  )
);
create index battle_by_first_player on record.battle (first_player) where first_player is not null;
create index battle_by_second_player on record.battle (second_player) where second_player is not null;
create index battle_by_club on record.battle (club) where club is not null;
create index battle_by_first_club on record.battle (first_club) where first_club is not null;
create index battle_by_second_club on record.battle (second_club) where second_club is not null;
create index battle_by_battle_pack on record.battle (battle_pack) where battle_pack is not null;

-- A match of a bracket. It may have no battle. If it has one, the battle belongs to the same stage; this is checked at commit,
-- because the two may move to another stage together.
create table record.match (
  tournament_id integer,
  stage text collate "C" check (stage not in ('swiss', 'placement-swiss')),
  round integer check (round > 0),
  position integer check (position > 0),
  name text,
  table_number integer not null,
  first_participant text collate "C",
  second_participant text collate "C",
  winner text collate "C",
  battle text collate "C",
  primary key (tournament_id, stage, round, position),
  foreign key (tournament_id, stage) references record.stage,
  foreign key (tournament_id, first_participant) references record.participant,
  foreign key (tournament_id, second_participant) references record.participant,
  constraint match_battle_of_its_stage foreign key (tournament_id, stage, battle)
    references record.battle (tournament_id, stage, id) deferrable initially deferred,
  constraint match_two_people check (first_participant <> second_participant),
  constraint match_first_known_first check (second_participant is null or first_participant is not null),
  constraint match_winner_played check (
    winner is null or coalesce(winner = first_participant, false) or coalesce(winner = second_participant, false)
  )
);

-- Every participant of a grouped stage has a group. This is checked at commit, because a transaction changes
-- stages and participants one after the other.
create function record.check_groups() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if exists (
    select from record.stage s
    join record.participant p on p.tournament_id = s.tournament_id and p.group_name is null
    where s.tournament_id = new.tournament_id and s.grouped
      and (s.everybody or exists (
        select from record.stage_member m
        where m.tournament_id = s.tournament_id and m.stage = s.id and m.participant = p.id
      ))
  ) then
    raise exception 'a grouped stage has a member in no group'
      using errcode = 'check_violation', constraint = 'stage_member_in_a_group', schema = 'record', table = 'stage';
  end if;
  return null;
end $$;
create constraint trigger stage_grouped after insert or update on record.stage
  deferrable initially deferred for each row when (new.grouped) execute function record.check_groups();
create constraint trigger participant_group after insert or update of group_name on record.participant
  deferrable initially deferred for each row when (new.group_name is null) execute function record.check_groups();
create constraint trigger stage_member_group after insert or update on record.stage_member
  deferrable initially deferred for each row execute function record.check_groups();
revoke execute on function record.check_groups from public;

-- Facts: what outlives the things -------------------------------------------------------------------------------------

-- A guest who was erased, so that a later feed cannot bring the name back. The row names the tournament by
-- its slug rather than its number, because the erasure must outlive a tournament that is removed and sent
-- again. Like the next table, it holds nothing personal, only ids from the feed.
create table record.erased_guest (
  tournament text collate "C",
  participant text collate "C",
  primary key (tournament, participant)
);

-- A casual battle in which a guest was erased. Such a guest has no id, and a later feed may send the two
-- sides in the other order, so we remember only the battle. From then on it accepts no guest's name except
-- one that it already has.
create table record.erased_casual_guest (
  battle text collate "C" primary key
);

-- A tournament that an operator hid. It stays hidden, whatever a feed says, until an operator publishes it. It is named by its
-- slug, because a feed may remove the tournament and send it again.
create table record.hidden_tournament (
  slug text collate "C" primary key
);

-- The former name of a tournament or a club whose slug changed, or of a player whose id changed or who was merged with another.
-- The target is always the newest name, never another former one.
create table record.moved (
  kind text not null check (kind in ('tournament', 'club', 'player')),
  id text collate "C" not null,
  target text collate "C" not null,
  primary key (kind, id),
  check (id <> target)
);
create index moved_to_target on record.moved (kind, target);

-- A running import, with the number of the last batch that it has committed, written in the transaction of that batch. An import
-- that loses its connection during a commit looks here to find out whether the batch was committed, because a batch that shows
-- one thing in several states must not be applied twice.
create table record.import (
  id uuid primary key,
  batch integer not null,
  at timestamptz not null default now()
);

-- A mark: this thing must be published again. Marks are only ever inserted and deleted, so recording never waits for a publisher,
-- and a publisher settles all marks of one thing together.
--
-- A mark on a player stands for every document that contains the player's name, a mark on a battle pack for every document that
-- depends on what the pack scores. `battle` means a casual battle; the battles of a tournament are published with it.
create table record.mark (
  id bigint generated always as identity primary key,
  kind text collate "C" not null check (kind in ('tournament', 'club', 'player', 'battlePack', 'battle')),
  key text collate "C" not null,
  marked_at timestamptz not null default now(),
  -- The part of a tournament that changed: the id of a battle, so that one result does not cause a large
  -- tournament to be derived again; the empty text for everything except battles; null for everything.
  part text collate "C",
  -- The reason why a publisher could not publish the thing. Null until it has tried and failed.
  reason text,
  -- True if the documents must be derived again although no fact changed. Rebuilding can take hours, so
  -- changes are published first, and among them results before other changes. The indexes let a publisher
  -- find each sort of mark without reading the others.
  rebuild boolean not null default false
);
create index mark_kind_key on record.mark (kind, key);
create index mark_result on record.mark (kind, key) where part is not null and not rebuild;
create index mark_change on record.mark (kind, key) where part is null and not rebuild;

grant select, insert, update, delete on
  record.club, record.player, record.battle_pack, record.tournament, record.tournament_organizer, record.tournament_group,
  record.participant, record.participant_list, record.stage, record.stage_member, record.bye, record.adjustment,
  record.ranking, record.battle, record.match, record.erased_guest, record.erased_casual_guest, record.hidden_tournament,
  record.moved, record.import, record.mark, record.source
  to wartable_publish;

-- Documents -----------------------------------------------------------------------------------------------------------

-- Every list is a range of a single index, continued from the key of the last row. So the rows that lists are paged by hold no
-- nulls (a missing date is -infinity, and a casual battle has the stage order 0 and the round 0), all columns of a key are
-- sorted in the same direction, and text is compared byte by byte.
--
-- Each tournament, club, player and battle has a revision, and so do a few lists. A revision moves whenever anything changes,
-- appears, moves or disappears in any answer about the thing.

-- Returns the revision that follows another one, or the first one of a new thing. A revision is never used twice: not when a
-- thing is removed and returns, because the clock has moved on, and not after a recovery that lost commits.
create function published.next_revision(previous bigint) returns bigint
  language sql volatile
  return greatest(coalesce(previous, 0) + 1, (extract(epoch from clock_timestamp()) * 1000000)::bigint);

revoke execute on function published.next_revision from public;
grant execute on function published.next_revision to wartable_publish;

-- The revision of something that is not a single thing: the list of all tournaments, the names that the search finds, or the
-- statistics of factions. Each has a row of its own, because publishers lock them separately, always in this order.
create table published.list_revision (
  list text collate "C" primary key check (list in ('tournaments', 'search', 'factions')),
  revision bigint not null
);
insert into published.list_revision (list, revision)
  select list, published.next_revision(null) from unnest(array['tournaments', 'search', 'factions']) as list;

-- The version of the code that derived all documents of a kind. Clubs and casual battles are stamped together here, because
-- their rows don't store a version; tournaments store their own.
create table published.derivation (
  kind text collate "C" primary key check (kind in ('club', 'battle')),
  version integer not null
);
insert into published.derivation (kind, version) values ('club', 0), ('battle', 0);

-- A published tournament: its document, and the columns that lists of tournaments are filtered and sorted by.
create table published.tournament (
  slug text collate "C" primary key,
  start_date date not null,
  status text collate "C" not null,
  organizer text collate "C",
  -- The document contains it, too. It is a column so that lists can filter by it.
  country text collate "C",
  -- The winner or leader, as JSON, so that lists don't have to read standings.
  leader text,
  -- The end date, otherwise the start date or the day of the last result, whichever is later; -infinity if
  -- none is known. A tournament that its source calls running is being played until the end of the day after
  -- this one.
  last_day date not null,
  -- The latest day of a result: the day on which it arrived or, if that is unknown, on which it was played.
  last_result date,
  -- The ids of its stages in the order in which they are played, and the stage whose standings are shown by default.
  stages text[] not null,
  default_stage text,
  -- The version of the code that derived its own documents, and of the code that derived those of its battles.
  derivation integer not null,
  battle_derivation integer not null,
  revision bigint not null,
  document text not null,
  -- What pages show in addition: how far play has got, and what is being played now. It is JSON and not in
  -- any language. src/published/views.ts describes this view and the others.
  view text not null
);
create index tournament_by_start_date on published.tournament (start_date, slug);
create index tournament_by_status on published.tournament (status, start_date, slug);
create index tournament_by_organizer on published.tournament (organizer, start_date, slug) where organizer is not null;
create index tournament_by_country on published.tournament (country, start_date, slug) where country is not null;
create index tournament_by_country_and_status on published.tournament (country, status, start_date, slug)
  where country is not null;
create index tournament_running on published.tournament (last_day, start_date, slug, country) where status = 'ongoing';
create index tournament_by_derivation on published.tournament (derivation, battle_derivation);

-- The standings of one stage of a published tournament: the complete answer of the standings endpoint.
create table published.standings (
  tournament text collate "C",
  stage text collate "C",
  document text not null,
  -- What pages show in addition, as JSON: for a board, what the rows of the document lack; for a bracket,
  -- everything.
  view text not null,
  -- The ids of the participants in the order of the rows of a board, or of those who have an opponent in a
  -- bracket. An erased participant of a board is an empty text, so that nobody can find them.
  entries text[] not null,
  -- The rounds that are being played, or the last one that has begun.
  rounds integer[] not null,
  -- All battles of the rounds that are being played, as JSON. A large round has 500, so few pages read it.
  pairings text,
  primary key (tournament, stage)
);

-- A participant of a published tournament, in the alphabetical order of the list of participants.
create table published.participant (
  tournament text collate "C",
  sort_key text collate "C",
  id text collate "C",
  document text not null,
  -- The participant's position when a finished tournament is listed by placement; 0 until it is finished.
  list_order integer not null,
  -- The part of the participant's result that pages show, as JSON; {} until the tournament is finished.
  result text not null,
  primary key (tournament, sort_key, id)
);

-- A battle as lists show it. `players` and `clubs` name those whose lists contain it.
create table published.battle (
  id text collate "C" primary key,
  tournament text collate "C",
  date date not null,
  stage_order smallint not null,
  round smallint not null,
  players text[] not null,
  clubs text[] not null,
  table_number integer,
  -- The participant id of each side, so that pages lead to the right one of two people with the same name. Null if erased.
  first_entry text,
  second_entry text,
  revision bigint not null,
  document text not null
);
create index battle_of_tournament on published.battle (tournament, date, stage_order, round, id)
  where tournament is not null;

-- The same battle in full, with army lists and rounds, as the endpoint for a single battle shows it. It is a table of its own
-- because no list needs it.
create table published.battle_detail (
  id text collate "C" primary key,
  document text not null
);

-- A club.
create table published.club (
  slug text collate "C" primary key,
  revision bigint not null,
  document text not null,
  -- The folded name, by which the list of clubs is sorted.
  sort_key text collate "C" not null
);
create index club_by_name on published.club (sort_key, slug);

-- A registered player who exists and was not erased. Players have no document, but their lists have a revision.
create table published.player (
  id text collate "C" primary key,
  revision bigint not null,
  -- The current name as long as a published tournament or battle names the player, otherwise null. The player has a page and can
  -- be found by the search exactly as long as it is set.
  name text
) with (fillfactor = 80);

-- Lists -----------------------------------------------------------------------------------------------------------------

-- A battle in the list of a player, with the faction and the outcome of the player's own side. The outcome is 'win', 'draw' or
-- 'loss', or null until the battle is finished. One range of this table gives a player's record by faction and by year.
create table published.player_battle (
  player text collate "C",
  date date,
  stage_order smallint,
  round smallint,
  battle text collate "C",
  faction text,
  outcome text,
  primary key (player, date, stage_order, round, battle)
);

-- A battle in the list of a club.
create table published.club_battle (
  club text collate "C",
  date date,
  stage_order smallint,
  round smallint,
  battle text collate "C",
  primary key (club, date, stage_order, round, battle)
);

-- A tournament in the list of a registered player, who takes part in it (`plays`) or helps to run it (`organizes`).
create table published.player_tournament (
  player text collate "C",
  start_date date,
  tournament text collate "C",
  plays boolean not null,
  organizes boolean not null,
  -- The id of the participant, if the player plays.
  entry text collate "C",
  placement integer,
  -- True if pages show the placement, because it rests on a result, a match or a recorded rank.
  is_placed boolean not null,
  faction text,
  -- The club that the player represents there.
  club text collate "C",
  -- The player's finished battles in the tournament, including archived ones, without byes.
  won integer not null,
  drawn integer not null,
  lost integer not null,
  -- A letter for each result, in the order of the rounds: W, D and L for a battle, B for a bye.
  path text not null,
  primary key (player, start_date, tournament)
);
-- With this index, the list of tournaments that a player played does not have to skip those that the player only helped to run.
create index player_tournament_played on published.player_tournament (player, start_date, tournament) where plays;
-- Finds what the players of a club achieved, newest first. An entry counts from its first game on.
create index player_tournament_of_club on published.player_tournament (club, start_date desc, tournament desc, placement)
  where club is not null and won + drawn + lost > 0;

-- Search ----------------------------------------------------------------------------------------------------------------

-- A word of the name of a tournament, club, player or guest: the folded name, rotated so that it begins with
-- that word. A search is therefore one range of the index. No other index is needed, because the rows of a
-- name are computed from the name, even when they have to be removed.
--
-- Guests come in a range of their own, because only pages find them, and only where the operator allows it.
-- The key of a guest is the tournament's slug and the participant's id, with a slash between them. The search
-- uses `sort_key` to look the participant up, and shows the guest only while the participant still has this
-- name.
create table published.search (
  is_guest boolean,
  folded text collate "C",
  kind text collate "C",
  key text collate "C",
  label text not null,
  sort_key text collate "C",
  primary key (is_guest, folded, kind, key) include (label, sort_key),
  check (is_guest = (kind = 'guest') and is_guest = (sort_key is not null))
);

-- Statistics of factions ---------------------------------------------------------------------------------------------------

-- What one tournament adds to the statistics of factions. Only finished tournaments with a date count. One publisher at a time
-- computes each marked month anew from these rows.
create table published.tournament_factions (
  tournament text collate "C" primary key,
  start_date date not null,
  -- The first day of the month.
  month date not null,
  -- Empty if the tournament has no battle pack.
  pack text collate "C" not null,
  -- True if the tournament has five rounds or more.
  is_long boolean not null,
  -- The format is described in src/published/faction-sums.ts.
  counts json not null,
  -- The factions of up to the first three rows of the final standings, null for a row that has none.
  top json not null
);
create index tournament_factions_by_month on published.tournament_factions (month);

-- A top placement of a faction: one of its players is at this row of the tournament's final standings, counted from 0. It is the
-- `top` of the previous table, by faction.
create table published.faction_placement (
  faction text collate "C",
  start_date date,
  tournament text collate "C",
  "row" smallint,
  primary key (faction, start_date, tournament, "row")
);

-- A month whose sums must be computed again. The transaction that changes a tournament of the month inserts the row.
create table published.faction_mark (month date not null);

-- The sums of one month for one battle pack, or for all of them (the empty text), counting all tournaments or
-- only the long ones. A page therefore reads only one row for each month.
create table published.faction_month (
  pack text collate "C",
  is_long boolean,
  month date,
  tournaments integer not null,
  -- Every battle pack that was played in the month.
  packs text[] not null,
  counts json not null,
  computed timestamptz not null default now(),
  primary key (pack, is_long, month)
);

-- Marks the months that a tournament counted in before and after a change, and keeps published.faction_placement in step. It is a
-- trigger, so a change by hand has the same effect. Without the planner settings, a plan might read all of faction_placement.
create function published.note_factions() returns trigger
  language plpgsql set search_path = pg_catalog, pg_temp set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  if tg_op <> 'INSERT' then
    insert into published.faction_mark select distinct month from went;
    delete from published.faction_placement p using went cross join json_array_elements_text(top) as gone (faction)
    where p.faction = gone.faction and p.start_date = went.start_date and p.tournament = went.tournament;
  end if;
  if tg_op <> 'DELETE' then
    insert into published.faction_mark select distinct month from come;
    insert into published.faction_placement
    select listed.faction, start_date, tournament, listed.number - 1
    from come cross join json_array_elements_text(top) with ordinality as listed (faction, number)
    where listed.faction is not null
    on conflict do nothing;
  end if;
  return null;
end
$$;
revoke execute on function published.note_factions() from public;

-- There are three triggers because PostgreSQL allows transition tables only for a single event, and without a list of columns.
create trigger factions_come after insert on published.tournament_factions referencing new table as come
  for each statement execute function published.note_factions();
create trigger factions_moved after update on published.tournament_factions referencing old table as went new table as come
  for each statement execute function published.note_factions();
create trigger factions_went after delete on published.tournament_factions referencing old table as went
  for each statement execute function published.note_factions();

-- Changes ---------------------------------------------------------------------------------------------------------------

-- The latest change of a tournament, club or battle, for callers who keep a copy of our data. The list of
-- changes is ordered by sequence numbers.
--
-- A revision can't be this number: it is a clock value from before the commit, so a caller who asks for
-- "revision > n" would miss a commit that came late. Sequence numbers are assigned after the commit, by one
-- publisher at a time, and become visible in order.
create table published.change (
  kind text collate "C" not null check (kind in ('tournament', 'club', 'battle')),
  key text collate "C" not null,
  -- True if the document was removed. Otherwise it is new or has changed.
  gone boolean not null,
  -- The revision of the document, even if it was removed.
  revision bigint not null,
  -- The tournament of a battle.
  tournament text collate "C",
  -- The sequence number. Null until the change is assigned one.
  sequence bigint,
  -- The time at which the change was assigned its sequence number, or began to wait for one.
  since timestamptz not null,
  primary key (kind, key)
);
create unique index change_by_sequence on published.change (sequence) where sequence is not null;
create index change_waiting on published.change (since) where sequence is null;

-- The list of changes, in a single row: its revision, the last sequence number that was assigned, and the
-- highest one that was deleted. A restore goes back in time, so afterwards the operator starts a new epoch,
-- and sequence numbers from the previous epoch lose their meaning.
create table published.change_list (
  "only" boolean primary key default true check ("only"),
  revision bigint not null,
  epoch text collate "C" not null,
  last bigint not null default 0,
  floor bigint not null default 0
);
insert into published.change_list (revision, epoch)
values (published.next_revision(null), left(replace(gen_random_uuid()::text, '-', ''), 12));

-- Notes each thing that changed, still without a sequence number. A publisher deletes a changed row and
-- inserts it again, so the insert overwrites what the delete noted. Things are always noted in the order of
-- their keys, so that two transactions cannot end in a deadlock.
create function published.note_changes() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  case tg_table_name || ' ' || tg_op
    when 'tournament INSERT' then
      insert into published.change (kind, key, gone, revision, since)
      select 'tournament', slug, false, revision, clock_timestamp() from come order by slug
      on conflict (kind, key) do update set (gone, revision, sequence, since) = (false, excluded.revision, null, excluded.since);
    when 'tournament UPDATE' then
      -- The revision also moves with the standings and the participants.
      insert into published.change (kind, key, gone, revision, since)
      select 'tournament', slug, false, come.revision, clock_timestamp() from come join went using (slug)
      where come.revision <> went.revision order by slug
      on conflict (kind, key) do update set (gone, revision, sequence, since) = (false, excluded.revision, null, excluded.since);
    when 'tournament DELETE' then
      insert into published.change (kind, key, gone, revision, since)
      select 'tournament', slug, true, revision, clock_timestamp() from went order by slug
      on conflict (kind, key) do update set (gone, revision, sequence, since) = (true, excluded.revision, null, excluded.since);
    when 'club INSERT' then
      insert into published.change (kind, key, gone, revision, since)
      select 'club', slug, false, revision, clock_timestamp() from come order by slug
      on conflict (kind, key) do update set (gone, revision, sequence, since) = (false, excluded.revision, null, excluded.since);
    when 'club UPDATE' then
      -- The revision also moves with the club's lists, which are not part of the document.
      insert into published.change (kind, key, gone, revision, since)
      select 'club', slug, false, come.revision, clock_timestamp() from come join went using (slug)
      where come.document <> went.document order by slug
      on conflict (kind, key) do update set (gone, revision, sequence, since) = (false, excluded.revision, null, excluded.since);
    when 'club DELETE' then
      insert into published.change (kind, key, gone, revision, since)
      select 'club', slug, true, revision, clock_timestamp() from went order by slug
      on conflict (kind, key) do update set (gone, revision, sequence, since) = (true, excluded.revision, null, excluded.since);
    when 'battle INSERT' then
      insert into published.change (kind, key, gone, revision, tournament, since)
      select 'battle', id, false, revision, tournament, clock_timestamp() from come order by id
      on conflict (kind, key) do update set (gone, revision, tournament, sequence, since)
        = (false, excluded.revision, excluded.tournament, null, excluded.since);
    when 'battle UPDATE' then
      -- The revision also moves with the detail.
      insert into published.change (kind, key, gone, revision, tournament, since)
      select 'battle', id, false, come.revision, come.tournament, clock_timestamp() from come join went using (id)
      where come.revision <> went.revision order by id
      on conflict (kind, key) do update set (gone, revision, tournament, sequence, since)
        = (false, excluded.revision, excluded.tournament, null, excluded.since);
    when 'battle DELETE' then
      insert into published.change (kind, key, gone, revision, tournament, since)
      select 'battle', id, true, revision, tournament, clock_timestamp() from went order by id
      on conflict (kind, key) do update set (gone, revision, tournament, sequence, since)
        = (true, excluded.revision, excluded.tournament, null, excluded.since);
  end case;
  return null;
end
$$;
revoke execute on function published.note_changes() from public;

create trigger change_come after insert on published.tournament referencing new table as come
  for each statement execute function published.note_changes();
create trigger change_moved after update on published.tournament referencing old table as went new table as come
  for each statement execute function published.note_changes();
create trigger change_went after delete on published.tournament referencing old table as went
  for each statement execute function published.note_changes();
create trigger change_come after insert on published.club referencing new table as come
  for each statement execute function published.note_changes();
create trigger change_moved after update on published.club referencing old table as went new table as come
  for each statement execute function published.note_changes();
create trigger change_went after delete on published.club referencing old table as went
  for each statement execute function published.note_changes();
create trigger change_come after insert on published.battle referencing new table as come
  for each statement execute function published.note_changes();
create trigger change_moved after update on published.battle referencing old table as went new table as come
  for each statement execute function published.note_changes();
create trigger change_went after delete on published.battle referencing old table as went
  for each statement execute function published.note_changes();

-- Assigns sequence numbers to committed changes, including those of a publisher that died. A publisher calls
-- it after its commit, in a transaction of its own, until it returns fewer than 5,000. It holds the lock on
-- the list until its own commit, but never waits for another publisher: a row that is being changed again is
-- assigned its number later. It also deletes changes older than 90 days. Without the planner settings, a plan
-- might read the whole table, even to find out that nothing is waiting, if its statistics are from a moment
-- when a lot was.
create function published.number_changes() returns integer
  language plpgsql set search_path = pg_catalog, pg_temp
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
declare
  list published.change_list;
  given integer;
  dropped bigint;
begin
  if not exists (select from published.change where sequence is null) then
    return 0;
  end if;
  select * into list from published.change_list for update;
  if not found then
    return 0;
  end if;
  with waiting as materialized (
    select kind, key from published.change where sequence is null order by since limit 5000 for update skip locked
  ), numbered as (
    select kind, key, row_number() over () as number from waiting
  )
  update published.change set sequence = list.last + number, since = clock_timestamp()
  from numbered where (change.kind, change.key) = (numbered.kind, numbered.key);
  get diagnostics given = row_count;
  if (select since < now() - interval '90 days' from published.change where sequence is not null order by sequence limit 1) then
    with oldest as materialized (
      select kind, key, since from published.change where sequence is not null order by sequence limit 1000 for update skip locked
    ), gone as (
      delete from published.change using oldest
      where (change.kind, change.key) = (oldest.kind, oldest.key) and oldest.since < now() - interval '90 days'
      returning sequence
    )
    select max(sequence) into dropped from gone;
  end if;
  if given > 0 or dropped is not null then
    update published.change_list
    set last = list.last + given, floor = greatest(floor, dropped), revision = published.next_revision(list.revision)
    returning revision into list.revision;
    perform pg_notify('wartable_published', format('{"moved":{"changes":"%s"}}', list.revision));
  end if;
  return given;
end
$$;
revoke execute on function published.number_changes() from public;
grant execute on function published.number_changes() to wartable_publish;

-- What a server may ask about the facts ---------------------------------------------------------------------------------

-- Returns how late publishing is, which servers report to operators. They may not read `record`, so they get
-- only numbers.
--
-- A mark with a reason belongs to a thing that cannot be published. It would make the lag grow for ever, so
-- such things are counted instead. Marks for a rebuild don't count as lag, because no fact changed and a
-- rebuild may take hours.
create function published.backlog(out lag_seconds double precision, out marks bigint, out stuck_things bigint)
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select
    coalesce(greatest(extract(epoch from now() - min(marked_at) filter (where reason is null and not rebuild)), 0), 0),
    count(*),
    count(distinct (kind, key)) filter (where reason is not null)
  from record.mark
$$;

-- Returns how each source is doing, for the alerts. A server may not read `record`, so it does not see what
-- was refused.
create function published.sources(
  out name text, out last_sent_at double precision, out accepted bigint, out refused bigint, out is_refusing boolean,
  out expected_seconds double precision
)
  returns setof record language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select source.name, extract(epoch from source.last_sent_at), source.accepted, source.refused, source.is_refusing,
    extract(epoch from source.expected_every)
  from record.source
  where source.last_sent_at is not null or source.expected_every is not null or source.last_refused_at is not null
  order by source.name
$$;

-- The time at which a nightly task last succeeded. A backup that cannot be read does not count.
create table published.task (
  name text collate "C" primary key check (name in ('backup', 'files')),
  done_at timestamptz not null
);

-- Notes that files were written. `wartable files` runs with the login of a server, which may not write.
create function published.note_files() returns void
  language sql volatile security definer set search_path = pg_catalog, pg_temp
as $$
  insert into published.task values ('files', now()) on conflict (name) do update set done_at = now()
$$;

-- Returns the newest name of a thing that had another one, but only while that thing is shown.
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

revoke execute on function published.backlog(), published.sources(), published.moved_to(text, text), published.note_files() from public;
grant execute on function published.backlog(), published.sources(), published.moved_to(text, text), published.note_files() to wartable_serve;
-- A publisher reads everything that is published, so it may write files as well.
grant execute on function published.note_files() to wartable_publish;

grant select, insert, update, delete on
  published.list_revision, published.derivation, published.tournament, published.standings, published.participant,
  published.battle, published.battle_detail, published.club, published.player, published.player_battle,
  published.club_battle, published.player_tournament, published.search, published.tournament_factions,
  published.faction_placement, published.faction_mark, published.faction_month, published.change, published.change_list,
  published.task
  to wartable_publish;
grant select on
  published.list_revision, published.derivation, published.tournament, published.standings, published.participant,
  published.battle, published.battle_detail, published.club, published.player, published.player_battle,
  published.club_battle, published.player_tournament, published.search, published.tournament_factions,
  published.faction_placement, published.faction_mark, published.faction_month, published.change, published.change_list,
  published.task
  to wartable_serve;
