// Makes the rows of a tournament's parts from its changes (for battles, see battle-rows.ts). This file has
// only what tables.ts cannot express: members without a column of their own, and defaults that depend on
// other members.
import type { TournamentHeader } from '../facts/tournament-header.ts';
import { lotOf } from '../feed/lot.ts';
import type { TournamentRecord } from '../feed/records.ts';
import type {
  ArmyListEntry,
  MatchEntry,
  ParticipantEntry,
  RankingEntry,
  StageEntry,
} from '../feed/tournament-records.ts';
import {
  emptyParts,
  tournament,
  type TournamentPart,
  type TournamentRow,
  tournamentTables,
} from '../tables.ts';
import { battleRow } from './battle-rows.ts';
import { merged, rowOf } from './rows.ts';
import type { TournamentChange } from './tournament-change.ts';

/** The rows to write for each part, and the tournaments in which these rows replace all stored ones. */
export interface PartRows {
  rows: { [Part in TournamentPart]: TournamentRow<Part>[] };
  replaced: Record<TournamentPart, number[]>;
  /** Participants without a list, whose stored list is deleted if there is one. */
  withoutList: { tournament_id: number; participant: string }[];
  /**
   * The round of the newest ranking of these stages. Rankings after later rounds are deleted, and -1 deletes
   * all.
   */
  newest: { tournament_id: number; stage: string; after_round: number }[];
}

export function partRowsOf(accepted: { change: TournamentChange }[], ids: Map<string, number>): PartRows {
  const all: PartRows = { rows: emptyParts(), replaced: emptyParts(), withoutList: [], newest: [] };
  for (const { change } of accepted) addRows(all, change, ids.get(change.slug) ?? 0);
  return all;
}

function addRows(
  { rows, replaced, withoutList, newest }: PartRows,
  { slug, whole, parts }: TournamentChange,
  id: number,
): void {
  const put = <Part extends TournamentPart, Entry>(
    part: Part,
    entries: readonly Entry[] | undefined,
    make: (entry: Entry, position: number) => TournamentRow<Part>,
  ): void => {
    if (!entries) return;
    if (whole) replaced[part].push(id);
    for (const [position, entry] of entries.entries()) rows[part].push(make(entry, position));
  };
  const { groups, participants, stages, rankings = [], byes, adjustments, battles, matches } = parts;
  const lists = participants?.flatMap(({ id: participant, list }) => (list ? { participant, list } : []));
  const members = stages?.flatMap((stage) =>
    (stage.members ?? []).map((member) => ({ stage: stage.id, ...member })),
  );
  put('organizers', whole?.tournamentOrganizers, (player) => ({ tournament_id: id, player }));
  put('groups', groups, (name, position) => ({ tournament_id: id, name, position }));
  put('participants', participants, (entry) => participantRow(id, slug, entry));
  put('lists', lists, ({ participant, list }) => listRow(id, participant, list));
  put('stages', stages, (entry, position) => stageRow(id, position, entry));
  put('members', members, (member) => rowOf(tournamentTables.members, { tournamentId: id, ...member }));
  put('byes', byes, (entry) => rowOf(tournamentTables.byes, { tournamentId: id, ...entry }));
  put('adjustments', adjustments, (entry, position) =>
    rowOf(tournamentTables.adjustments, { tournamentId: id, position, ...entry }),
  );
  put('battles', battles, (entry) => battleRow(id, entry));
  put('matches', matches, (entry) => matchRow(id, entry));
  for (const entry of rankings) rows.rankings.push(rankingRow(id, entry));
  for (const { id: stage, ranking } of stages ?? []) {
    if (ranking !== undefined)
      newest.push({ tournament_id: id, stage, after_round: ranking?.afterRound ?? -1 });
  }
  if (whole) return;
  for (const { id: participant, list } of participants ?? [])
    if (!list) withoutList.push({ tournament_id: id, participant });
}

/** Merges a record into the header. The parts are left out, because they have their own tables. */
export const mergeHeader = (record: TournamentRecord, before?: TournamentHeader): TournamentHeader =>
  merged<typeof tournament, Omit<TournamentRecord, keyof TournamentChange['parts'] | 'tournamentOrganizers'>>(
    tournament,
    record,
    before,
  );

const participantRow = (
  tournamentId: number,
  slug: string,
  { erased, list, ...entry }: ParticipantEntry,
): TournamentRow<'participants'> =>
  rowOf(tournamentTables.participants, {
    ...entry,
    tournamentId,
    name: erased ? '' : entry.name,
    faction: entry.faction ?? list?.faction,
    lot: entry.lot ?? lotOf(slug, entry.id),
  });

/** Leaves out the faction, which is in the row of the participant. */
function listRow(tournamentId: number, participant: string, entry: ArmyListEntry): TournamentRow<'lists'> {
  const { faction: _, ...list } = entry;
  return rowOf(tournamentTables.lists, { tournamentId, participant, ...list });
}

function stageRow(tournamentId: number, position: number, stage: StageEntry): TournamentRow<'stages'> {
  const { members, ranking: _, ...entry } = stage;
  return rowOf(tournamentTables.stages, {
    ...entry,
    tournamentId,
    position,
    phase: entry.phase ?? (entry.id === 'swiss' ? 1 : 2),
    everybody: !members,
  });
}

export const rankingRow = (
  tournamentId: number,
  { stage, afterRound, ranks }: RankingEntry,
): TournamentRow<'rankings'> =>
  rowOf(tournamentTables.rankings, {
    tournamentId,
    stage,
    afterRound,
    ranks: Object.fromEntries(ranks.map(({ participant, rank }) => [participant, rank])),
  });

const matchRow = (
  tournamentId: number,
  { players: [firstParticipant, secondParticipant] = [], ...entry }: MatchEntry,
): TournamentRow<'matches'> =>
  rowOf(tournamentTables.matches, { ...entry, tournamentId, firstParticipant, secondParticipant });
