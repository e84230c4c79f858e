import type { Pool } from 'pg';
import type { Location } from '../../src/record/people/person.ts';

/**
 * Searches every text in every table, using the catalogue. Returns the columns in which the database contains
 * this text, one per line. It ignores case, accents in either form, and spaces, and shares nothing with
 * src/record/people.
 */
export async function searchEverything(pool: Pool, text: string): Promise<string[]> {
  const { rows: columns } = await pool.query<{
    table: string;
    column: string;
    key: string[];
    part: boolean;
  }>(`
    select c.oid::regclass::text as "table", a.attname::text as column,
      exists (select from pg_attribute t where t.attrelid = c.oid and t.attname = 'tournament_id') as part,
      array(select k.attname::text from pg_index i, unnest(i.indkey::int2[]) with ordinality x (num, at)
        join pg_attribute k on k.attrelid = c.oid and k.attnum = x.num
        where i.indrelid = c.oid and i.indisprimary and x.at > 0 order by x.at) as key
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    join pg_type y on y.oid = a.atttypid
    where c.relkind in ('r', 'p', 'm') and c.relnamespace::regnamespace::text !~ '^(pg_|information_schema)'
      and (y.typcategory in ('S', 'A') or y.typname in ('json', 'jsonb'))`);
  const found: string[] = [];
  for (const { table, column, key, part } of columns) {
    const { rows } = await pool.query<{ key: Record<string, unknown>; slug: string | null; text: string }>(
      `select jsonb_build_object(${key.map((each) => `'${each}', t.${each}`).join(', ')}) as key, t."${column}"::text as text,
        ${part ? '(select slug from record.tournament where id = t.tournament_id)' : table === 'record.tournament' ? 't.slug' : 'null'} as slug
      from ${table} t where t."${column}" is not null`,
    );
    for (const row of rows) {
      if (!contains(row.text, text)) continue;
      const { tournament_id: _, ...rest } = row.key;
      const named = row.slug === null ? {} : { tournament: row.slug };
      found.push(lineOf(table, table === 'record.tournament' ? named : { ...named, ...rest }, column));
    }
  }
  return found.toSorted();
}

export const contains = (text: string, name: string): boolean => fold(text).includes(fold(name));

const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/\\[nrt]|\s+/g, ' ');

/** Returns the columns of these locations, in the same form. */
export const linesOf = (places: Location[]): string[] =>
  places
    .flatMap(({ table, key, values }) => Object.keys(values).map((column) => lineOf(table, key, column)))
    .toSorted();

const lineOf = (table: string, key: Record<string, unknown>, column: string): string => {
  const sorted = Object.entries(key).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `${table} ${JSON.stringify(sorted)} ${column}`;
};
