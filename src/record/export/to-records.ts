// Turns stored rows back into records of the feed. The row functions of the import (write/part-rows.ts,
// write/battle-rows.ts) make the same rows from these again.
import { roundFacts } from '../facts/read-battles.ts';
import { lotOf } from '../feed/lot.ts';
import type { TournamentRecord } from '../feed/records.ts';
import type {
  ArmyListEntry,
  CasualBattleRecord,
  RankingEntry,
  RankingRecord,
} from '../feed/tournament-records.ts';
import { listOf, type Table } from '../columns.ts';
import {
  battleColumns,
  listColumns,
  type RoundCells,
  battleSideColumns,
  type StoredList,
  tournament,
  tournamentTables,
} from '../tables.ts';
import type { StoredRow, ExportedTournament } from './read-rows.ts';

/** Returns a record with every part, so that it replaces what an import finds. */
export function tournamentRecord({ header, parts }: ExportedTournament): TournamentRecord {
  const { stages, participants, byes, adjustments, matches } = tournamentTables;
  const listOfEntry = new Map(parts.lists.map((row) => [row['participant'], members(ownOfList, row)]));
  return {
    kind: 'tournament',
    ...members(tournament.list, header),
    tournamentOrganizers: parts.organizers.map(({ player }) => player),
    groups: parts.groups.map(({ name }) => name),
    stages: parts.stages.map(({ everybody, ...row }) => ({
      ...element(stages.list, { ...row, position: null }),
      ...(everybody ? {} : { members: parts.members.flatMap((each) => memberOf(row, each)) }),
      ...(row['type'] === 'board' && { ranking: newestRanking(parts.rankings, row['id']) }),
    })),
    participants: parts.participants.map((row) => {
      const { name, group, lot, ...rest } = element(participants.list, row);
      return present({
        ...rest,
        // A lot that was derived from the slug is left out. The import derives it again, or another one under
        // another slug.
        lot: lot === lotOf(String(header['slug']), String(rest['id'])) ? null : lot,
        ...guest(name),
        group,
        list: listEntry(rest['faction'], listOfEntry.get(rest['id'])),
      });
    }),
    byes: parts.byes.map((row) => element(byes.list, row)),
    adjustments: parts.adjustments.map((row) => element(adjustments.list, { ...row, position: null })),
    battles: parts.battles.map((row) => ({
      ...battleEntry(row),
      ...present({
        winner: [null, row['first_participant'], row['second_participant']][Number(row['winner'])],
      }),
    })),
    matches: parts.matches.map((row) => {
      const { firstParticipant, secondParticipant, table, ...rest } = element(matches.list, row);
      return {
        ...rest,
        table,
        players: [firstParticipant, secondParticipant].filter((each) => each !== undefined),
      };
    }),
  } as TournamentRecord;
}

/** Returns the rankings that are not the newest of their stage, because a stage of the feed has only one. */
export const earlierRankings = ({ header, parts }: ExportedTournament): RankingRecord[] =>
  parts.rankings.flatMap((row, index) =>
    parts.rankings[index + 1]?.['stage'] === row['stage']
      ? {
          kind: 'ranking',
          tournament: String(header['slug']),
          stage: String(row['stage']),
          ...rankingEntry(row),
        }
      : [],
  );

/** Returns the newest ranking of a stage, or null so that an import deletes what it finds. */
function newestRanking(rankings: StoredRow[], stage: unknown): Ranking | null {
  const newest = rankings.findLast((row) => row['stage'] === stage);
  return newest ? rankingEntry(newest) : null;
}

type Ranking = Omit<RankingEntry, 'stage'>;

const rankingEntry = (row: StoredRow): Ranking => ({
  afterRound: Number(row['after_round']),
  ranks: Object.entries(row['ranks'] as Record<string, number>)
    .map(([participant, rank]) => ({ participant, rank }))
    .toSorted((a, b) => a.rank - b.rank || (a.participant < b.participant ? -1 : 1)),
});

/**
 * Names the winning side by its number, because two guests may have the same name, and an erased one has
 * none.
 */
export const casualBattleRecord = (row: StoredRow): CasualBattleRecord =>
  ({
    kind: 'battle',
    ...battleEntry(row),
    ...present({ winner: row['winner'], club: row['club'] }),
  }) as CasualBattleRecord;

/** Returns the columns under their names in the feed. */
function members(list: Table['list'], row: StoredRow): StoredRow {
  const named: StoredRow = {};
  for (const { column, member } of list) named[member] = row[column];
  return named;
}

/**
 * Leaves out members that are null. An absent member of an element has its default, which is null for
 * everything that may be null.
 */
const element = (list: Table['list'], row: StoredRow): StoredRow =>
  present(members(list, { ...row, tournament_id: null }));

function present(row: StoredRow): StoredRow {
  const left: StoredRow = {};
  for (const name of Object.keys(row))
    if (row[name] !== null && row[name] !== undefined) left[name] = row[name];
  return left;
}

/** An erased guest has an empty name. */
const guest = (name: unknown): StoredRow => (name === '' ? { erased: true } : { name });

const memberOf = ({ id }: StoredRow, { stage, ...row }: StoredRow): StoredRow[] =>
  stage === id ? [element(tournamentTables.members.list, row)] : [];

/**
 * Takes the row of a list, or the JSON beside a battle. Only the sub-faction is left of an erased person's
 * list.
 */
function listEntry(faction: unknown, list: StoredRow | StoredList | null | undefined): ArmyListEntry | null {
  if (!list) return null;
  // Use the order of the description, because PostgreSQL keeps JSON in another order.
  const named = ownOfList.map(({ member }) => [member, (list as StoredRow)[member]] as const);
  const { subFaction, ...rest } = present(Object.fromEntries(named));
  return (
    typeof rest['text'] === 'string' ? { subFaction, faction, ...rest } : { subFaction }
  ) as ArmyListEntry;
}

function battleEntry(row: StoredRow): StoredRow {
  const { table, winner: _, club: __, ...rest } = element(ownColumns, row);
  return {
    ...rest,
    ...present({ table }),
    sides: [sideEntry(row, sides.first), sideEntry(row, sides.second)],
  };
}

const ownColumns = listOf(battleColumns);
const ownOfList = listOf(listColumns);
const sideOf = (which: string): Table['list'] =>
  listOf(battleSideColumns).map((each) => ({ ...each, column: `${which}_${each.column}` }));
const sides = { first: sideOf('first'), second: sideOf('second') };

function sideEntry(row: StoredRow, columns: Table['list']): StoredRow {
  const { name, list, rounds, ...rest } = present(members(columns, row));
  return present({
    ...rest,
    ...guest(name),
    list: listEntry(rest['faction'], list as StoredList | undefined),
    rounds: (rounds as RoundCells[] | undefined)?.map(roundEntry),
  });
}

/** Reverses `roundCells` of write/battle-rows.ts. */
const roundEntry = (cells: RoundCells): StoredRow => present({ ...roundFacts(cells), metrics: cells[7] });
