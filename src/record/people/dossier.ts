// What the database has about a person: what goes with an erasure, what stays, and what only mentions them.
import type { Pool } from 'pg';
import { type NameRow, findName } from './find-name.ts';
import type { NamePattern } from './name-pattern.ts';
import { dataOf, type Subject, type Location, locationOf } from './person.ts';

export interface Mention extends Location {
  /** It identifies something, or another person has this name, or it is no fact of the feed: it is never replaced. */
  stays: boolean;
}

export interface Dossier {
  /** Everything that is recorded about the person. */
  data: Location[];
  /** The part of it that an erasure removes. */
  goes: Location[];
  /** What others wrote: free text with the name of the person. */
  mentions: Mention[];
  /** Published documents with the name. They follow the record. */
  copies: Location[];
  /** The rows behind the mentions that may be replaced. */
  found: NameRow[];
}

/** Without a pattern there is no name to look for: the player was erased before. */
export async function readDossier(
  pool: Pool,
  person: Subject,
  pattern: NamePattern | undefined,
): Promise<Dossier> {
  const data = await dataOf(pool, person);
  const goes = data.flatMap((place) => erasedPart(place) ?? []);
  const going = new Set(
    goes.flatMap((place) => Object.keys(place.values).map((column) => `${nameOf(place)} ${column}`)),
  );
  const dossier: Dossier = { data, goes, mentions: [], copies: [], found: [] };
  if (pattern === undefined) return dossier;
  for (const found of await findName(pool, pattern)) {
    const place = foundPlace(found);
    if (place.table.startsWith('published.')) {
      dossier.copies.push(place);
      continue;
    }
    const left = Object.entries(place.values).filter(([column, value]) => {
      const isGoing = going.has(`${nameOf(place)} ${column}`);
      return !isGoing || (column.endsWith('_list') && pattern.isIn(leftOfList(value)));
    });
    for (const stays of [false, true]) {
      const values = left.filter(([column, value]) => staysAsItIs(found, column, value, pattern) === stays);
      if (values.length > 0) dossier.mentions.push({ ...place, values: Object.fromEntries(values), stays });
      if (values.length > 0 && !stays) dossier.found.push(found);
    }
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
      // Erased already: of a list the sub-faction is left, of a guest the empty name.
      value !== '' &&
      !(column.endsWith('_list') && !('text' in (value as object))),
  );
  return erased.length === 0 ? undefined : { table, key, values: Object.fromEntries(erased) };
}

const leftOfList = (list: unknown): unknown => (list as { subFaction: string }).subFaction;

/** These are renamed, and these follow them: see remove-mentions.ts. */
const renamed = new Set(['record.tournament_group.name', 'record.battle_pack.name']);
export const follows = new Set([
  'record.participant.group_name',
  'record.tournament.battle_pack',
  'record.battle.battle_pack',
]);
/** Words of the schema, what marks refer to, and the name of another player. */
const words = new Set([
  'record.tournament.tie_breaks',
  'record.stage.type',
  'record.stale.kind',
  'record.stale.key',
  'record.stale.part',
  'record.player.name',
]);

const guestNames = new Set([
  'record.participant.name',
  'record.battle.first_name',
  'record.battle.second_name',
]);

/** Facts of the feed may be replaced, but not what identifies them. */
export function staysAsItIs(
  { table: { name, fixed } }: NameRow,
  column: string,
  value: unknown,
  pattern: NamePattern,
): boolean {
  const place = `${name}.${column}`;
  // A guest with a longer name is somebody else.
  if (guestNames.has(place)) return !pattern.is(String(value));
  if (renamed.has(place) || follows.has(place)) return false;
  const isFact =
    name.startsWith('record.') && name !== 'record.migration' && !name.startsWith('record.erased_');
  return !isFact || fixed.includes(column) || words.has(place);
}

/** The key has columns that may mention the person, too. */
const foundPlace = ({ table, key, tournament, values }: NameRow): Location => ({
  // The number of a tournament means nothing outside.
  ...locationOf(table.name, table.name === 'record.tournament' ? [] : table.key, key, tournament),
  values,
});

const nameOf = ({ table, key }: Location): string => `${table} ${JSON.stringify(key)}`;
