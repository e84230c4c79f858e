// Turns stored rows back into records of the feed. The row functions of the import (write/part-rows.ts,
// write/battle-rows.ts) make the same rows of them again.
import { camel } from '../facts/fact-columns.ts';
import { type Cells, roundFacts } from '../facts/read-battles.ts';
import { lotOf } from '../feed/lot.ts';
import type { TournamentRecord } from '../feed/records.ts';
import type { ArmyListEntry, CasualBattleRecord } from '../feed/tournament-records.ts';
import { tournamentTables } from '../tables.ts';
import type { StoredRow, StoredTournament } from './read-rows.ts';

/** With every part, so that it replaces what an import finds. */
export function tournamentRecord({ header, parts }: StoredTournament): TournamentRecord {
  const lists = new Map(parts.lists.map((row) => [row['participant'], row]));
  return {
    kind: 'tournament',
    ...members(header),
    tournamentOrganizers: parts.organizers.map(({ player }) => player),
    groups: parts.groups.map(({ name }) => name),
    stages: parts.stages.map(({ everybody, ...row }) => ({
      ...element({ ...row, position: null }),
      ...(everybody ? {} : { members: parts.members.flatMap((each) => memberOf(row, each)) }),
    })),
    participants: parts.participants.map(({ name, group_name, lot, ...row }) =>
      present({
        ...element(row),
        // A lot that the slug made is made again, under another slug another one.
        lot: lot === lotOf(String(header['slug']), String(row['id'])) ? null : lot,
        ...guest(name),
        group: group_name,
        list: listEntry(row['faction'], lists.get(row['id'])),
      }),
    ),
    byes: parts.byes.map(element),
    adjustments: parts.adjustments.map((row) => element({ ...row, position: null })),
    battles: parts.battles.map((row) => ({
      ...battleEntry(row),
      ...present({
        winner: [null, row['first_participant'], row['second_participant']][Number(row['winner'])],
      }),
    })),
    matches: parts.matches.map(({ first_participant, second_participant, table_number, ...row }) => ({
      ...element(row),
      table: table_number,
      players: [first_participant, second_participant].filter((player) => player !== null),
    })),
  } as TournamentRecord;
}

/** The side that won is its number: two guests may have one name, and an erased one has none. */
export const casualBattleRecord = (row: StoredRow): CasualBattleRecord =>
  ({
    kind: 'battle',
    ...battleEntry(row),
    ...present({ winner: row['winner'], club: row['club'] }),
  }) as CasualBattleRecord;

/** The columns under the names of the feed. */
export function members(row: StoredRow): StoredRow {
  const named: StoredRow = {};
  for (const column of Object.keys(row)) named[nameOf(column)] = row[column];
  return named;
}

/** An absent member of an element has its default, and null is the default of all that may be null. */
const element = (row: StoredRow): StoredRow => present(members({ ...row, tournament_id: null }));

function present(row: StoredRow): StoredRow {
  const left: StoredRow = {};
  for (const name of Object.keys(row))
    if (row[name] !== null && row[name] !== undefined) left[name] = row[name];
  return left;
}

/** A table has dozens of columns and millions of rows. */
function nameOf(column: string): string {
  const known = names.get(column) ?? camel(column);
  names.set(column, known);
  return known;
}
const names = new Map<string, string>();

/** An erased guest has the empty name. */
const guest = (name: unknown): StoredRow => (name === '' ? { erased: true } : { name });

const memberOf = ({ id }: StoredRow, { stage, participant, seed }: StoredRow): StoredRow[] =>
  stage === id ? [present({ participant, seed })] : [];

/** The row of a list, or the JSON beside a battle. Of an erased person only the sub-faction is left. */
function listEntry(faction: unknown, list: StoredRow | null | undefined): ArmyListEntry | null {
  if (!list) return null;
  const { subFaction, points, battleTacticCards, text } = members(list);
  const rest = typeof text === 'string' ? { faction, points, battleTacticCards, text } : {};
  return { subFaction, ...rest } as ArmyListEntry;
}

function battleEntry(row: StoredRow): StoredRow {
  const { id, stage, round, table_number, date, scenario, battle_pack, battle_size, finished } = row;
  const { victory_size, archived } = row;
  return {
    ...element({
      id,
      stage,
      round,
      date,
      scenario,
      battle_pack,
      battle_size,
      finished,
      victory_size,
      archived,
    }),
    ...present({ table: table_number }),
    sides: [sideEntry(row, 'first_'), sideEntry(row, 'second_')],
  };
}

const sideColumns = Object.keys(tournamentTables.battles.columns).flatMap((column) =>
  column.startsWith('first_') ? column.slice('first_'.length) : [],
);

function sideEntry(row: StoredRow, prefix: string): StoredRow {
  const side: StoredRow = {};
  for (const column of sideColumns) side[column] = row[prefix + column];
  const { name, list, rounds, ...rest } = side;
  return present({
    ...element(rest),
    ...guest(name),
    list: listEntry(rest['faction'], list as StoredRow | null),
    rounds: (rounds as Cells[] | null)?.map(roundEntry),
  });
}

/** As `roundCells` of write/battle-rows.ts wrote it. */
const roundEntry = (cells: Cells): StoredRow => present({ ...roundFacts(cells), metrics: cells[7] });
