import { type Check, fault, type Finding, note, some } from '../finding.ts';

/**
 * Checks the group roles themselves, and the logins that have them. Superusers and the owner may do
 * everything anyway.
 */
export const groupRoles: Check = async ({ pool }) => {
  const findings: Finding[] = [];
  const { rows: powerful } = await pool.query<{ role: string }>(`
    select rolname as role from pg_roles where rolname in ('wartable_serve', 'wartable_publish', 'wartable_keys')
      and (rolcanlogin or rolsuper or rolcreaterole or rolcreatedb or rolbypassrls or rolreplication) order by 1`);
  for (const { role } of powerful) {
    findings.push(
      fault(
        `The group role ${role} may log in or has rights over the whole cluster: run \`alter role ${role} nologin nosuperuser nocreaterole nocreatedb nobypassrls noreplication\`.`,
      ),
    );
  }
  const { rows: both } = await pool.query<{ login: string }>(`
    select rolname as login from pg_roles where rolcanlogin and not rolsuper
      and pg_has_role(oid, 'wartable_serve', 'MEMBER') and pg_has_role(oid, 'wartable_publish', 'MEMBER')
      and oid <> (select datdba from pg_database where datname = current_database()) order by 1`);
  if (both.length > 0) {
    findings.push(
      fault(
        `These logins are members of both group roles, so a server could change facts: ${some(both.map(({ login }) => login))}. Give servers a login of their own, with wartable_serve only.`,
      ),
    );
  }
  const { rows: shared } = await pool.query<{ database: string }>(`
    select distinct d.datname as database from pg_shdepend s join pg_database d on d.oid = s.dbid
    where s.refclassid = 'pg_authid'::regclass and d.datname <> current_database()
      and s.refobjid in (select oid from pg_roles where rolname in ('wartable_serve', 'wartable_publish', 'wartable_keys')) order by 1`);
  if (shared.length > 0) {
    findings.push(
      note(
        `Other databases of this cluster use the same group roles: ${some(shared.map(({ database }) => database))}. A login of the one can read the other if it may connect there. Give each installation a cluster of its own.`,
      ),
    );
  }
  return findings;
};
