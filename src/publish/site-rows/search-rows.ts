import type { ClientBase } from 'pg';
import { sortKey } from '../../text/fold.ts';
import { searchTexts } from '../../text/search.ts';

/** The columns of published.search with their types. Those of the key come first. */
const key = { is_guest: 'boolean', folded: 'text', kind: 'text', key: 'text' };
const columns = { ...key, label: 'text', sort_key: 'text' };

type SearchRow = Record<keyof typeof columns, string | boolean | null>;
type Name = string | null | undefined;

/**
 * The search rows that a transaction writes. Only the transaction that holds a thing's lock writes its rows:
 * the lock of the tournament, of the clubs, or of the player's row.
 */
export class SearchRows {
  readonly #gone: SearchRow[] = [];
  readonly #come: SearchRow[] = [];

  /**
   * Replaces the rows of a thing. No name means that there are no rows, or that there must be none. The same
   * name twice adds rows that are missing.
   */
  rename(kind: 'tournament' | 'club' | 'player', thing: string, before: Name, after: Name): void {
    const row = { is_guest: false, kind, key: thing, sort_key: null };
    this.#replace(before, after, (folded, label) => ({ ...row, folded, label }));
  }

  renameGuest(tournament: string, entry: string, before: Name, after: Name): void {
    const row = { is_guest: true, kind: 'guest', key: `${tournament}/${entry}` };
    this.#replace(before, after, (folded, label) => ({ ...row, folded, label, sort_key: sortKey(label) }));
  }

  #replace(before: Name, after: Name, rowOf: (folded: string, label: string) => SearchRow): void {
    const rowsOf = (label: string) => searchTexts(label).map((folded) => rowOf(folded, label));
    if (before !== after) this.#gone.push(...rowsOf(before ?? ''));
    this.#come.push(...rowsOf(after ?? ''));
  }

  /** Writes the rows. Returns the number that were deleted or inserted. */
  async write(client: ClientBase): Promise<number> {
    return (
      (await deleteRows(client, this.#gone.splice(0))) + (await insertRows(client, this.#come.splice(0)))
    );
  }
}

async function deleteRows(client: ClientBase, rows: SearchRow[]): Promise<number> {
  if (rows.length === 0) return 0;
  const names = Object.keys(key);
  const { rowCount } = await client.query({
    text: `delete from published.search s using unnest(${arraysOf(key)}) as gone (${names.join(', ')})
      where ${names.map((name) => `s.${name} = gone.${name}`).join(' and ')}`,
    values: valuesOf(key, rows),
  });
  return rowCount ?? 0;
}

async function insertRows(client: ClientBase, rows: SearchRow[]): Promise<number> {
  if (rows.length === 0) return 0;
  const { rowCount } = await client.query({
    text: `insert into published.search (${Object.keys(columns).join(', ')})
      select * from unnest(${arraysOf(columns)}) on conflict do nothing`,
    values: valuesOf(columns, rows),
  });
  return rowCount ?? 0;
}

const arraysOf = (given: Record<string, string>) =>
  Object.values(given)
    .map((type, index) => `$${index + 1}::${type}[]`)
    .join(', ');

const valuesOf = (given: Partial<typeof columns>, rows: SearchRow[]) =>
  (Object.keys(given) as (keyof SearchRow)[]).map((name) => rows.map((row) => row[name]));
