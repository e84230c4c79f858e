-- The whole schema as the migrations leave it.
--
-- `wartable migrate` does not run it. `wartable doctor` and `wartable migrate` look for its tables, columns and functions.
-- `npm run generate` writes it from the catalogue of a freshly migrated database. Do not edit it. Change the schema
-- with a new migration. test/database/schema.test.ts fails when this file and the migrations differ, and loads the file
-- into an empty database. The comments that say why are in the migrations.
--
-- Not in this file: the group roles wartable_publish, wartable_serve and wartable_keys, which belong to the cluster;
-- rights on the database itself (src/database/rights.ts); record.migration, where `wartable migrate` keeps its list;
-- rows, such as those of published.list_revision and published.derivation (0001_initial_schema.sql).

-- A function may use a table of a schema below.
set check_function_bodies = off;

-- audit --------------------------------------------------------------------------------------------------------------

create schema audit;
grant usage on schema audit to wartable_publish;
grant usage on schema audit to wartable_serve;

create table audit.entry (
  id bigint generated always as identity,
  at timestamp with time zone not null default clock_timestamp(),
  login text not null default SESSION_USER,
  action text not null,
  kind text not null,
  thing text not null,
  constraint entry_pkey PRIMARY KEY (id),
  constraint entry_action_check CHECK (action ~ '^[a-z]+( [a-z]+)*$'::text AND length(action) <= 50),
  constraint entry_kind_check CHECK (kind ~ '^[a-z]+( [a-z]+)*$'::text AND length(kind) <= 50),
  constraint entry_thing_check CHECK (thing ~ '^[A-Za-z0-9_/-]{1,200}$'::text)
);

create table audit.installation (
  "only" boolean not null default true,
  id uuid not null default gen_random_uuid(),
  constraint installation_pkey PRIMARY KEY ("only"),
  constraint installation_only_check CHECK ("only")
);

CREATE OR REPLACE FUNCTION audit.note(action text, kind text, thing text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  insert into audit.entry (action, kind, thing) values ($1, $2, $3)
$function$;
revoke execute on function audit.note(text,text,text) from public;
grant execute on function audit.note(text,text,text) to wartable_publish;
grant execute on function audit.note(text,text,text) to wartable_serve;

-- keys ---------------------------------------------------------------------------------------------------------------

create schema keys;
grant usage on schema keys to wartable_keys;
grant usage on schema keys to wartable_serve;

create table keys.account (
  id bigint generated always as identity,
  name text not null,
  active boolean not null default true,
  created_at timestamp with time zone not null default now(),
  contact text,
  requests_per_minute integer,
  constraint account_pkey PRIMARY KEY (id),
  constraint account_name_key UNIQUE (name),
  constraint account_contact_check CHECK (contact ~ '\S'::text AND length(contact) <= 200),
  constraint account_name_check CHECK (name ~ '\S'::text AND length(name) <= 200),
  constraint account_requests_per_minute_check CHECK (requests_per_minute > 0)
);

create table keys.key (
  id bigint generated always as identity,
  account_id bigint not null,
  digest bytea not null,
  created_at timestamp with time zone not null default now(),
  revoked_at timestamp with time zone,
  last_used_at timestamp with time zone,
  label text,
  expires_at timestamp with time zone,
  rotated_to bigint,
  constraint key_pkey PRIMARY KEY (id),
  constraint key_digest_key UNIQUE (digest),
  constraint key_account_id_fkey FOREIGN KEY (account_id) REFERENCES keys.account(id),
  constraint key_rotated_to_fkey FOREIGN KEY (rotated_to) REFERENCES keys.key(id),
  constraint key_digest_check CHECK (octet_length(digest) = 32),
  constraint key_expires_at_check CHECK (isfinite(expires_at)),
  constraint key_label_check CHECK (label ~ '\S'::text AND length(label) <= 200)
);
CREATE INDEX key_account_id ON keys.key USING btree (account_id);

CREATE OR REPLACE FUNCTION keys.check_key(key_digest bytea)
 RETURNS TABLE(key_id bigint, account_id bigint, active boolean, expires_in_ms double precision, requests_per_minute integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select key.id, account.id, key.revoked_at is null and account.active,
    extract(epoch from key.expires_at - now()) * 1000, account.requests_per_minute
  from keys.key join keys.account on account.id = key.account_id
  where key.digest = key_digest
$function$;
revoke execute on function keys.check_key(bytea) from public;
grant execute on function keys.check_key(bytea) to wartable_serve;

CREATE OR REPLACE FUNCTION keys.create_key(account text, key_digest bytea, label text, expires_at timestamp with time zone)
 RETURNS TABLE(id bigint, account_name text, account_active boolean, ends_at timestamp with time zone)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
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
$function$;
revoke execute on function keys.create_key(text,bytea,text,timestamp with time zone) from public;
grant execute on function keys.create_key(text,bytea,text,timestamp with time zone) to wartable_keys;

CREATE OR REPLACE FUNCTION keys.list_keys()
 RETURNS TABLE(id bigint, account text, label text, contact text, created_at timestamp with time zone, expires_at timestamp with time zone, last_used_at timestamp with time zone, revoked_at timestamp with time zone, rotated_to bigint, state text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select key.id, account.name, key.label, account.contact, key.created_at, key.expires_at, key.last_used_at,
    key.revoked_at, key.rotated_to,
    case when key.revoked_at is not null then 'revoked' when key.expires_at <= now() then 'expired'
      when not account.active then 'account inactive' else 'active' end
  from keys.key join keys.account on account.id = key.account_id
  order by key.id
$function$;
revoke execute on function keys.list_keys() from public;
grant execute on function keys.list_keys() to wartable_keys;

CREATE OR REPLACE FUNCTION keys.note_use(key_ids bigint[], used_at timestamp with time zone[])
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
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
$function$;
revoke execute on function keys.note_use(bigint[],timestamp with time zone[]) from public;
grant execute on function keys.note_use(bigint[],timestamp with time zone[]) to wartable_serve;

CREATE OR REPLACE FUNCTION keys.revoke_key(key_id bigint)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
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
$function$;
revoke execute on function keys.revoke_key(bigint) from public;
grant execute on function keys.revoke_key(bigint) to wartable_keys;

CREATE OR REPLACE FUNCTION keys.rotate_key(old_id bigint, key_digest bytea, overlap_ms double precision, expires_at timestamp with time zone)
 RETURNS TABLE(id bigint, account_name text, account_active boolean, ends_at timestamp with time zone, old_ends_at timestamp with time zone)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
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
$function$;
revoke execute on function keys.rotate_key(bigint,bytea,double precision,timestamp with time zone) from public;
grant execute on function keys.rotate_key(bigint,bytea,double precision,timestamp with time zone) to wartable_keys;

-- published ----------------------------------------------------------------------------------------------------------

create schema published;
grant usage on schema published to wartable_publish;
grant usage on schema published to wartable_serve;

create table published.battle (
  id text collate "C" not null,
  tournament text collate "C",
  date date not null,
  stage_order smallint not null,
  round smallint not null,
  players text[] not null,
  clubs text[] not null,
  table_number integer,
  first_entry text,
  second_entry text,
  revision bigint not null,
  document text not null,
  constraint battle_pkey PRIMARY KEY (id)
);
CREATE INDEX battle_of_tournament ON published.battle USING btree (tournament, date, stage_order, round, id) WHERE tournament IS NOT NULL;
grant delete, insert, select, update on published.battle to wartable_publish;
grant select on published.battle to wartable_serve;

create table published.battle_detail (
  id text collate "C" not null,
  document text not null,
  constraint battle_detail_pkey PRIMARY KEY (id)
);
grant delete, insert, select, update on published.battle_detail to wartable_publish;
grant select on published.battle_detail to wartable_serve;

create table published.change (
  kind text collate "C" not null,
  key text collate "C" not null,
  gone boolean not null,
  revision bigint not null,
  tournament text collate "C",
  sequence bigint,
  since timestamp with time zone not null,
  constraint change_pkey PRIMARY KEY (kind, key),
  constraint change_kind_check CHECK (kind = ANY (ARRAY['tournament'::text, 'club'::text, 'battle'::text]))
);
CREATE UNIQUE INDEX change_by_sequence ON published.change USING btree (sequence) WHERE sequence IS NOT NULL;
CREATE INDEX change_waiting ON published.change USING btree (since) WHERE sequence IS NULL;
grant delete, insert, select, update on published.change to wartable_publish;
grant select on published.change to wartable_serve;

create table published.change_list (
  "only" boolean not null default true,
  revision bigint not null,
  epoch text collate "C" not null,
  last bigint not null default 0,
  floor bigint not null default 0,
  constraint change_list_pkey PRIMARY KEY ("only"),
  constraint change_list_only_check CHECK ("only")
);
grant delete, insert, select, update on published.change_list to wartable_publish;
grant select on published.change_list to wartable_serve;

create table published.club (
  slug text collate "C" not null,
  revision bigint not null,
  document text not null,
  sort_key text collate "C" not null,
  constraint club_pkey PRIMARY KEY (slug)
);
CREATE INDEX club_by_name ON published.club USING btree (sort_key, slug);
grant delete, insert, select, update on published.club to wartable_publish;
grant select on published.club to wartable_serve;

create table published.club_battle (
  club text collate "C" not null,
  date date not null,
  stage_order smallint not null,
  round smallint not null,
  battle text collate "C" not null,
  constraint club_battle_pkey PRIMARY KEY (club, date, stage_order, round, battle)
);
grant delete, insert, select, update on published.club_battle to wartable_publish;
grant select on published.club_battle to wartable_serve;

create table published.derivation (
  kind text collate "C" not null,
  version integer not null,
  constraint derivation_pkey PRIMARY KEY (kind),
  constraint derivation_kind_check CHECK (kind = ANY (ARRAY['club'::text, 'battle'::text]))
);
grant delete, insert, select, update on published.derivation to wartable_publish;
grant select on published.derivation to wartable_serve;

create table published.faction_mark (
  month date not null
);
grant delete, insert, select, update on published.faction_mark to wartable_publish;
grant select on published.faction_mark to wartable_serve;

create table published.faction_month (
  pack text collate "C" not null,
  is_long boolean not null,
  month date not null,
  tournaments integer not null,
  packs text[] not null,
  counts json not null,
  computed timestamp with time zone not null default now(),
  constraint faction_month_pkey PRIMARY KEY (pack, is_long, month)
);
grant delete, insert, select, update on published.faction_month to wartable_publish;
grant select on published.faction_month to wartable_serve;

create table published.faction_placement (
  faction text collate "C" not null,
  start_date date not null,
  tournament text collate "C" not null,
  "row" smallint not null,
  constraint faction_placement_pkey PRIMARY KEY (faction, start_date, tournament, "row")
);
grant delete, insert, select, update on published.faction_placement to wartable_publish;
grant select on published.faction_placement to wartable_serve;

create table published.list_revision (
  list text collate "C" not null,
  revision bigint not null,
  constraint list_revision_pkey PRIMARY KEY (list),
  constraint list_revision_list_check CHECK (list = ANY (ARRAY['tournaments'::text, 'search'::text, 'factions'::text]))
);
grant delete, insert, select, update on published.list_revision to wartable_publish;
grant select on published.list_revision to wartable_serve;

create table published.participant (
  tournament text collate "C" not null,
  sort_key text collate "C" not null,
  id text collate "C" not null,
  document text not null,
  list_order integer not null,
  result text not null,
  constraint participant_pkey PRIMARY KEY (tournament, sort_key, id)
);
grant delete, insert, select, update on published.participant to wartable_publish;
grant select on published.participant to wartable_serve;

create table published.player (
  id text collate "C" not null,
  revision bigint not null,
  name text,
  constraint player_pkey PRIMARY KEY (id)
) with (fillfactor = 80);
grant delete, insert, select, update on published.player to wartable_publish;
grant select on published.player to wartable_serve;

create table published.player_battle (
  player text collate "C" not null,
  date date not null,
  stage_order smallint not null,
  round smallint not null,
  battle text collate "C" not null,
  faction text,
  outcome text,
  constraint player_battle_pkey PRIMARY KEY (player, date, stage_order, round, battle)
);
grant delete, insert, select, update on published.player_battle to wartable_publish;
grant select on published.player_battle to wartable_serve;

create table published.player_tournament (
  player text collate "C" not null,
  start_date date not null,
  tournament text collate "C" not null,
  plays boolean not null,
  organizes boolean not null,
  entry text collate "C",
  placement integer,
  is_placed boolean not null,
  faction text,
  club text collate "C",
  won integer not null,
  drawn integer not null,
  lost integer not null,
  path text not null,
  constraint player_tournament_pkey PRIMARY KEY (player, start_date, tournament)
);
CREATE INDEX player_tournament_of_club ON published.player_tournament USING btree (club, start_date DESC, tournament DESC, placement) WHERE club IS NOT NULL AND (won + drawn + lost) > 0;
CREATE INDEX player_tournament_played ON published.player_tournament USING btree (player, start_date, tournament) WHERE plays;
grant delete, insert, select, update on published.player_tournament to wartable_publish;
grant select on published.player_tournament to wartable_serve;

create table published.search (
  is_guest boolean not null,
  folded text collate "C" not null,
  kind text collate "C" not null,
  key text collate "C" not null,
  label text not null,
  sort_key text collate "C",
  constraint search_pkey PRIMARY KEY (is_guest, folded, kind, key) INCLUDE (label, sort_key),
  constraint search_check CHECK (is_guest = (kind = 'guest'::text) AND is_guest = (sort_key IS NOT NULL))
);
grant delete, insert, select, update on published.search to wartable_publish;
grant select on published.search to wartable_serve;

create table published.standings (
  tournament text collate "C" not null,
  stage text collate "C" not null,
  document text not null,
  view text not null,
  entries text[] not null,
  rounds integer[] not null,
  pairings text,
  constraint standings_pkey PRIMARY KEY (tournament, stage)
);
grant delete, insert, select, update on published.standings to wartable_publish;
grant select on published.standings to wartable_serve;

create table published.task (
  name text collate "C" not null,
  done_at timestamp with time zone not null,
  constraint task_pkey PRIMARY KEY (name),
  constraint task_name_check CHECK (name = ANY (ARRAY['backup'::text, 'files'::text]))
);
grant delete, insert, select, update on published.task to wartable_publish;
grant select on published.task to wartable_serve;

create table published.tournament (
  slug text collate "C" not null,
  start_date date not null,
  status text collate "C" not null,
  organizer text collate "C",
  country text collate "C",
  leader text,
  last_day date not null,
  last_result date,
  stages text[] not null,
  default_stage text,
  derivation integer not null,
  battle_derivation integer not null,
  revision bigint not null,
  document text not null,
  view text not null,
  constraint tournament_pkey PRIMARY KEY (slug)
);
CREATE INDEX tournament_by_country ON published.tournament USING btree (country, start_date, slug) WHERE country IS NOT NULL;
CREATE INDEX tournament_by_country_and_status ON published.tournament USING btree (country, status, start_date, slug) WHERE country IS NOT NULL;
CREATE INDEX tournament_by_derivation ON published.tournament USING btree (derivation, battle_derivation);
CREATE INDEX tournament_by_organizer ON published.tournament USING btree (organizer, start_date, slug) WHERE organizer IS NOT NULL;
CREATE INDEX tournament_by_start_date ON published.tournament USING btree (start_date, slug);
CREATE INDEX tournament_by_status ON published.tournament USING btree (status, start_date, slug);
CREATE INDEX tournament_running ON published.tournament USING btree (last_day, start_date, slug, country) WHERE status = 'ongoing'::text;
grant delete, insert, select, update on published.tournament to wartable_publish;
grant select on published.tournament to wartable_serve;

create table published.tournament_factions (
  tournament text collate "C" not null,
  start_date date not null,
  month date not null,
  pack text collate "C" not null,
  is_long boolean not null,
  counts json not null,
  top json not null,
  constraint tournament_factions_pkey PRIMARY KEY (tournament)
);
CREATE INDEX tournament_factions_by_month ON published.tournament_factions USING btree (month);
grant delete, insert, select, update on published.tournament_factions to wartable_publish;
grant select on published.tournament_factions to wartable_serve;

CREATE OR REPLACE FUNCTION published.backlog(OUT lag_seconds double precision, OUT marks bigint, OUT stuck_things bigint)
 RETURNS record
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select
    coalesce(greatest(extract(epoch from now() - min(marked_at) filter (where reason is null and not rebuild)), 0), 0),
    count(*),
    count(distinct (kind, key)) filter (where reason is not null)
  from record.mark
$function$;
revoke execute on function published.backlog() from public;
grant execute on function published.backlog() to wartable_serve;

CREATE OR REPLACE FUNCTION published.moved_to(kind text, id text)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select moved.target from record.moved
  where moved.kind = $1 and moved.id = $2 and case moved.kind
    when 'tournament' then exists (select from published.tournament where slug = moved.target)
    when 'club' then exists (select from published.club where slug = moved.target)
    else exists (select from published.player where player.id = moved.target and player.name is not null)
  end
$function$;
revoke execute on function published.moved_to(text,text) from public;
grant execute on function published.moved_to(text,text) to wartable_serve;

CREATE OR REPLACE FUNCTION published.next_revision(previous bigint)
 RETURNS bigint
 LANGUAGE sql
RETURN GREATEST((COALESCE(previous, (0)::bigint) + 1), ((EXTRACT(epoch FROM clock_timestamp()) * (1000000)::numeric))::bigint);
revoke execute on function published.next_revision(bigint) from public;
grant execute on function published.next_revision(bigint) to wartable_publish;

CREATE OR REPLACE FUNCTION published.note_changes()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
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
$function$;
revoke execute on function published.note_changes() from public;

CREATE OR REPLACE FUNCTION published.note_factions()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
AS $function$
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
$function$;
revoke execute on function published.note_factions() from public;

CREATE OR REPLACE FUNCTION published.note_files()
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  insert into published.task values ('files', now()) on conflict (name) do update set done_at = now()
$function$;
revoke execute on function published.note_files() from public;
grant execute on function published.note_files() to wartable_publish;
grant execute on function published.note_files() to wartable_serve;

CREATE OR REPLACE FUNCTION published.number_changes()
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET enable_seqscan TO 'off'
AS $function$
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
$function$;
revoke execute on function published.number_changes() from public;
grant execute on function published.number_changes() to wartable_publish;

CREATE OR REPLACE FUNCTION published.sources(OUT name text, OUT last_sent_at double precision, OUT accepted bigint, OUT refused bigint, OUT is_refusing boolean, OUT expected_seconds double precision)
 RETURNS SETOF record
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  select source.name, extract(epoch from source.last_sent_at), source.accepted, source.refused, source.is_refusing,
    extract(epoch from source.expected_every)
  from record.source
  where source.last_sent_at is not null or source.expected_every is not null or source.last_refused_at is not null
  order by source.name
$function$;
revoke execute on function published.sources() from public;
grant execute on function published.sources() to wartable_serve;

CREATE TRIGGER change_come AFTER INSERT ON published.battle REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION published.note_changes();
CREATE TRIGGER change_moved AFTER UPDATE ON published.battle REFERENCING OLD TABLE AS went NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION published.note_changes();
CREATE TRIGGER change_went AFTER DELETE ON published.battle REFERENCING OLD TABLE AS went FOR EACH STATEMENT EXECUTE FUNCTION published.note_changes();
CREATE TRIGGER change_come AFTER INSERT ON published.club REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION published.note_changes();
CREATE TRIGGER change_moved AFTER UPDATE ON published.club REFERENCING OLD TABLE AS went NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION published.note_changes();
CREATE TRIGGER change_went AFTER DELETE ON published.club REFERENCING OLD TABLE AS went FOR EACH STATEMENT EXECUTE FUNCTION published.note_changes();
CREATE TRIGGER change_come AFTER INSERT ON published.tournament REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION published.note_changes();
CREATE TRIGGER change_moved AFTER UPDATE ON published.tournament REFERENCING OLD TABLE AS went NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION published.note_changes();
CREATE TRIGGER change_went AFTER DELETE ON published.tournament REFERENCING OLD TABLE AS went FOR EACH STATEMENT EXECUTE FUNCTION published.note_changes();
CREATE TRIGGER factions_come AFTER INSERT ON published.tournament_factions REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION published.note_factions();
CREATE TRIGGER factions_moved AFTER UPDATE ON published.tournament_factions REFERENCING OLD TABLE AS went NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION published.note_factions();
CREATE TRIGGER factions_went AFTER DELETE ON published.tournament_factions REFERENCING OLD TABLE AS went FOR EACH STATEMENT EXECUTE FUNCTION published.note_factions();

-- record -------------------------------------------------------------------------------------------------------------

create schema record;
grant usage on schema record to wartable_publish;

create type record.role as enum ('attacker', 'defender');

create type record.status as enum ('planned', 'ongoing', 'finished');

create type record.victory_size as enum ('major', 'minor');

create table record.source (
  name text collate "C" not null,
  last_sent_at timestamp with time zone,
  accepted bigint not null default 0,
  refused bigint not null default 0,
  last_refused_at timestamp with time zone,
  last_refusal text,
  is_refusing boolean not null default false,
  expected_every interval,
  constraint source_pkey PRIMARY KEY (name),
  constraint source_expected_every_check CHECK (expected_every > '00:00:00'::interval),
  constraint source_name_check CHECK (name ~ '^[a-z0-9][a-z0-9-]{0,62}$'::text)
);
grant delete, insert, select, update on record.source to wartable_publish;

create table record.club (
  slug text collate "C" not null,
  name text not null,
  description text not null,
  city text,
  country text,
  website text,
  members integer not null,
  source text collate "C" not null,
  constraint club_pkey PRIMARY KEY (slug),
  constraint club_source_fkey FOREIGN KEY (source) REFERENCES record.source(name),
  constraint club_members_check CHECK (members >= 0),
  constraint club_name_check CHECK (name <> ''::text),
  constraint club_slug_check CHECK (slug ~ '^[a-z0-9-]{1,100}$'::text)
);
grant delete, insert, select, update on record.club to wartable_publish;

create table record.player (
  id text collate "C" not null,
  name text,
  erased boolean not null default false,
  erased_for_good boolean not null default false,
  source text collate "C" not null,
  constraint player_pkey PRIMARY KEY (id),
  constraint player_source_fkey FOREIGN KEY (source) REFERENCES record.source(name),
  constraint player_check CHECK (erased = (name IS NULL)),
  constraint player_erased_for_good CHECK (erased OR NOT erased_for_good),
  constraint player_id_check CHECK (id ~ '^[A-Za-z0-9_-]{1,64}$'::text)
);
grant delete, insert, select, update on record.player to wartable_publish;

create table record.battle_pack (
  name text collate "C" not null,
  objectives boolean not null,
  battle_tactics boolean not null,
  grand_strategies boolean not null,
  source text collate "C" not null,
  constraint battle_pack_pkey PRIMARY KEY (name),
  constraint battle_pack_source_fkey FOREIGN KEY (source) REFERENCES record.source(name)
);
grant delete, insert, select, update on record.battle_pack to wartable_publish;

create table record.tournament (
  id integer generated by default as identity,
  slug text collate "C" not null,
  published boolean not null,
  name text not null,
  status record.status not null,
  start_date date,
  end_date date,
  description text not null,
  city text,
  country text,
  battle_size integer not null,
  battle_pack text collate "C",
  organizer text collate "C",
  tie_breaks text[] not null,
  metrics jsonb not null,
  standings_label text not null,
  placements_recorded boolean not null,
  source text collate "C" not null,
  constraint tournament_pkey PRIMARY KEY (id),
  constraint tournament_slug_key UNIQUE (slug),
  constraint tournament_battle_pack_fkey FOREIGN KEY (battle_pack) REFERENCES record.battle_pack(name),
  constraint tournament_organizer_fkey FOREIGN KEY (organizer) REFERENCES record.club(slug),
  constraint tournament_source_fkey FOREIGN KEY (source) REFERENCES record.source(name),
  constraint tournament_check CHECK (end_date >= start_date),
  constraint tournament_slug_check CHECK (slug ~ '^[a-z0-9-]{1,100}$'::text)
);
CREATE INDEX tournament_by_battle_pack ON record.tournament USING btree (battle_pack);
CREATE INDEX tournament_by_organizer ON record.tournament USING btree (organizer);
grant delete, insert, select, update on record.tournament to wartable_publish;

create table record.tournament_group (
  tournament_id integer not null,
  name text collate "C" not null,
  "position" integer not null,
  constraint tournament_group_pkey PRIMARY KEY (tournament_id, name),
  constraint tournament_group_tournament_id_position_key UNIQUE (tournament_id, "position") DEFERRABLE INITIALLY DEFERRED,
  constraint tournament_group_tournament_id_fkey FOREIGN KEY (tournament_id) REFERENCES record.tournament(id)
);
grant delete, insert, select, update on record.tournament_group to wartable_publish;

create table record.participant (
  tournament_id integer not null,
  id text collate "C" not null,
  player text collate "C",
  name text,
  club text collate "C",
  group_name text collate "C",
  dropped boolean not null,
  no_show boolean not null,
  faction text,
  final_placement integer,
  lot integer not null,
  constraint participant_pkey PRIMARY KEY (tournament_id, id),
  constraint participant_player_tournament_id_key UNIQUE (player, tournament_id) DEFERRABLE INITIALLY DEFERRED,
  constraint participant_club_fkey FOREIGN KEY (club) REFERENCES record.club(slug),
  constraint participant_player_fkey FOREIGN KEY (player) REFERENCES record.player(id),
  constraint participant_tournament_id_fkey FOREIGN KEY (tournament_id) REFERENCES record.tournament(id),
  constraint participant_tournament_id_group_name_fkey FOREIGN KEY (tournament_id, group_name) REFERENCES record.tournament_group(tournament_id, name),
  constraint participant_final_placement_check CHECK (final_placement > 0),
  constraint participant_id_check CHECK (id ~ '^[A-Za-z0-9_-]{1,64}$'::text),
  constraint participant_player_or_guest CHECK ((player IS NULL) <> (name IS NULL))
);
CREATE INDEX participant_by_club ON record.participant USING btree (club) WHERE club IS NOT NULL;
grant delete, insert, select, update on record.participant to wartable_publish;

create table record.stage (
  tournament_id integer not null,
  id text collate "C" not null,
  "position" integer not null,
  label text not null,
  type text not null,
  phase integer not null,
  rounds integer not null,
  grouped boolean not null,
  everybody boolean not null,
  carries_over text collate "C",
  constraint stage_pkey PRIMARY KEY (tournament_id, id),
  constraint stage_tournament_id_position_key UNIQUE (tournament_id, "position") DEFERRABLE INITIALLY DEFERRED,
  constraint stage_tournament_id_carries_over_fkey FOREIGN KEY (tournament_id, carries_over) REFERENCES record.stage(tournament_id, id) DEFERRABLE INITIALLY DEFERRED,
  constraint stage_tournament_id_fkey FOREIGN KEY (tournament_id) REFERENCES record.tournament(id),
  constraint stage_check CHECK (type =
  CASE
      WHEN id = ANY (ARRAY['swiss'::text, 'placement-swiss'::text]) THEN 'board'::text
      ELSE 'bracket'::text
  END),
  constraint stage_check1 CHECK (NOT grouped OR type = 'board'::text),
  constraint stage_id_check CHECK (id ~ '^(swiss|knockout|placement-swiss|placement-[1-9][0-9]*(-[1-9][0-9]*)?)$'::text),
  constraint stage_of_placements CHECK (
  CASE
      WHEN id ~ '^placement-[1-9]'::text THEN split_part(id, '-'::text, 2)::numeric >= 3::numeric AND COALESCE(NULLIF(split_part(id, '-'::text, 3), ''::text)::numeric > split_part(id, '-'::text, 2)::numeric, true)
      ELSE NULL::boolean
  END),
  constraint stage_phase_check CHECK (phase > 0),
  constraint stage_rounds_check CHECK (rounds >= 0)
);
grant delete, insert, select, update on record.stage to wartable_publish;

create table record.adjustment (
  tournament_id integer not null,
  "position" integer not null,
  stage text collate "C" not null,
  participant text collate "C" not null,
  battle_points numeric(9,2) not null,
  victory_points numeric(9,2) not null,
  victory_points_diff numeric(9,2) not null,
  reason text,
  constraint adjustment_pkey PRIMARY KEY (tournament_id, "position"),
  constraint adjustment_tournament_id_participant_fkey FOREIGN KEY (tournament_id, participant) REFERENCES record.participant(tournament_id, id),
  constraint adjustment_tournament_id_stage_fkey FOREIGN KEY (tournament_id, stage) REFERENCES record.stage(tournament_id, id)
);
grant delete, insert, select, update on record.adjustment to wartable_publish;

create table record.battle (
  id text collate "C" not null,
  tournament_id integer,
  stage text collate "C",
  round integer,
  table_number integer,
  date date,
  scenario text,
  battle_pack text collate "C",
  battle_size integer,
  club text collate "C",
  finished boolean not null,
  winner smallint,
  victory_size record.victory_size,
  archived boolean not null,
  arrived timestamp with time zone,
  first_participant text collate "C",
  first_player text collate "C",
  first_name text,
  first_club text collate "C",
  first_faction text,
  first_sub_faction text,
  first_battle_points numeric(9,2),
  first_victory_points numeric(9,2),
  first_objective_points numeric(9,2),
  first_battle_tactics_scored integer,
  first_grand_strategy text,
  first_grand_strategy_scored boolean,
  first_drops integer,
  first_role record.role,
  first_metrics jsonb,
  first_list jsonb,
  first_rounds jsonb,
  second_participant text collate "C",
  second_player text collate "C",
  second_name text,
  second_club text collate "C",
  second_faction text,
  second_sub_faction text,
  second_battle_points numeric(9,2),
  second_victory_points numeric(9,2),
  second_objective_points numeric(9,2),
  second_battle_tactics_scored integer,
  second_grand_strategy text,
  second_grand_strategy_scored boolean,
  second_drops integer,
  second_role record.role,
  second_metrics jsonb,
  second_list jsonb,
  second_rounds jsonb,
  source text collate "C",
  constraint battle_pkey PRIMARY KEY (id),
  constraint battle_of_a_stage UNIQUE (tournament_id, stage, id),
  constraint battle_battle_pack_fkey FOREIGN KEY (battle_pack) REFERENCES record.battle_pack(name),
  constraint battle_club_fkey FOREIGN KEY (club) REFERENCES record.club(slug),
  constraint battle_first_club_fkey FOREIGN KEY (first_club) REFERENCES record.club(slug),
  constraint battle_first_player_fkey FOREIGN KEY (first_player) REFERENCES record.player(id),
  constraint battle_second_club_fkey FOREIGN KEY (second_club) REFERENCES record.club(slug),
  constraint battle_second_player_fkey FOREIGN KEY (second_player) REFERENCES record.player(id),
  constraint battle_source_fkey FOREIGN KEY (source) REFERENCES record.source(name),
  constraint battle_tournament_id_first_participant_fkey FOREIGN KEY (tournament_id, first_participant) REFERENCES record.participant(tournament_id, id),
  constraint battle_tournament_id_second_participant_fkey FOREIGN KEY (tournament_id, second_participant) REFERENCES record.participant(tournament_id, id),
  constraint battle_tournament_id_stage_fkey FOREIGN KEY (tournament_id, stage) REFERENCES record.stage(tournament_id, id),
  constraint battle_casual_source CHECK ((tournament_id IS NULL) = (source IS NOT NULL)),
  constraint battle_faction_of_list CHECK ((first_list IS NULL OR first_faction IS NOT NULL) AND (second_list IS NULL OR second_faction IS NOT NULL)),
  constraint battle_id_check CHECK (id ~ '^[A-Za-z0-9_-]{1,64}$'::text),
  constraint battle_of_a_tournament_or_casual CHECK (
  CASE
      WHEN tournament_id IS NOT NULL THEN stage IS NOT NULL AND round IS NOT NULL AND club IS NULL AND first_participant IS NOT NULL AND second_participant IS NOT NULL AND num_nonnulls(first_player, first_name, first_club, second_player, second_name, second_club) = 0
      ELSE num_nonnulls(stage, round, table_number, first_participant, second_participant) = 0 AND battle_size IS NOT NULL AND num_nonnulls(first_player, first_name) = 1 AND num_nonnulls(second_player, second_name) = 1
  END),
  constraint battle_opposite_roles CHECK (first_role <> second_role),
  constraint battle_round_check CHECK (round > 0),
  constraint battle_size_of_a_win CHECK (victory_size IS NULL OR winner IS NOT NULL),
  constraint battle_two_people CHECK (first_participant <> second_participant AND first_player <> second_player),
  constraint battle_winner_check CHECK (winner = ANY (ARRAY[1, 2])),
  constraint battle_winner_finished CHECK (winner IS NULL OR finished)
);
CREATE INDEX battle_by_battle_pack ON record.battle USING btree (battle_pack) WHERE battle_pack IS NOT NULL;
CREATE INDEX battle_by_club ON record.battle USING btree (club) WHERE club IS NOT NULL;
CREATE INDEX battle_by_first_club ON record.battle USING btree (first_club) WHERE first_club IS NOT NULL;
CREATE INDEX battle_by_first_player ON record.battle USING btree (first_player) WHERE first_player IS NOT NULL;
CREATE INDEX battle_by_second_club ON record.battle USING btree (second_club) WHERE second_club IS NOT NULL;
CREATE INDEX battle_by_second_player ON record.battle USING btree (second_player) WHERE second_player IS NOT NULL;
grant delete, insert, select, update on record.battle to wartable_publish;

create table record.bye (
  tournament_id integer not null,
  stage text collate "C" not null,
  round integer not null,
  participant text collate "C" not null,
  win boolean not null,
  battle_points numeric(9,2) not null,
  victory_points numeric(9,2) not null,
  victory_points_diff numeric(9,2) not null,
  constraint bye_pkey PRIMARY KEY (tournament_id, stage, round, participant),
  constraint bye_tournament_id_participant_fkey FOREIGN KEY (tournament_id, participant) REFERENCES record.participant(tournament_id, id),
  constraint bye_tournament_id_stage_fkey FOREIGN KEY (tournament_id, stage) REFERENCES record.stage(tournament_id, id),
  constraint bye_round_check CHECK (round > 0)
);
grant delete, insert, select, update on record.bye to wartable_publish;

create table record.erased_casual_guest (
  battle text collate "C" not null,
  constraint erased_casual_guest_pkey PRIMARY KEY (battle)
);
grant delete, insert, select, update on record.erased_casual_guest to wartable_publish;

create table record.erased_guest (
  tournament text collate "C" not null,
  participant text collate "C" not null,
  constraint erased_guest_pkey PRIMARY KEY (tournament, participant)
);
grant delete, insert, select, update on record.erased_guest to wartable_publish;

create table record.hidden_tournament (
  slug text collate "C" not null,
  constraint hidden_tournament_pkey PRIMARY KEY (slug)
);
grant delete, insert, select, update on record.hidden_tournament to wartable_publish;

create table record.import (
  id uuid not null,
  batch integer not null,
  at timestamp with time zone not null default now(),
  constraint import_pkey PRIMARY KEY (id)
);
grant delete, insert, select, update on record.import to wartable_publish;

create table record.mark (
  id bigint generated always as identity,
  kind text collate "C" not null,
  key text collate "C" not null,
  marked_at timestamp with time zone not null default now(),
  part text collate "C",
  reason text,
  rebuild boolean not null default false,
  constraint mark_pkey PRIMARY KEY (id),
  constraint mark_kind_check CHECK (kind = ANY (ARRAY['tournament'::text, 'club'::text, 'player'::text, 'battlePack'::text, 'battle'::text]))
);
CREATE INDEX mark_change ON record.mark USING btree (kind, key) WHERE part IS NULL AND NOT rebuild;
CREATE INDEX mark_kind_key ON record.mark USING btree (kind, key);
CREATE INDEX mark_result ON record.mark USING btree (kind, key) WHERE part IS NOT NULL AND NOT rebuild;
grant delete, insert, select, update on record.mark to wartable_publish;

create table record.match (
  tournament_id integer not null,
  stage text collate "C" not null,
  round integer not null,
  "position" integer not null,
  name text,
  table_number integer not null,
  first_participant text collate "C",
  second_participant text collate "C",
  winner text collate "C",
  battle text collate "C",
  constraint match_pkey PRIMARY KEY (tournament_id, stage, round, "position"),
  constraint match_battle_of_its_stage FOREIGN KEY (tournament_id, stage, battle) REFERENCES record.battle(tournament_id, stage, id) DEFERRABLE INITIALLY DEFERRED,
  constraint match_tournament_id_first_participant_fkey FOREIGN KEY (tournament_id, first_participant) REFERENCES record.participant(tournament_id, id),
  constraint match_tournament_id_second_participant_fkey FOREIGN KEY (tournament_id, second_participant) REFERENCES record.participant(tournament_id, id),
  constraint match_tournament_id_stage_fkey FOREIGN KEY (tournament_id, stage) REFERENCES record.stage(tournament_id, id),
  constraint match_first_known_first CHECK (second_participant IS NULL OR first_participant IS NOT NULL),
  constraint match_position_check CHECK ("position" > 0),
  constraint match_round_check CHECK (round > 0),
  constraint match_stage_check CHECK (stage <> ALL (ARRAY['swiss'::text, 'placement-swiss'::text])),
  constraint match_two_people CHECK (first_participant <> second_participant),
  constraint match_winner_played CHECK (winner IS NULL OR COALESCE(winner = first_participant, false) OR COALESCE(winner = second_participant, false))
);
grant delete, insert, select, update on record.match to wartable_publish;

create table record.moved (
  kind text not null,
  id text collate "C" not null,
  target text collate "C" not null,
  constraint moved_pkey PRIMARY KEY (kind, id),
  constraint moved_check CHECK (id <> target),
  constraint moved_kind_check CHECK (kind = ANY (ARRAY['tournament'::text, 'club'::text, 'player'::text]))
);
CREATE INDEX moved_to_target ON record.moved USING btree (kind, target);
grant delete, insert, select, update on record.moved to wartable_publish;

create table record.participant_list (
  tournament_id integer not null,
  participant text collate "C" not null,
  sub_faction text not null,
  points integer,
  battle_tactic_cards text[],
  text text,
  constraint participant_list_pkey PRIMARY KEY (tournament_id, participant),
  constraint participant_list_tournament_id_participant_fkey FOREIGN KEY (tournament_id, participant) REFERENCES record.participant(tournament_id, id),
  constraint participant_list_whole_or_erased CHECK (num_nulls(points, battle_tactic_cards, text) = ANY (ARRAY[0, 3]))
);
grant delete, insert, select, update on record.participant_list to wartable_publish;

create table record.ranking (
  tournament_id integer not null,
  stage text collate "C" not null,
  after_round integer not null,
  ranks jsonb not null,
  results text not null default ''::text,
  constraint ranking_pkey PRIMARY KEY (tournament_id, stage, after_round),
  constraint ranking_tournament_id_stage_fkey FOREIGN KEY (tournament_id, stage) REFERENCES record.stage(tournament_id, id) ON DELETE CASCADE,
  constraint ranking_after_round_check CHECK (after_round >= 0),
  constraint ranking_ranks_check CHECK (jsonb_typeof(ranks) = 'object'::text),
  constraint ranking_stage_check CHECK (stage = ANY (ARRAY['swiss'::text, 'placement-swiss'::text]))
);
grant delete, insert, select, update on record.ranking to wartable_publish;

create table record.stage_member (
  tournament_id integer not null,
  stage text collate "C" not null,
  participant text collate "C" not null,
  seed integer,
  constraint stage_member_pkey PRIMARY KEY (tournament_id, stage, participant),
  constraint stage_member_tournament_id_participant_fkey FOREIGN KEY (tournament_id, participant) REFERENCES record.participant(tournament_id, id),
  constraint stage_member_tournament_id_stage_fkey FOREIGN KEY (tournament_id, stage) REFERENCES record.stage(tournament_id, id)
);
grant delete, insert, select, update on record.stage_member to wartable_publish;

create table record.tournament_organizer (
  tournament_id integer not null,
  player text collate "C" not null,
  constraint tournament_organizer_pkey PRIMARY KEY (tournament_id, player),
  constraint tournament_organizer_player_fkey FOREIGN KEY (player) REFERENCES record.player(id),
  constraint tournament_organizer_tournament_id_fkey FOREIGN KEY (tournament_id) REFERENCES record.tournament(id)
);
CREATE INDEX tournament_organizer_by_player ON record.tournament_organizer USING btree (player);
grant delete, insert, select, update on record.tournament_organizer to wartable_publish;

CREATE OR REPLACE FUNCTION record.check_groups()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
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
end $function$;
revoke execute on function record.check_groups() from public;

CREATE CONSTRAINT TRIGGER participant_group AFTER INSERT OR UPDATE OF group_name ON record.participant DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (new.group_name IS NULL) EXECUTE FUNCTION record.check_groups();
CREATE CONSTRAINT TRIGGER stage_grouped AFTER INSERT OR UPDATE ON record.stage DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (new.grouped) EXECUTE FUNCTION record.check_groups();
CREATE CONSTRAINT TRIGGER stage_member_group AFTER INSERT OR UPDATE ON record.stage_member DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION record.check_groups();
