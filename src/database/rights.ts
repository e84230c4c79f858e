import type pg from 'pg';
import { onClient } from './on-client.ts';

/**
 * Takes the right to connect from every login that is no member of a group role. Returns the names of the logins that
 * lose it. The owner and superusers keep it.
 */
export async function closeToOthers(databaseUrl: string): Promise<string[]> {
  return onClient(databaseUrl, async (client) => {
    await client.query('begin');
    const before = await loginsThatConnect(client);
    await client.query(`
      do $$
      begin
        execute format('revoke connect on database %I from public', current_database());
      end
      $$`);
    const after = new Set(await loginsThatConnect(client));
    await client.query('commit');
    return before.filter((login) => !after.has(login));
  });
}

async function loginsThatConnect(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ login: string }>(
    `select rolname as login from pg_roles
      where rolcanlogin and has_database_privilege(rolname, current_database(), 'CONNECT')
      order by rolname collate "C"`,
  );
  return rows.map(({ login }) => login);
}

/**
 * Sets the rights on the database itself. Every run sets them, not a migration, because a dump, restore or clone does
 * not carry them. A serving login may create nothing, not even temporary tables. A login that records may.
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
            and given.grantee in ('wartable_serve'::regrole, 'wartable_publish'::regrole)
        ) < 2 then
          execute format('grant connect on database %I to wartable_serve, wartable_publish', current_database());
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
