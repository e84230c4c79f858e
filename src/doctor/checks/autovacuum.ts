import { type Check, fault, type Finding, some } from '../finding.ts';

export const autovacuum: Check = async ({ pool }) => {
  const findings: Finding[] = [];
  const { rows: settings } = await pool.query<{ name: string }>(
    "select name from pg_settings where name in ('autovacuum', 'track_counts') and setting = 'off' order by name",
  );
  for (const { name } of settings) {
    findings.push(
      fault(
        `The database does not clean up after changes, so tables grow and reads get slow: set \`${name} = on\` in postgresql.conf.`,
      ),
    );
  }
  const { rows: tables } = await pool.query<{ table: string }>(`
    select c.oid::regclass::text as table from pg_class c join pg_namespace n on n.oid = c.relnamespace
    cross join pg_options_to_table(c.reloptions) option
    where n.nspname in ('audit', 'keys', 'published', 'record')
      and option.option_name = 'autovacuum_enabled' and option.option_value in ('false', 'off', 'no', '0') order by 1`);
  if (tables.length > 0) {
    findings.push(
      fault(
        `Autovacuum is off for ${some(tables.map(({ table }) => table))}: run \`alter table … reset (autovacuum_enabled)\`.`,
      ),
    );
  }
  return findings;
};
