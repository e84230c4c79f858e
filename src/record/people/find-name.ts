// Looks for a name in every text of the database. The columns are read from the system catalog, so that a
// column of a later migration is not forgotten. Every row is read once.
import type { Pool } from 'pg';
import type { NamePattern } from './name-pattern.ts';

/** A table with texts, according to the system catalog. */
interface TextTable {
  /** The name with its schema. */
  name: string;
  /** The columns of its primary key. */
  key: string[];
  /** True if its rows are tournaments or parts of tournaments. */
  ofTournaments: boolean;
  /** The columns with texts, arrays of texts, and JSON. */
  texts: string[];
}

/** A row that mentions the name: its key, and the columns that mention it. */
export interface NameRow {
  table: TextTable;
  /** Values of the primary key, as PostgreSQL writes them. */
  key: Record<string, unknown>;
  /** The tournament that the row is part of. */
  tournament: string | null;
  values: Record<string, unknown>;
}

export async function findName(pool: Pool, pattern: NamePattern): Promise<NameRow[]> {
  const found: NameRow[] = [];
  for (const table of await textTables(pool)) {
    for (const row of await rowsWith(pool, table, pattern.source)) {
      const values = Object.fromEntries(
        Object.entries(row.values).filter(([, value]) => pattern.isIn(value)),
      );
      if (Object.keys(values).length > 0) found.push({ table, ...row, values });
    }
  }
  return found;
}

/** Returns only tables that this login may read. A login that publishes cannot read the keys. */
async function textTables(pool: Pool): Promise<TextTable[]> {
  const { rows } = await pool.query<TextTable>(`
    select n.nspname || '.' || c.relname as name,
      array(select a.attname::text from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey)
        where i.indrelid = c.oid and i.indisprimary order by array_position(i.indkey::int2[], a.attnum)) as key,
      c.oid = 'record.tournament'::regclass or exists (
        select from pg_attribute p where p.attrelid = c.oid and p.attname = 'tournament_id') as "ofTournaments",
      array_agg(a.attname::text order by a.attnum) as texts
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relkind in ('r', 'p') and n.nspname not in ('pg_catalog', 'information_schema')
      and n.nspname not like 'pg\\_%' and has_schema_privilege(n.oid, 'usage')
      and has_column_privilege(c.oid, a.attnum, 'select')
      and a.atttypid::regtype::text in ('text', 'text[]', 'character varying', 'character', 'json', 'jsonb', 'name')
    group by n.nspname, c.oid, c.relname order by 1`);
  return rows;
}

type Row = Omit<NameRow, 'table'>;

async function rowsWith(pool: Pool, table: TextTable, source: string): Promise<Row[]> {
  const matches = table.texts.map((column) => `t.${quoted(column)}::text ~ $1`).join(' or ');
  const { rows } = await pool.query<Row>(`${selectFrom(table)} where ${matches}`, [source]);
  return rows;
}

const quoted = (column: string): string => `"${column}"`;

const selectFrom = ({ name, key, ofTournaments, texts }: TextTable): string =>
  `select ${objectOf(key)} as key, ${objectOf(texts)} as values, ${
    ofTournaments ? `(select slug from record.tournament where id = t.${tournamentColumn(name)})` : 'null'
  } as tournament from ${name} t`;

const tournamentColumn = (table: string): string => (table === 'record.tournament' ? 'id' : 'tournament_id');

const objectOf = (columns: string[]): string =>
  `jsonb_build_object(${columns.map((column) => `'${column}', t.${quoted(column)}`).join(', ')})`;
