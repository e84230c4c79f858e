-- The record of deeds: what operators did, and with which login. It holds ids and slugs, never a name or a key.
--
-- The group roles may only add, and only through the function: it takes the login and the time from the session. No
-- trigger guards the rows against the owner. The owner could drop it, and must be able to delete old rows.

create schema audit;
grant usage on schema audit to wartable_publish, wartable_serve;

create table audit.deed (
  id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  login text not null default session_user,
  deed text not null check (deed ~ '^[a-z]+( [a-z]+)*$' and length(deed) <= 50),
  kind text not null check (kind ~ '^[a-z]+( [a-z]+)*$' and length(kind) <= 50),
  -- An id or a slug: most names do not even fit.
  thing text not null check (thing ~ '^[A-Za-z0-9_/-]{1,200}$')
);

-- In a function of the owner, session_user is still the login that called it.
create function audit.note(deed text, kind text, thing text) returns void
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
as $$
  insert into audit.deed (deed, kind, thing) values ($1, $2, $3)
$$;

revoke execute on function audit.note from public;
grant execute on function audit.note to wartable_publish, wartable_serve;
