-- A login that only issues keys, for a self-service portal: it never holds the owner's password. Members of wartable_keys
-- call these functions and reach nothing else. Each notes what it did, under the name of the login.

do $$
begin
  if not exists (select from pg_catalog.pg_roles where rolname = 'wartable_keys') then
    create role wartable_keys nologin;
  end if;
exception
  when duplicate_object or unique_violation then null;
end
$$;

grant usage on schema keys to wartable_keys;

-- Creates the account when it is new. Only the digest of the key comes here.
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

-- Makes the next key of the same account and label. The old one ends after the overlap, or at its own end. No row: there is
-- no such key, or it was rotated, revoked or has ended. The caller asks keys.list_keys why.
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

-- False: there is no such key.
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

revoke execute on function keys.create_key(text, bytea, text, timestamptz),
  keys.rotate_key(bigint, bytea, float8, timestamptz), keys.revoke_key(bigint), keys.list_keys() from public;
grant execute on function keys.create_key(text, bytea, text, timestamptz),
  keys.rotate_key(bigint, bytea, float8, timestamptz), keys.revoke_key(bigint), keys.list_keys() to wartable_keys;
