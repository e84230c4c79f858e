import type { ClientBase } from 'pg';
import { sortKey } from '../../text/fold.ts';
import { searchTexts } from '../../text/search.ts';

/** The key of each table comes first. */
const tables = {
  search: { key: ['folded', 'kind', 'key'], rest: ['label'] },
  guest_search: { key: ['folded', 'tournament', 'entry'], rest: ['label', 'sort_key'] },
} as const;

type Table = keyof typeof tables;
type SearchRow = Record<string, string>;

/**
 * The search rows that a transaction writes. Only the owner of a thing's lock writes its rows: the lock of the tournament, of
 * the clubs, or of the player's row.
 */
export class SearchRows {
  #gone: Record<Table, SearchRow[]> = { search: [], guest_search: [] };
  #come: Record<Table, SearchRow[]> = { search: [], guest_search: [] };

  /** No name: there are no rows, or there must be none. The same name twice adds rows that are missing. */
  rename(
    kind: 'tournament' | 'club' | 'player',
    key: string,
    before: string | null | undefined,
    after: string | null | undefined,
  ): void {
    this.#rename('search', { kind, key }, before, after);
  }

  renameGuest(
    tournament: string,
    entry: string,
    before: string | null | undefined,
    after: string | null | undefined,
  ): void {
    this.#rename('guest_search', { tournament, entry, sort_key: sortKey(after ?? '') }, before, after);
  }

  #rename(
    table: Table,
    of: SearchRow,
    before: string | null | undefined,
    after: string | null | undefined,
  ): void {
    const rowsOf = (label: string) => searchTexts(label).map((folded) => ({ folded, ...of, label }));
    if (before !== after) this.#gone[table].push(...rowsOf(before ?? ''));
    this.#come[table].push(...rowsOf(after ?? ''));
  }

  /** Returns the number of rows that were deleted or inserted. */
  async write(client: ClientBase): Promise<number> {
    let count = 0;
    for (const table of ['search', 'guest_search'] as const) {
      count += await deleteRows(client, table, this.#gone[table].splice(0));
      count += await insertRows(client, table, this.#come[table].splice(0));
    }
    return count;
  }
}

async function deleteRows(client: ClientBase, table: Table, rows: SearchRow[]): Promise<number> {
  if (rows.length === 0) return 0;
  const { key } = tables[table];
  const { rowCount } = await client.query({
    text: `delete from published.${table} s using unnest(${arrays(key)}) as gone (${key.join(', ')})
      where ${key.map((column) => `s.${column} = gone.${column}`).join(' and ')}`,
    values: key.map((column) => rows.map((row) => row[column])),
  });
  return rowCount ?? 0;
}

async function insertRows(client: ClientBase, table: Table, rows: SearchRow[]): Promise<number> {
  if (rows.length === 0) return 0;
  const columns = [...tables[table].key, ...tables[table].rest];
  const { rowCount } = await client.query({
    text: `insert into published.${table} (${columns.join(', ')})
      select * from unnest(${arrays(columns)}) on conflict do nothing`,
    values: columns.map((column) => rows.map((row) => row[column])),
  });
  return rowCount ?? 0;
}

const arrays = (columns: readonly string[]) => columns.map((_, i) => `$${i + 1}::text[]`).join(', ');
