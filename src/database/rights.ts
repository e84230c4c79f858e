import type pg from 'pg';
import { onClient } from './on-client.ts';

/**
 * Takes the right to connect from every login that is not a member of a group role. Returns the names of the
 * logins that lose it. The owner and superusers keep it, and so does a login that was granted the right by
 * name.
 */
export async function closeToOthers(databaseUrl: string): Promise<string[]> {
  return onClient(databaseUrl, async (client) => {
    const others = await othersWhoConnect(client);
    await client.query(`
      do $$
      begin
        execute format('revoke connect on database %I from public', current_database());
      end
      $$`);
    return others;
  });
}

/** Returns the logins that may connect only because every login may. */
export async function othersWhoConnect(client: Pick<pg.ClientBase, 'query'>): Promise<string[]> {
  const { rows } = await client.query<{ login: string }>(
    `select rolname as login from pg_roles r, pg_database d
      where datname = current_database() and rolcanlogin and not rolsuper
        and has_database_privilege('public', d.oid, 'CONNECT')
        and not exists (
          select from aclexplode(coalesce(datacl, acldefault('d', datdba))) given
          where privilege_type = 'CONNECT' and grantee <> 0 and pg_has_role(r.oid, grantee, 'USAGE'))
      order by rolname collate "C"`,
  );
  return rows.map(({ login }) => login);
}

/**
 * Sets the rights on the database itself. This happens in every run instead of in a migration, because a
 * dump, restore or clone does not carry these rights. A serving login may create nothing, not even temporary
 * tables, but a login that records may create those.
 */
export async function settleDatabaseRights(databaseUrl: string): Promise<void> {
  await onClient(databaseUrl, (client) =>
    client.query(`
      do $$
      begin
        if has_database_privilege('public', current_database(), 'TEMPORARY') then
          execute format('revoke temporary on database %I from public', current_database());
        end if;
        if not has_database_privilege('wartable_publish', current_database(), 'TEMPORARY') then
          execute format('grant temporary on database %I to wartable_publish', current_database());
        end if;
        -- Granted by name: they keep it when PUBLIC loses it.
        if (
          select count(*) from pg_database, aclexplode(datacl) given
          where datname = current_database() and given.privilege_type = 'CONNECT'
            and given.grantee in ('wartable_serve'::regrole, 'wartable_publish'::regrole, 'wartable_keys'::regrole)
        ) < 3 then
          execute format('grant connect on database %I to wartable_serve, wartable_publish, wartable_keys',
            current_database());
        end if;
        -- By default every login may create large objects. Only a superuser can revoke that.
        begin
          revoke execute on function lo_creat(integer), lo_create(oid), lo_from_bytea(oid, bytea) from public;
        exception
          when insufficient_privilege then null;
        end;
        if has_database_privilege('public', current_database(), 'TEMPORARY') then
          raise insufficient_privilege
            using message = 'only the owner of the database can take temporary tables from everybody';
        end if;
      end
      $$`),
  );
}
