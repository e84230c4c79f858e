import type { Battle } from '../../src/contract/battle.ts';
import type { Participant } from '../../src/contract/participant.ts';
import type { BoardRow } from '../../src/contract/standings.ts';
import { add, canBeDealt, type Gain, numbers } from './deal-battles.ts';

export interface Recomputed {
  boards: number;
  rows: number;
  rowsWithoutId: number;
  numbers: number;
  ranks: number;
  differences: string[];
}

/** A board of the API, and the other answers that belong to it. */
export interface ShownBoard {
  name: string;
  stage: string;
  rows: BoardRow[];
  /** Battles of this stage, or of all stages for the merged board. */
  battles: Battle[];
  /** Participants of the tournament. */
  participants: Participant[];
  /** Whether more battle points always make a better rank. */
  byBattlePoints: boolean;
}

/** Compares which rows there are, every number of every row, and every rank. */
export function compareBoard(found: Recomputed, board: ShownBoard): void {
  const differs = (what: string) => found.differences.push(`${board.name}: ${what}`);
  const gains = gainsOf(board.battles);
  found.boards += 1;
  found.rows += board.rows.length;
  found.rowsWithoutId += board.rows.filter(({ playerId }) => playerId === null).length;
  found.numbers += board.rows.length * numbers.length;
  found.ranks += board.rows.filter(({ rank }) => rank !== null).length;
  compareWho(board, differs);
  compareNumbers(board.rows, gains, differs);
  compareGroups(board.rows, differs);
  if (board.stage === 'standings' && board.participants.some((each) => each.finalPlacement !== null)) {
    comparePlacements(board, differs);
  } else {
    compareRanks(board, gains, differs);
  }
}

type Differs = (what: string) => void;

/** A person as a caller sees it: by id, otherwise by name. Two guests may share a name, and all erased players do. */
function personOf({ player, playerId }: { player: string | null; playerId: string | null }): string {
  return playerId ?? `"${player ?? 'Deleted player'}"`;
}

/**
 * All participants are on the board of the Swiss stage (in their groups, if there are groups) and on the merged one.
 * For other boards, only the battles show who is on them.
 */
function compareWho({ stage, rows, battles, participants }: ShownBoard, differs: Differs): void {
  const hasGroups = stage === 'swiss' && participants.some(({ group }) => group !== null);
  const members = hasGroups ? participants.filter(({ group }) => group !== null) : participants;
  const shown = countBy(rows, (row) => `${personOf(row)} in ${row.group ?? 'no group'}`);
  const expected = countBy(members, (each) => `${personOf(each)} in ${hasGroups ? each.group : 'no group'}`);
  const isEverybody = stage === 'swiss' || stage === 'standings';
  for (const place of new Set([...shown.keys(), ...expected.keys()])) {
    const [is, most] = [shown.get(place) ?? 0, expected.get(place) ?? 0];
    if (is > most || (isEverybody && is < most)) differs(`${place}: ${is} rows, ${most} expected`);
  }
  const played = new Set(battles.flatMap(({ players }) => players.map(personOf)));
  const onTheBoard = new Set(rows.map(personOf));
  for (const person of played) if (!onTheBoard.has(person)) differs(`${person} played and has no row`);
}

function compareNumbers(rows: BoardRow[], gains: Map<string, Gain[]>, differs: Differs): void {
  for (const [person, shown] of Map.groupBy(rows, personOf)) {
    const [row, namesake] = shown;
    const gained = gains.get(person) ?? [];
    // The API does not show which person of the same name played a battle. Some assignment must give the shown rows.
    if (namesake !== undefined) {
      if (!canBeDealt(gained, shown)) differs(`${person}: the rows are not made of the battles`);
      continue;
    }
    for (const name of numbers) {
      const expected = gained.reduce((sum, gain) => add(sum, gain[name]), 0);
      if (row?.[name] !== expected)
        differs(`${person} ${name}: shown ${row?.[name]}, recomputed ${expected}`);
    }
  }
}

/** The rows of a group are contiguous. */
function compareGroups(rows: BoardRow[], differs: Differs): void {
  const heads = rows.filter((row, index) => row.group !== rows[index - 1]?.group).map(({ group }) => group);
  if (new Set(heads).size < heads.length) differs(`groups in pieces: ${heads.join(', ')}`);
}

/** Final placements, if there are any, are the ranks, in order. */
function comparePlacements({ rows, participants }: ShownBoard, differs: Differs): void {
  const shown = countBy(rows, (row) => `${personOf(row)} at ${row.rank}`);
  const settled = countBy(participants, (each) => `${personOf(each)} at ${each.finalPlacement}`);
  for (const place of new Set([...shown.keys(), ...settled.keys()])) {
    if (shown.get(place) !== settled.get(place)) differs(`${place}: rank and final placement differ`);
  }
  compareOrder(rows, differs);
}

/**
 * In each group the ranks are 1 to n, once a battle counts. Rows with the same battle points have exactly the places
 * after the rows with more. Only players who dropped without a battle have no rank.
 */
function compareRanks(board: ShownBoard, gains: Map<string, Gain[]>, differs: Differs): void {
  const absent = new Set(board.participants.filter(({ dropped }) => dropped).map(personOf));
  const played = (row: BoardRow) => row.wins + row.draws + row.losses > 0;
  for (const [group, rows] of Map.groupBy(board.rows, (row) => row.group)) {
    const ranked = rows.filter((row) => row.rank !== null);
    const isTaken = new Set<number | null>();
    for (const row of rows) {
      const what = `${personOf(row)}${group === undefined ? '' : ` in ${group}`}: rank ${row.rank}`;
      if (row.rank === null) {
        if (gains.size > 0 && (played(row) || !absent.has(personOf(row)))) differs(what);
        continue;
      }
      const ahead = ranked.filter((other) => board.byBattlePoints && other.battlePoints > row.battlePoints);
      const behind = ranked.filter((other) => board.byBattlePoints && other.battlePoints < row.battlePoints);
      const [first, last] = [ahead.length + 1, ranked.length - behind.length];
      const isRight = row.rank >= first && row.rank <= last && !isTaken.has(row.rank) && gains.size > 0;
      if (!isRight) differs(`${what}, between ${first} and ${last} expected, and each once`);
      isTaken.add(row.rank);
    }
    compareOrder(rows, differs);
  }
}

/** Best first, those without a rank last. */
function compareOrder(rows: BoardRow[], differs: Differs): void {
  const ranks = rows.map(({ rank }) => rank ?? Infinity);
  const sorted = ranks.toSorted((a, b) => a - b || 0);
  if (ranks.some((rank, index) => rank !== sorted[index])) differs(`ranks in the order ${ranks.join(', ')}`);
}

/** By person. Only finished battles count. */
function gainsOf(battles: Battle[]): Map<string, Gain[]> {
  const gains = battles.flatMap(({ stage, round, players }) => {
    if (players.some(({ outcome }) => outcome === null)) return [];
    return players.map((side, index) => {
      const [scored, conceded] = [side.victoryPoints ?? 0, players[1 - index]?.victoryPoints ?? 0];
      const gain: Gain = {
        round: `${stage} ${round}`,
        battlePoints: side.battlePoints ?? 0,
        wins: side.outcome === 'win' ? 1 : 0,
        draws: side.outcome === 'draw' ? 1 : 0,
        losses: side.outcome === 'loss' ? 1 : 0,
        victoryPoints: scored,
        victoryPointsDiff: add(scored, -conceded),
      };
      return { person: personOf(side), gain };
    });
  });
  const byPerson = Map.groupBy(gains, ({ person }) => person);
  return new Map([...byPerson].map(([person, some]) => [person, some.map(({ gain }) => gain)]));
}

function countBy<T>(items: T[], nameOf: (item: T) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(nameOf(item), (counts.get(nameOf(item)) ?? 0) + 1);
  return counts;
}
