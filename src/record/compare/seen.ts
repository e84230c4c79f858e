import { DatabaseSync } from 'node:sqlite';
import type { FeedRecord } from '../feed/records.ts';

export type Kind = 'battle' | 'tournament' | 'club' | 'battlePack' | 'player';

/** Returns undefined for a record that is a part of a thing or an instruction. */
export function recordKind(record: FeedRecord): Kind | undefined {
  switch (record.kind) {
    case 'club':
    case 'player':
    case 'battlePack':
    case 'tournament':
      return record.kind;
    case 'battle':
      return 'tournament' in record ? undefined : 'battle';
    default:
      return undefined;
  }
}

export const recordKey = (record: FeedRecord): string =>
  'slug' in record ? record.slug : 'id' in record ? record.id : 'name' in record ? (record.name ?? '') : '';

/** The things that have come, in a file that SQLite deletes. */
export class Seen {
  readonly #database = new DatabaseSync('');
  readonly #insert;
  readonly #select;

  constructor() {
    this.#database.exec(`pragma journal_mode = off; pragma cache_size = -65536;
      create table seen (kind text, key text, primary key (kind, key)) without rowid; begin`);
    this.#insert = this.#database.prepare('insert or ignore into seen values (?, ?)');
    this.#select = this.#database.prepare('select 1 from seen where kind = ? and key = ?');
  }

  /** Adds a thing. Returns what is wrong if it came before. */
  add(record: FeedRecord): string | undefined {
    if (record.kind === 'tournament')
      for (const { id } of record.battles ?? []) this.#insert.run('battle of a tournament', id);
    const { changes } = this.#insert.run(recordKind(record) ?? '', recordKey(record));
    return changes === 1
      ? undefined
      : `expected each thing once, found ${record.kind} "${recordKey(record)}" again`;
  }

  /** Returns whether the thing came. A battle that was casual may belong to a tournament now. */
  has(kind: Kind, key: string): boolean {
    const isThere = (as: string) => this.#select.get(as, key) !== undefined;
    return isThere(kind) || (kind === 'battle' && isThere('battle of a tournament'));
  }

  close(): void {
    this.#database.close();
  }
}
