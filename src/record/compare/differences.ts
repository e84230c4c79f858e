// Compares what is stored with the rows that an import would make from a record, cell by cell. Elements that
// a record keeps in no particular order are compared by their identity. Names, lists and reasons of erased
// people are left out.
import type { TableRow } from '../../database/row.ts';
import type { StoredCasualBattle, StoredRow, ExportedTournament } from '../export/read-rows.ts';
import type { TournamentRecord } from '../feed/records.ts';
import type { CasualBattleRecord, RankingRecord } from '../feed/tournament-records.ts';
import type { Table } from '../columns.ts';
import {
  casualBattle,
  tournament as tournamentTable,
  type TournamentPart,
  tournamentParts,
  tournamentTables,
} from '../tables.ts';
import { casualBattleRow } from '../write/battle-rows.ts';
import { mergeHeader, rankingRow, partRowsOf } from '../write/part-rows.ts';
import { rowOf, textArray } from '../write/rows.ts';
import { tournamentChange } from '../write/tournament-change.ts';

/** Returns the first member that differs, as a path in the record, or undefined if they are equal. */
export function tournamentDifference(
  stored: ExportedTournament,
  given: TournamentRecord,
): string | undefined {
  // A tournament that an operator hid stays hidden, whatever the feed says.
  const record = stored.isHidden ? { ...given, published: false } : given;
  const own = rowDifference(tournamentTable, stored.header, rowOf(tournamentTable, mergeHeader(record)));
  if (own !== undefined) return own;
  const { rows } = partRowsOf([{ change: tournamentChange(record) }], new Map([[record.slug, 0]]));
  for (const part of tournamentParts) {
    const table: Table = tournamentTables[part];
    const known = byKey(table, part === 'rankings' ? newestIn(stored) : stored.parts[part], stored.erased);
    const sent = byKey(table, rows[part], stored.erased);
    for (const key of new Set([...known.keys(), ...sent.keys()])) {
      const [left, right] = [known.get(key), sent.get(key)];
      if (!left || !right) return paths[part](key);
      if (part === 'participants' && stored.erased.has(key)) leaveOutPlayer(left, right, 'player');
      const member = rowDifference(table, left, right);
      if (member !== undefined) return `${paths[part](key)}.${member}`;
    }
  }
  return undefined;
}

/**
 * Returns the newest ranking of each stage, which is the only one that a stage of the feed has. Earlier ones
 * are history that a platform need not have.
 */
const newestIn = ({ parts }: ExportedTournament): StoredRow[] =>
  parts.rankings.filter(({ stage }, index) => parts.rankings[index + 1]?.['stage'] !== stage);

/** Compares the ranking of an earlier round, which has a record of its own. */
export const rankingDifference = (stored: StoredRow | undefined, record: RankingRecord): string | undefined =>
  stored && rowDifference(tournamentTables.rankings, stored, rankingRow(0, record)) === undefined
    ? undefined
    : `ranking of ${record.stage} after round ${record.afterRound}`;

export function casualDifference(
  { row, erased }: StoredCasualBattle,
  record: CasualBattleRecord,
): string | undefined {
  const [left, right]: [StoredRow, StoredRow] = [{ ...row }, { ...casualBattleRow(record) }];
  for (const side of ['first', 'second'] as const) {
    if (!erased[side]) continue;
    leaveOutPlayer(left, right, `${side}_player`);
    for (const each of [left, right]) Object.assign(each, { [`${side}_name`]: null, [`${side}_list`]: null });
  }
  return rowDifference(casualBattle, left, right);
}

/** Returns the ids of guests who are erased here although the feed names them. */
export const namedGuests = (stored: ExportedTournament | undefined, record: TournamentRecord): string[] =>
  (record.participants ?? []).flatMap(({ id, name }) => (name && stored?.erased.has(id) ? id : []));

/** Returns the sides of such guests. */
export const namedSides = (stored: StoredCasualBattle | undefined, { sides }: CasualBattleRecord): object[] =>
  sides.filter(({ name }, at) => name && stored?.erased[at === 0 ? 'first' : 'second']);

/**
 * Ignores the player of an erased person, unless both rows name a player. If these differ, the feed says that
 * somebody else played: two players were merged, and our row still names the one who is gone.
 */
function leaveOutPlayer(left: StoredRow, right: StoredRow, column: string): void {
  if (left[column] === null || right[column] === null) left[column] = right[column] = null;
}

/** Returns the first member that differs. The number that PostgreSQL gave the tournament is ignored. */
export function rowDifference(
  { list }: Table,
  left: StoredRow,
  right: StoredRow | TableRow,
): string | undefined {
  const found = list.find(
    ({ column, type }) =>
      column !== 'tournament_id' && textOf(type, left[column]) !== textOf(type, right[column]),
  );
  // The feed expresses this by leaving out the members.
  return found?.column === 'everybody' ? 'members' : found?.member;
}

/**
 * Returns a value as text. Rows made by an import have JSON and arrays as texts. JSON is compared without the
 * order of its keys.
 */
function textOf(type: string, value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (type === 'text[]') return Array.isArray(value) ? textArray(value as string[]) : (value as string);
  if (type !== 'jsonb') return JSON.stringify(value);
  return JSON.stringify(typeof value === 'string' ? JSON.parse(value) : value, (_, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
}

/** Maps the rows by what identifies them in their tournament. */
function byKey(table: Table, rows: (StoredRow | TableRow)[], erased: Set<string>): Map<string, StoredRow> {
  const keys = table.key.filter((column) => column !== 'tournament_id');
  return new Map(
    rows.flatMap((row) => {
      const left = withoutErased(table, row, erased);
      return left ? [[keys.map((column) => row[column]).join('/'), left]] : [];
    }),
  );
}

/** Leaves out what an erasure removes. Returns undefined if that is the whole row. */
function withoutErased(table: Table, row: StoredRow, erased: Set<string>): StoredRow | undefined {
  if (erased.size === 0) return row;
  const isErased = (column: string): boolean => erased.has(String(row[column]));
  switch (table) {
    case tournamentTables.participants:
      return isErased('id') ? { ...row, name: null } : row;
    case tournamentTables.lists:
      return isErased('participant') ? undefined : row;
    case tournamentTables.adjustments:
      return isErased('participant') ? { ...row, reason: null } : row;
    case tournamentTables.battles:
      return {
        ...row,
        ...(isErased('first_participant') && { first_list: null }),
        ...(isErased('second_participant') && { second_list: null }),
      };
    default:
      return row;
  }
}

const paths: Record<TournamentPart, (key: string) => string> = {
  organizers: (key) => `tournamentOrganizers[${key}]`,
  groups: (key) => `groups[${key}]`,
  participants: (key) => `participants[${key}]`,
  lists: (key) => `participants[${key}].list`,
  stages: (key) => `stages[${key}]`,
  members: (key) => `stages[${key.replace('/', '].members[')}]`,
  // The feed has only one of them.
  rankings: (key) => `stages[${key.split('/', 1)[0]}].ranking`,
  byes: (key) => `byes[${key}]`,
  adjustments: (key) => `adjustments[${key}]`,
  battles: (key) => `battles[${key}]`,
  matches: (key) => `matches[${key}]`,
};
