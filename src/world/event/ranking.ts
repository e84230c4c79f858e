// The platform's own table. It decides the pairings, who advances, and the final placements. (Wartable
// computes its boards separately, from the facts.)
import type {
  AdjustmentEntry,
  BattleEntry,
  ByeEntry,
  TournamentSide,
} from '../../record/feed/tournament-records.ts';
import { at } from '../chance/random.ts';
import { usualTieBreaks, type WorldTieBreak } from './setup.ts';

export interface EventResults {
  readonly battles: readonly BattleEntry[];
  readonly byes: readonly ByeEntry[];
  readonly adjustments: readonly AdjustmentEntry[];
}

export interface RankingRow {
  readonly id: string;
  battlePoints: number;
  wins: number;
  victoryPoints: number;
  victoryPointsDiff: number;
  /** Battle points from battles only, for the opponents' tie-break. */
  fromBattles: number;
  readonly opponents: string[];
  readonly beaten: Set<string>;
}

/** Returns the rows for these stages, best first. Rows that stay tied keep the order of `members`. */
export function ranking(
  members: readonly string[],
  stages: readonly string[],
  { battles, byes, adjustments }: EventResults,
  tieBreaks: readonly WorldTieBreak[] = usualTieBreaks,
): RankingRow[] {
  const rows = new Map(members.map((id) => [id, emptyRow(id)]));
  for (const battle of battles) if (stages.includes(battle.stage)) countBattle(rows, battle);
  for (const given of [...byes, ...adjustments]) {
    const row = rows.get(given.participant);
    if (!row || !stages.includes(given.stage)) continue;
    row.battlePoints += given.battlePoints ?? 0;
    row.victoryPoints += given.victoryPoints ?? 0;
    row.victoryPointsDiff += given.victoryPointsDiff ?? 0;
    if ('win' in given && given.win) row.wins++;
  }
  return ordered([...rows.values()], tieBreaks, rows);
}

function emptyRow(id: string): RankingRow {
  return {
    id,
    battlePoints: 0,
    wins: 0,
    victoryPoints: 0,
    victoryPointsDiff: 0,
    fromBattles: 0,
    opponents: [],
    beaten: new Set(),
  };
}

function countBattle(rows: Map<string, RankingRow>, { sides, winner }: BattleEntry): void {
  for (const [which, side] of sides.entries()) {
    const row = rows.get(side.participant);
    const other = sides[1 - which];
    if (!row || !other) continue;
    row.battlePoints += side.battlePoints ?? 0;
    row.fromBattles += side.battlePoints ?? 0;
    row.victoryPoints += victoryPoints(side);
    row.victoryPointsDiff += victoryPoints(side) - victoryPoints(other);
    row.opponents.push(other.participant);
    if (winner !== side.participant) continue;
    row.wins++;
    row.beaten.add(other.participant);
  }
}

function victoryPoints(side: Pick<TournamentSide, 'victoryPoints' | 'rounds'>): number {
  return side.victoryPoints ?? side.rounds?.reduce((sum, round) => sum + (round.victoryPoints ?? 0), 0) ?? 0;
}

// Sorts by the first tie-break, then each tied set by the rest. Head-to-head can only separate two players
// who have met.
function ordered(
  rows: RankingRow[],
  [first, ...rest]: readonly WorldTieBreak[],
  all: Map<string, RankingRow>,
): RankingRow[] {
  if (first === undefined || rows.length < 2) return rows;
  if (first === 'headToHead') {
    const [a, b] = rows;
    if (rows.length !== 2 || !a || !b || a.beaten.has(b.id) === b.beaten.has(a.id))
      return ordered(rows, rest, all);
    return a.beaten.has(b.id) ? [a, b] : [b, a];
  }
  const value = new Map(
    rows.map((row) => [row, first === 'opponentsBattlePoints' ? strengthOfOpponents(row, all) : row[first]]),
  );
  const sorted = rows.toSorted((a, b) => (value.get(b) ?? 0) - (value.get(a) ?? 0));
  const result: RankingRow[] = [];
  for (let start = 0; start < sorted.length;) {
    let end = start + 1;
    while (end < sorted.length && value.get(at(sorted, end)) === value.get(at(sorted, start))) end++;
    result.push(...ordered(sorted.slice(start, end), rest, all));
    start = end;
  }
  return result;
}

function strengthOfOpponents({ opponents }: RankingRow, all: Map<string, RankingRow>): number {
  const means = opponents.map((id) => {
    const row = all.get(id);
    return row && row.opponents.length > 0 ? row.fromBattles / row.opponents.length : 0;
  });
  return means.length === 0 ? 0 : means.reduce((sum, mean) => sum + mean, 0) / means.length;
}
