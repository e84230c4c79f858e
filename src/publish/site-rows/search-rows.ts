import type { ClientBase } from 'pg';
import { searchTexts } from '../../text/search.ts';

interface SearchRow {
  folded: string;
  kind: 'tournament' | 'club' | 'player';
  key: string;
  label: string;
}

/**
 * The search rows that a transaction writes. Only the owner of a thing's lock writes its rows: the lock of the tournament, of
 * the clubs, or of the player's row.
 */
export class SearchRows {
  #gone: SearchRow[] = [];
  #come: SearchRow[] = [];

  /** No name: there are no rows, or there must be none. The same name twice adds rows that are missing. */
  rename(
    kind: SearchRow['kind'],
    key: string,
    before: string | null | undefined,
    after: string | null | undefined,
  ): void {
    if (before !== after) this.#gone.push(...rowsOf(kind, key, before ?? ''));
    this.#come.push(...rowsOf(kind, key, after ?? ''));
  }

  /** Returns the number of rows that were deleted or inserted. */
  async write(client: ClientBase): Promise<number> {
    const [gone, come] = [this.#gone, this.#come];
    [this.#gone, this.#come] = [[], []];
    return (await deleteRows(client, gone)) + (await insertRows(client, come));
  }
}

function rowsOf(kind: SearchRow['kind'], key: string, label: string): SearchRow[] {
  return searchTexts(label).map((folded) => ({ folded, kind, key, label }));
}

async function deleteRows(client: ClientBase, rows: SearchRow[]): Promise<number> {
  if (rows.length === 0) return 0;
  const { rowCount } = await client.query({
    text: `delete from published.search s using unnest($1::text[], $2::text[], $3::text[]) as gone (folded, kind, key)
      where s.folded = gone.folded and s.kind = gone.kind and s.key = gone.key`,
    values: [rows.map(({ folded }) => folded), rows.map(({ kind }) => kind), rows.map(({ key }) => key)],
  });
  return rowCount ?? 0;
}

async function insertRows(client: ClientBase, rows: SearchRow[]): Promise<number> {
  if (rows.length === 0) return 0;
  const { rowCount } = await client.query({
    text: `insert into published.search (folded, kind, key, label)
      select * from unnest($1::text[], $2::text[], $3::text[], $4::text[]) on conflict do nothing`,
    values: [
      rows.map(({ folded }) => folded),
      rows.map(({ kind }) => kind),
      rows.map(({ key }) => key),
      rows.map(({ label }) => label),
    ],
  });
  return rowCount ?? 0;
}
