-- The ground: three schemas, two group roles, keys, and the first fact with its document.
--
--   record     facts; the system of record. Only wartable_publish reads or writes it.
--   published  documents; all that a server may read.
--   keys       API keys. A server reaches it through two functions and in no other way.
--
-- Group roles belong to the whole cluster, so another database may be creating them at this moment: create only what
-- is missing, take somebody else's success for ours, and never ALTER them (that ends in "tuple concurrently updated").

do $$
declare
  role_name text;
begin
  foreach role_name in array array['wartable_publish', 'wartable_serve'] loop
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

create schema if not exists record;
create schema published;
create schema keys;

grant usage on schema record, published to wartable_publish;
grant usage on schema published, keys to wartable_serve;

-- Facts ---------------------------------------------------------------------------------------------------------

create table record.club (
  slug text collate "C" primary key check (slug ~ '^[a-z0-9-]{1,100}$'),
  name text not null check (name <> ''),
  description text not null,
  city text,
  country text,
  website text,
  members integer not null check (members >= 0)
);

-- What must be published again. Rows are only ever appended and deleted: recording never waits for a publisher, and
-- a publisher drains all marks of one thing together.
create table record.stale (
  id bigint generated always as identity primary key,
  kind text collate "C" not null check (kind in ('club')),
  key text collate "C" not null
);
create index stale_kind_key on record.stale (kind, key);

grant select, insert, update, delete on record.club, record.stale to wartable_publish;

-- Documents -----------------------------------------------------------------------------------------------------

create table published.club (
  slug text collate "C" primary key,
  revision bigint not null,
  document text not null
);

grant select, insert, update, delete on published.club to wartable_publish;
grant select on published.club to wartable_serve;

-- A revision never repeats: not after a removal and a return (the clock has moved on), and not after a recovery that
-- lost commits.
create function published.next_revision(previous bigint) returns bigint
  language sql volatile
  return greatest(coalesce(previous, 0) + 1, (extract(epoch from clock_timestamp()) * 1000000)::bigint);

revoke execute on function published.next_revision from public;
grant execute on function published.next_revision to wartable_publish;

-- Keys ----------------------------------------------------------------------------------------------------------

create table keys.account (
  id bigint generated always as identity primary key,
  name text not null unique check (name ~ '\S' and length(name) <= 200),
  active boolean not null default true,
  created_at timestamptz not null default now()
);

create table keys.key (
  id bigint generated always as identity primary key,
  account_id bigint not null references keys.account,
  digest bytea not null unique check (octet_length(digest) = 32),
  created_at timestamptz not null default now(),
  revoked_at timestamptz,
  last_used_at timestamptz
);
create index key_account_id on keys.key (account_id);

create function keys.verify(key_digest bytea) returns table (key_id bigint, account_id bigint, active boolean)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
as $$
  select key.id, account.id, key.revoked_at is null and account.active
  from keys.key join keys.account on account.id = key.account_id
  where key.digest = key_digest
$$;

-- Instances note overlapping sets of keys at the same time: rows are locked in the order of their ids, so that they
-- queue instead of deadlocking.
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

revoke execute on function keys.verify, keys.note_use from public;
grant execute on function keys.verify, keys.note_use to wartable_serve;
