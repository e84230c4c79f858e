// Makes rows from feed entries (battles: battle-rows.ts). The defaults are here: a member that the feed leaves out and
// one that carries the default value give the same row.
import type {
  AdjustmentEntry,
  ArmyListEntry,
  ByeEntry,
  MatchEntry,
  ParticipantEntry,
  StageEntry,
} from '../feed/tournament-records.ts';
import type { TournamentRow } from '../tables.ts';

export const participantRow = (
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

export const listRow = (
  tournamentId: number,
  participant: string,
  list: ArmyListEntry,
): TournamentRow<'lists'> => ({
  tournament_id: tournamentId,
  participant,
  sub_faction: list.subFaction,
  points: list.points ?? null,
  battle_tactic_cards: list.battleTacticCards ? textArray(list.battleTacticCards) : null,
  text: list.text ?? null,
});

export const stageRow = (
  tournamentId: number,
  position: number,
  entry: StageEntry,
): TournamentRow<'stages'> => ({
  tournament_id: tournamentId,
  id: entry.id,
  position,
  label: entry.label ?? 'Group Stage',
  type: entry.type,
  phase: entry.phase ?? (entry.id === 'swiss' ? 1 : 2),
  rounds: entry.rounds,
  grouped: entry.grouped ?? false,
  everybody: !entry.members,
  carries_over: entry.carriesOver ?? null,
});

export const byeRow = (tournamentId: number, entry: ByeEntry): TournamentRow<'byes'> => ({
  tournament_id: tournamentId,
  stage: entry.stage,
  round: entry.round,
  participant: entry.participant,
  win: entry.win,
  battle_points: entry.battlePoints ?? 0,
  victory_points: entry.victoryPoints ?? 0,
  victory_points_diff: entry.victoryPointsDiff ?? 0,
});

export const adjustmentRow = (
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

export const matchRow = (tournamentId: number, entry: MatchEntry): TournamentRow<'matches'> => ({
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

/** FNV-1a, then mixed so that similar ids ("p1", "p2") get very different lots. 31 bits fit a PostgreSQL integer. */
function lotOf(slug: string, participant: string): number {
  let hash = 0x811c9dc5;
  const text = `${slug}/${participant}`;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) & 0x7fffffff;
}
