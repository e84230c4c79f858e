// Makes the rows of a tournament's parts from its changes (battles: battle-rows.ts). The defaults are here: a member that
// the feed leaves out and one that carries the default value give the same row.
import { lotOf } from '../feed/lot.ts';
import {
  type AdjustmentEntry,
  type ArmyListEntry,
  type ByeEntry,
  groupStage,
  type MatchEntry,
  type ParticipantEntry,
  type StageEntry,
} from '../feed/tournament-records.ts';
import { emptyParts, type TournamentPart, type TournamentRow } from '../tables.ts';
import { battleRow } from './battle-rows.ts';
import type { TournamentChange } from './tournament-change.ts';

/** For each part: the rows to write, and the tournaments where these rows replace all stored ones. */
export interface PartRows {
  rows: { [Part in TournamentPart]: TournamentRow<Part>[] };
  replaced: Record<TournamentPart, number[]>;
  /** Participants without a list: delete the stored one, if there is one. */
  withoutList: { tournament_id: number; participant: string }[];
}

export function rowsOf(accepted: { change: TournamentChange }[], ids: Map<string, number>): PartRows {
  const all: PartRows = { rows: emptyParts(), replaced: emptyParts(), withoutList: [] };
  for (const { change } of accepted) addRows(all, change, ids.get(change.slug) ?? 0);
  return all;
}

function addRows(
  { rows, replaced, withoutList }: PartRows,
  { slug, whole, parts }: TournamentChange,
  id: number,
): void {
  const put = <Part extends TournamentPart, Entry>(
    part: Part,
    entries: readonly Entry[] | undefined,
    rowOf: (entry: Entry, position: number) => TournamentRow<Part>,
  ): void => {
    if (!entries) return;
    if (whole) replaced[part].push(id);
    for (const [position, entry] of entries.entries()) rows[part].push(rowOf(entry, position));
  };
  const { groups, participants, stages, byes, adjustments, battles, matches } = parts;
  const lists = participants?.flatMap(({ id: participant, list }) => (list ? { participant, list } : []));
  const members = stages?.flatMap((stage) =>
    (stage.members ?? []).map(({ participant, seed = null }) => ({ stage: stage.id, participant, seed })),
  );
  put('organizers', whole?.tournamentOrganizers, (player) => ({ tournament_id: id, player }));
  put('groups', groups, (name, position) => ({ tournament_id: id, name, position }));
  put('participants', participants, (entry) => participantRow(id, slug, entry));
  put('lists', lists, ({ participant, list }) => listRow(id, participant, list));
  put('stages', stages, (entry, position) => stageRow(id, position, entry));
  put('members', members, (member) => ({ tournament_id: id, ...member }));
  put('byes', byes, (entry) => byeRow(id, entry));
  put('adjustments', adjustments, (entry, position) => adjustmentRow(id, position, entry));
  put('battles', battles, (entry) => battleRow(id, entry));
  put('matches', matches, (entry) => matchRow(id, entry));
  if (whole) return;
  for (const { id: participant, list } of participants ?? [])
    if (!list) withoutList.push({ tournament_id: id, participant });
}

const participantRow = (
  tournamentId: number,
  slug: string,
  entry: ParticipantEntry,
): TournamentRow<'participants'> => ({
  tournament_id: tournamentId,
  id: entry.id,
  player: entry.player ?? null,
  name: entry.erased ? '' : (entry.name ?? null),
  club: entry.club ?? null,
  group_name: entry.group ?? null,
  dropped: entry.dropped ?? false,
  no_show: entry.noShow ?? false,
  faction: entry.faction ?? entry.list?.faction ?? null,
  final_placement: entry.finalPlacement ?? null,
  lot: entry.lot ?? lotOf(slug, entry.id),
});

const listRow = (tournamentId: number, participant: string, list: ArmyListEntry): TournamentRow<'lists'> => ({
  tournament_id: tournamentId,
  participant,
  sub_faction: list.subFaction,
  points: list.points ?? null,
  battle_tactic_cards: list.battleTacticCards ? textArray(list.battleTacticCards) : null,
  text: list.text ?? null,
});

const stageRow = (tournamentId: number, position: number, entry: StageEntry): TournamentRow<'stages'> => ({
  tournament_id: tournamentId,
  id: entry.id,
  position,
  label: entry.label ?? groupStage,
  type: entry.type,
  phase: entry.phase ?? (entry.id === 'swiss' ? 1 : 2),
  rounds: entry.rounds,
  grouped: entry.grouped ?? false,
  everybody: !entry.members,
  carries_over: entry.carriesOver ?? null,
});

const byeRow = (tournamentId: number, entry: ByeEntry): TournamentRow<'byes'> => ({
  tournament_id: tournamentId,
  stage: entry.stage,
  round: entry.round,
  participant: entry.participant,
  win: entry.win,
  battle_points: entry.battlePoints ?? 0,
  victory_points: entry.victoryPoints ?? 0,
  victory_points_diff: entry.victoryPointsDiff ?? 0,
});

const adjustmentRow = (
  tournamentId: number,
  position: number,
  entry: AdjustmentEntry,
): TournamentRow<'adjustments'> => ({
  tournament_id: tournamentId,
  position,
  stage: entry.stage,
  participant: entry.participant,
  battle_points: entry.battlePoints ?? 0,
  victory_points: entry.victoryPoints ?? 0,
  victory_points_diff: entry.victoryPointsDiff ?? 0,
  reason: entry.reason ?? null,
});

const matchRow = (tournamentId: number, entry: MatchEntry): TournamentRow<'matches'> => ({
  tournament_id: tournamentId,
  stage: entry.stage,
  round: entry.round,
  position: entry.position,
  name: entry.name ?? null,
  table_number: entry.table,
  first_participant: entry.players?.[0] ?? null,
  second_participant: entry.players?.[1] ?? null,
  winner: entry.winner ?? null,
  battle: entry.battle ?? null,
});

/** A text[] literal of PostgreSQL. */
export const textArray = (texts: readonly string[]): string =>
  `{${texts.map((text) => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`).join(',')}}`;
