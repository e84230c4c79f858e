-- The life of a key: a label, an end, and the key that follows it. An account has a contact.

alter table keys.account
  add column contact text check (contact ~ '\S' and length(contact) <= 200);

alter table keys.key
  add column label text check (label ~ '\S' and length(label) <= 200),
  add column expires_at timestamptz check (isfinite(expires_at)),
  -- A key is rotated once: the next rotation starts from the key that follows.
  add column rotated_to bigint references keys.key;

-- Servers of older versions run beside this schema while they are replaced: the columns of their function stay.
create or replace function keys.verify(key_digest bytea)
  returns table (key_id bigint, account_id bigint, active boolean)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
as $$
  select key.id, account.id,
    key.revoked_at is null and account.active and (key.expires_at is null or key.expires_at > now())
  from keys.key join keys.account on account.id = key.account_id
  where key.digest = key_digest
$$;

-- A server gets the time that is left, not the moment of the end: then only the clock of the database counts, and a
-- server with a wrong clock refuses the key at the same time as the others.
create function keys.check_key(key_digest bytea)
  returns table (key_id bigint, account_id bigint, active boolean, expires_in_ms double precision)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
as $$
  select key.id, account.id, key.revoked_at is null and account.active,
    extract(epoch from key.expires_at - now()) * 1000
  from keys.key join keys.account on account.id = key.account_id
  where key.digest = key_digest
$$;

revoke execute on function keys.check_key from public;
grant execute on function keys.check_key to wartable_serve;
