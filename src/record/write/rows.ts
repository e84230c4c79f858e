// Feed entries → rows, cell by cell in the order of tables.ts. Defaults are settled here, so that what the feed leaves
// out and what it says outright give the same row.
import type {
  AdjustmentEntry,
  ArmyListEntry,
  BattleEntry,
  ByeEntry,
  CasualBattleRecord,
  CasualSide,
  MatchEntry,
  ParticipantEntry,
  RoundEntry,
  StageEntry,
  TournamentSide,
} from '../feed/tournament-records.ts';
import type { Cell } from '../../database/copy.ts';
import type { Row } from '../tables.ts';

export const participantRow = (tournamentId: number, slug: string, entry: ParticipantEntry): Row => [
  tournamentId,
  entry.id,
  entry.player ?? null,
  entry.name ?? null,
  entry.club ?? null,
  entry.group ?? null,
  entry.dropped ?? false,
  entry.noShow ?? false,
  entry.faction ?? entry.list?.faction ?? null,
  entry.finalPlacement ?? null,
  entry.lot ?? lotOf(slug, entry.id),
];

export const listRow = (tournamentId: number, participant: string, list: ArmyListEntry): Row => [
  tournamentId,
  participant,
  list.subFaction,
  list.points,
  textArray(list.battleTacticCards),
  list.text,
];

export const stageRow = (tournamentId: number, position: number, entry: StageEntry): Row => [
  tournamentId,
  entry.id,
  position,
  entry.label ?? 'Group Stage',
  entry.type,
  entry.phase ?? (entry.id === 'swiss' ? 1 : 2),
  entry.rounds,
  entry.grouped ?? false,
  !entry.members,
  entry.carriesOver ?? null,
];

export const byeRow = (tournamentId: number, entry: ByeEntry): Row => [
  tournamentId,
  entry.stage,
  entry.round,
  entry.participant,
  entry.win,
  entry.battlePoints ?? 0,
  entry.victoryPoints ?? 0,
  entry.victoryPointsDiff ?? 0,
];

export const adjustmentRow = (tournamentId: number, position: number, entry: AdjustmentEntry): Row => [
  tournamentId,
  position,
  entry.stage,
  entry.participant,
  entry.battlePoints ?? 0,
  entry.victoryPoints ?? 0,
  entry.victoryPointsDiff ?? 0,
  entry.reason ?? null,
];

export const matchRow = (tournamentId: number, entry: MatchEntry): Row => [
  tournamentId,
  entry.stage,
  entry.round,
  entry.position,
  entry.name ?? null,
  entry.table,
  entry.players?.[0] ?? null,
  entry.players?.[1] ?? null,
  entry.winner ?? null,
  entry.battle ?? null,
];

export function battleRow(tournamentId: number, entry: BattleEntry): Row {
  const people = entry.sides.map((side) => side.participant);
  return [
    tournamentId,
    entry.id,
    entry.stage,
    entry.round,
    entry.table ?? null,
    ...battleCells(entry, null, people),
    ...entry.sides.flatMap((side) => [side.participant, null, null, null, ...sideCells(side)]),
  ];
}

export function casualBattleRow(entry: CasualBattleRecord): Row {
  const people = entry.sides.map((side) => side.player ?? side.name ?? '');
  return [
    null,
    entry.id,
    null,
    null,
    null,
    ...battleCells(entry, entry.club ?? null, people),
    ...entry.sides.flatMap((side) => [
      null,
      side.player ?? null,
      side.name ?? null,
      side.club ?? null,
      ...sideCells(side),
    ]),
  ];
}

const battleCells = (
  entry: BattleEntry | CasualBattleRecord,
  club: string | null,
  people: string[],
): Cell[] => [
  entry.date ?? null,
  entry.scenario ?? null,
  entry.battlePack ?? null,
  entry.battleSize ?? null,
  club,
  entry.finished ?? false,
  entry.winner ? people.indexOf(entry.winner) + 1 : null,
  entry.victorySize ?? null,
  entry.archived ?? false,
];

const sideCells = (side: TournamentSide | CasualSide): Cell[] => [
  side.faction ?? side.list?.faction ?? null,
  side.subFaction ?? null,
  side.battlePoints ?? null,
  side.victoryPoints ?? null,
  side.objectivePoints ?? null,
  side.battleTacticsScored ?? null,
  side.grandStrategy ?? null,
  side.grandStrategyScored ?? null,
  side.drops ?? null,
  side.role ?? null,
  filled(side.metrics) ? JSON.stringify(side.metrics) : null,
  side.list ? JSON.stringify({ ...side.list, faction: undefined }) : null,
  side.rounds && side.rounds.length > 0
    ? JSON.stringify(side.rounds.toSorted(byNumber).map(roundCells))
    : null,
];

const byNumber = (a: RoundEntry, b: RoundEntry): number => a.round - b.round;

/**
 * A round as a tuple: its names would be two thirds of the largest table. read-facts.ts gives them back.
 */
function roundCells(entry: RoundEntry): unknown[] {
  const cells: unknown[] = [
    entry.round,
    entry.victoryPoints ?? 0,
    entry.objectivePoints ?? 0,
    entry.objectives ?? [],
    entry.battleTactic ?? '',
    entry.battleTacticScored ?? false,
    entry.priority ?? false,
  ];
  if (filled(entry.metrics)) cells.push(entry.metrics);
  return cells;
}

function filled(metrics: object | undefined): boolean {
  for (const _ in metrics) return true;
  return false;
}

/** PostgreSQL's spelling of an array of texts. */
export const textArray = (texts: readonly string[]): string =>
  `{${texts.map((text) => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`).join(',')}}`;

/** FNV-1a, then mixed so that neighbours ("p1", "p2") land far apart; 31 bits, for a PostgreSQL integer. */
function lotOf(slug: string, participant: string): number {
  let hash = 0x811c9dc5;
  const text = `${slug}/${participant}`;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) & 0x7fffffff;
}
