import type { ClientBase } from 'pg';
import { copyRows } from '../database/copy.ts';
import type { TableRow } from '../database/row.ts';
import { SearchRows } from './site-rows/search-rows.ts';
import { type SideRow, updateSides } from './site-rows/update-sides.ts';

/** The tables of documents and index rows: the key columns with their types, and the other columns. */
export const documentTables = {
  tournament: {
    key: { slug: 'text' },
    rest: [
      'start_date',
      'status',
      'organizer',
      'country',
      'leader',
      'last_day',
      'last_result',
      'stages',
      'default_stage',
      'derivation',
      'battle_derivation',
      'revision',
      'document',
      'view',
    ],
  },
  standings: {
    key: { tournament: 'text', stage: 'text' },
    rest: ['document', 'view', 'entries', 'rounds', 'pairings'],
  },
  participant: {
    key: { tournament: 'text', sort_key: 'text', id: 'text' },
    rest: ['document', 'list_order', 'result'],
  },
  battle: {
    key: { id: 'text' },
    rest: [
      'tournament',
      'date',
      'stage_order',
      'round',
      'players',
      'clubs',
      'table_number',
      'first_entry',
      'second_entry',
      'revision',
      'document',
    ],
  },
  battle_detail: { key: { id: 'text' }, rest: ['document'] },
  player_battle: {
    key: { player: 'text', date: 'date', stage_order: 'smallint', round: 'smallint', battle: 'text' },
    rest: ['faction', 'outcome'],
  },
  player_tournament: {
    key: { player: 'text', start_date: 'date', tournament: 'text' },
    rest: [
      'plays',
      'organizes',
      'entry',
      'placement',
      'is_placed',
      'faction',
      'club',
      'won',
      'drawn',
      'lost',
      'path',
    ],
  },
  tournament_factions: {
    key: { tournament: 'text' },
    rest: ['start_date', 'month', 'pack', 'is_long', 'counts', 'top'],
  },
  club_battle: {
    key: { club: 'text', date: 'date', stage_order: 'smallint', round: 'smallint', battle: 'text' },
    rest: [],
  },
} as const satisfies Record<string, { key: Record<string, string>; rest: readonly string[] }>;

type Tables = typeof documentTables;
type DocumentTable = keyof Tables;
type KeyOf<Table extends DocumentTable> = TableRow<keyof Tables[Table]['key'] & string>;
type RowOf<Table extends DocumentTable> = KeyOf<Table> & TableRow<Tables[Table]['rest'][number]>;

/**
 * The rows that one transaction writes, and the revisions that it moves. A changed row is deleted and
 * inserted, because PostgreSQL would write a new version of it anyway, and this way one COPY per table
 * inserts all rows.
 */
export class Changes {
  readonly #gone = new Map<DocumentTable, TableRow[]>();
  readonly #come = new Map<DocumentTable, TableRow[]>();
  readonly moved = {
    tournaments: new Map<string, bigint>(),
    battles: new Map<string, bigint>(),
    clubs: new Set<string>(),
    players: new Set<string>(),
    tournamentList: false,
    search: false,
  };
  /**
   * Players who gained a row in a battle or tournament, and players who lost one. Their pages may appear or
   * disappear.
   */
  readonly named = { gained: new Set<string>(), lost: new Set<string>() };
  readonly search = new SearchRows();
  /**
   * Rows of players that keep their key although the battle shows something else. Their other columns may
   * differ.
   */
  readonly sides: SideRow[] = [];
  #updated = 0;

  remove<Table extends DocumentTable>(table: Table, key: KeyOf<Table>): void {
    add(this.#gone, table, key);
  }

  add<Table extends DocumentTable>(table: Table, row: RowOf<Table>): void {
    add(this.#come, table, row);
  }

  /** Number of rows to insert or delete. After the write, it includes the rows that were updated. */
  get rows(): number {
    const all = [...this.#gone.values(), ...this.#come.values()];
    return all.reduce((sum, rows) => sum + rows.length, this.#updated);
  }

  count(updated: number): void {
    this.#updated += updated;
  }

  /**
   * Writes the rows. With `isThorough`, it also deletes rows that are in the way of new ones because they
   * were left behind when others were deleted by hand. It never deletes the row of a battle, which may be
   * another tournament's, so that insert fails.
   */
  async write(client: ClientBase, isThorough = false): Promise<void> {
    for (const [table, keys] of this.#gone) await deleteRows(client, table, keys);
    if (isThorough) {
      for (const [table, rows] of this.#come) if (table !== 'battle') await deleteRows(client, table, rows);
    }
    for (const [table, rows] of this.#come) {
      const { key, rest } = documentTables[table];
      await copyRows<string>(client, `published.${table}`, [...Object.keys(key), ...rest], rows);
    }
    const players = await updateSides(client, this.sides);
    for (const player of players) this.moved.players.add(player);
    const found = await this.search.write(client);
    if (found > 0) this.moved.search = true;
    this.count(players.length + found);
  }
}

function add(rows: Map<DocumentTable, TableRow[]>, table: DocumentTable, row: TableRow): void {
  const known = rows.get(table);
  if (known === undefined) rows.set(table, [row]);
  else known.push(row);
}

async function deleteRows(client: ClientBase, table: DocumentTable, keys: TableRow[]): Promise<void> {
  const columns = Object.entries(documentTables[table].key);
  const arrays = columns.map(([, type], i) => `$${i + 1}::${type}[]`).join(', ');
  const names = columns.map(([name]) => name).join(', ');
  const same = columns.map(([name]) => `t.${name} = gone.${name}`).join(' and ');
  await client.query({
    text: `delete from published.${table} t using unnest(${arrays}) as gone (${names}) where ${same}`,
    values: columns.map(([name]) => keys.map((key) => key[name])),
  });
}

/** Returns the literal of a text[] of slugs or ids, which need no quotes. */
export function plainArray(elements: string[]): string {
  return `{${elements.join(',')}}`;
}
