import { readFile } from 'node:fs/promises';
import type pg from 'pg';

/**
 * Returns what a migrated database must have but this one lacks, such as `table published.club`: group roles,
 * tables, columns and functions.
 */
export async function missingObjects(database: Pick<pg.Pool, 'query'>): Promise<string[]> {
  const { rows } = await database.query<{ name: string }>(`
    with ours as (select oid, nspname from pg_namespace where nspname in ('audit', 'keys', 'published', 'record')),
    tables as (
      select c.oid, nspname || '.' || relname as name
      from pg_class c join ours on ours.oid = relnamespace where relkind = 'r'
    )
    select 'role ' || rolname as name from pg_roles
    union all select 'table ' || name from tables
    union all select 'column ' || name || '.' || attname
      from pg_attribute join tables on tables.oid = attrelid where attnum > 0 and not attisdropped
    union all select 'function ' || nspname || '.' || proname from pg_proc join ours on ours.oid = pronamespace`);
  const found = new Set(rows.map(({ name }) => name));
  const expected = await expectedObjects();
  return (
    expected
      // If a table is missing, its columns need not be listed.
      .filter(({ name, table }) => !found.has(name) && (table === undefined || found.has(table)))
      .map(({ name }) => name)
  );
}

/** Tells the operator what to do about missing objects. */
export function explainMissing(missing: string[]): string {
  return `The database lacks ${missing.join(', ')}: docs/backups.md says how to restore what is missing.`;
}

interface DatabaseObject {
  name: string;
  /** The name of its table, if the object is a column. */
  table?: string;
}

/** Reads the objects from migrations/schema.sql, and adds the group roles, which are not in it. */
async function expectedObjects(): Promise<DatabaseObject[]> {
  const text = await readFile(new URL('../../migrations/schema.sql', import.meta.url), 'utf8');
  const objects: DatabaseObject[] = ['publish', 'serve', 'keys'].map((role) => ({
    name: `role wartable_${role}`,
  }));
  for (const [, table = '', body = ''] of text.matchAll(/^create table (\S+) \(\n(.*?)^\)/gms)) {
    objects.push({ name: `table ${table}` });
    for (const [, column] of body.matchAll(/^ {2}(?!constraint )"?(\w+)"? /gm))
      objects.push({ name: `column ${table}.${column}`, table: `table ${table}` });
  }
  for (const [, name] of text.matchAll(/^CREATE OR REPLACE FUNCTION (\w+\.\w+)\(/gm))
    objects.push({ name: `function ${name}` });
  return objects;
}
