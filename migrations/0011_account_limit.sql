-- An account may have a limit of its own: all its keys together, in requests a minute.

alter table keys.account
  add column requests_per_minute integer check (requests_per_minute > 0);

-- Servers of older versions name the columns that they read, so one more does not disturb them.
drop function keys.check_key(bytea);

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

revoke execute on function keys.check_key from public;
grant execute on function keys.check_key to wartable_serve;
