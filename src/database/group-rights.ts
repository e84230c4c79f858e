import type pg from 'pg';
import { onClient } from './on-client.ts';

/**
 * The rights that each group role needs on schemas, tables, functions and the database. Any other right is
 * too much.
 */
const expected = `
  select r.role, c.oid, 'table', privilege from (values
      ('wartable_serve', 'published', array['SELECT']),
      ('wartable_publish', 'published', array['SELECT', 'INSERT', 'UPDATE', 'DELETE']),
      ('wartable_publish', 'record', array['SELECT', 'INSERT', 'UPDATE', 'DELETE'])
    ) as r (role, schema, privileges)
    join pg_namespace n on n.nspname = r.schema
    join pg_class c on c.relnamespace = n.oid and c.relkind = 'r' and (r.schema, c.relname) <> ('record', 'migration')
    cross join unnest(r.privileges) privilege
  union all select r.role, p.oid, 'function', 'EXECUTE' from (values
      ('wartable_serve', 'audit.note(text,text,text)'),
      ('wartable_serve', 'keys.check_key(bytea)'),
      ('wartable_serve', 'keys.note_use(bigint[],timestamptz[])'),
      ('wartable_serve', 'published.backlog()'),
      ('wartable_serve', 'published.moved_to(text,text)'),
      ('wartable_serve', 'published.note_files()'),
      ('wartable_serve', 'published.sources()'),
      ('wartable_keys', 'keys.create_key(text,bytea,text,timestamptz)'),
      ('wartable_keys', 'keys.rotate_key(bigint,bytea,float8,timestamptz)'),
      ('wartable_keys', 'keys.revoke_key(bigint)'),
      ('wartable_keys', 'keys.list_keys()'),
      ('wartable_publish', 'audit.note(text,text,text)'),
      ('wartable_publish', 'published.number_changes()'),
      ('wartable_publish', 'published.next_revision(bigint)'),
      ('wartable_publish', 'published.note_files()')
    ) as r (role, function) join pg_proc p on p.oid = to_regprocedure(r.function)
  union all select r.role, n.oid, 'schema', 'USAGE' from (values
      ('wartable_serve', 'audit'), ('wartable_serve', 'keys'), ('wartable_serve', 'published'),
      ('wartable_keys', 'keys'),
      ('wartable_publish', 'audit'), ('wartable_publish', 'published'), ('wartable_publish', 'record')
    ) as r (role, schema) join pg_namespace n on n.nspname = r.schema
  union all select r.role, d.oid, 'database', r.privilege from (values
      ('wartable_serve', 'CONNECT'), ('wartable_keys', 'CONNECT'), ('wartable_publish', 'CONNECT'), ('wartable_publish', 'TEMPORARY')
    ) as r (role, privilege) join pg_database d on d.datname = current_database()`;

/** The rights that each group role actually has, including those it has through PUBLIC or another role. */
const actual = `
  select role, c.oid, 'table', privilege
    from pg_class c cross join roles
    cross join unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']) privilege
    where c.relnamespace = any(ours) and c.relkind in ('r', 'p', 'v', 'm')
      and (has_table_privilege(role, c.oid, privilege)
        or privilege in ('SELECT', 'INSERT', 'UPDATE') and has_any_column_privilege(role, c.oid, privilege))
  union all select role, p.oid, 'function', 'EXECUTE' from pg_proc p cross join roles
    where p.pronamespace = any(ours) and has_function_privilege(role, p.oid, 'EXECUTE')
  union all select role, n.oid, 'schema', privilege
    from pg_namespace n cross join roles cross join unnest(array['USAGE', 'CREATE']) privilege
    where (n.oid = any(ours) or n.nspname = 'public' and privilege = 'CREATE') and has_schema_privilege(role, n.oid, privilege)
  union all select role, d.oid, 'database', privilege
    from pg_database d cross join roles cross join unnest(array['CONNECT', 'TEMPORARY', 'CREATE']) privilege
    where d.datname = current_database() and has_database_privilege(role, d.oid, privilege)`;

const differences = `
  with roles as (
    select role, array(select oid from pg_namespace where nspname in ('audit', 'keys', 'published', 'record')) as ours
    from unnest(array['wartable_serve', 'wartable_publish', 'wartable_keys']) role
    -- A missing role is reported by itself.
    where to_regrole(role) is not null),
  expected (role, oid, kind, privilege) as (
    select * from (${expected}) e (role, oid, kind, privilege) where to_regrole(role) is not null),
  actual (role, oid, kind, privilege) as (${actual})
  select coalesce(e.role, a.role) as role, a.role is null as missing,
    coalesce(e.privilege, a.privilege) || ' on ' || coalesce(e.kind, a.kind) || ' ' || case coalesce(e.kind, a.kind)
      when 'table' then coalesce(e.oid, a.oid)::regclass::text
      when 'function' then coalesce(e.oid, a.oid)::regprocedure::text
      when 'schema' then coalesce(e.oid, a.oid)::regnamespace::text
      else quote_ident(current_database()) end as "right"
  from expected e full join actual a using (role, oid, kind, privilege)
  where e.role is null or a.role is null order by 1, 3`;

export interface RightDifference {
  role: string;
  /** False if the role has a right that it does not need. */
  missing: boolean;
  /** The right as a GRANT states it, such as `SELECT on table published.club`. */
  right: string;
}

/**
 * Returns the differences between the rights that the group roles have and those that they need. Objects that
 * do not exist are left out.
 */
export async function readRightDifferences(
  database: Pick<pg.ClientBase, 'query'>,
): Promise<RightDifference[]> {
  const { rows } = await database.query<RightDifference>(differences);
  return rows;
}

/**
 * Grants the rights that the group roles lack, and returns them. It grants only what is missing, because
 * granting everything would update rows of the system catalog that a parallel run updates, too.
 */
export async function grantMissingRights(databaseUrl: string): Promise<string[]> {
  return onClient(databaseUrl, async (client) => {
    const grants = (await readRightDifferences(client))
      .filter(({ missing }) => missing)
      .map(({ role, right }) => `${right} to ${role}`);
    for (const grant of grants) await client.query(`grant ${grant}`);
    return grants;
  });
}
