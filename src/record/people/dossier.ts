// Collects what the database has about a person: what an erasure removes, what stays, and what only mentions
// them.
import type { Pool } from 'pg';
import { type NameRow, findName } from './find-name.ts';
import type { NamePattern } from './name-pattern.ts';
import { dataOf, type Subject, type Location, locationOf } from './person.ts';

export interface Dossier {
  /** Everything that is recorded about the person. */
  data: Location[];
  /** The part of `data` that an erasure removes. */
  goes: Location[];
  /** Free text that others wrote and that has the name of the person. */
  mentions: Location[];
  /** Published documents with the name, which follow the record. */
  copies: Location[];
}

/**
 * Reads the dossier. Without a pattern there is no name to look for, because the player was erased before.
 */
export async function readDossier(
  pool: Pool,
  person: Subject,
  pattern: NamePattern | undefined,
): Promise<Dossier> {
  const data = await dataOf(pool, person);
  const goes = data.flatMap((location) => erasedPart(location) ?? []);
  const going = new Set(
    goes.flatMap((location) => Object.keys(location.values).map((column) => `${nameOf(location)} ${column}`)),
  );
  const dossier: Dossier = { data, goes, mentions: [], copies: [] };
  if (pattern === undefined) return dossier;
  for (const found of await findName(pool, pattern)) {
    const location = foundLocation(found);
    if (location.table.startsWith('published.')) {
      dossier.copies.push(location);
      continue;
    }
    const left = Object.entries(location.values).filter(([column, value]) => {
      const isGoing = going.has(`${nameOf(location)} ${column}`);
      return !isGoing || (column.endsWith('_list') && pattern.isIn(leftOfList(value)));
    });
    if (left.length > 0) dossier.mentions.push({ ...location, values: Object.fromEntries(left) });
  }
  return dossier;
}

/** The columns of each table that an erasure empties. */
const erasedColumns: Record<string, string[]> = {
  'record.player': ['name'],
  'record.participant': ['name'],
  'record.participant_list': ['points', 'battle_tactic_cards', 'text'],
  'record.adjustment': ['reason'],
  'record.battle': ['first_name', 'second_name', 'first_list', 'second_list'],
};

function erasedPart({ table, key, values }: Location): Location | undefined {
  const erased = Object.entries(values).filter(
    ([column, value]) =>
      erasedColumns[table]?.includes(column) &&
      // These are already erased: only the sub-faction is left of a list, and only the empty name of a guest.
      value !== '' &&
      !(column.endsWith('_list') && !('text' in (value as object))),
  );
  return erased.length === 0 ? undefined : { table, key, values: Object.fromEntries(erased) };
}

const leftOfList = (list: unknown): unknown => (list as { subFaction: string }).subFaction;

/**
 * Returns the location of a row that mentions the name. Columns of the key may mention the person, too, so
 * they remain among the values.
 */
const foundLocation = ({ table, key, tournament, values }: NameRow): Location => ({
  // The number of a tournament means nothing outside the database.
  ...locationOf(table.name, table.name === 'record.tournament' ? [] : table.key, key, tournament),
  values,
});

const nameOf = ({ table, key }: Location): string => `${table} ${JSON.stringify(key)}`;
