// Defines what pages show of a tournament, before it is put into a language. The publisher derives it from
// the facts, and tells people apart by their ids. It is stored as JSON beside the documents, and the site
// draws it.
import type { BoardRow, BoardStandings } from '../contract/standings.ts';
import type { TieBreak } from '../record/feed/tournament-records.ts';
import { type Columns, columnsOf, rowAt, rowsOf, withColumns } from './columns.ts';

/** The content for the head of every page of a tournament, and for "Now". */
export interface TournamentView {
  /** The participant who alone has rank 1 in the merged standings. */
  champion?: Leader;
  /** The final of the knockout that the champion won, once the tournament is finished. */
  final?: MatchView;
  hasFactions: boolean;
  /** The stages in the order in which they are shown. */
  stages: StageView[];
  /** The stages that are being played, in their order. Absent if the tournament is not ongoing. */
  now?: NowView[];
  /** The results that arrived last, the newest first. Empty when no time of arrival is known. */
  latest: LatestResult[];
}

/** The progress of a stage. */
export interface StageView {
  id: string;
  /** Absent if an organiser wrote the name. */
  kind?: StageKind;
  /** The highest round that has begun, or 0 before the first. */
  begun: number;
  /** The byes, sorted by round. */
  byes: Bye[];
  /**
   * The leaders of a board, or of each of its groups, after the last complete round. Absent for a bracket and
   * before the first complete round.
   */
  complete?: CompleteRound[];
}

interface CompleteRound {
  group?: string;
  round: number;
  /** The rounds for which the rows have ranks, in their order. Feeds may skip numbers. */
  rounds: number[];
  /** Empty if several share rank 1. */
  leaders: Leader[];
}

/** A name that our own code gives to a stage, so that each language has words for it. */
export type StageKind =
  | { named: 'Final Standings' | 'Group Stage' | 'Swiss Stage' | 'Placement Swiss' }
  | { top: number }
  | { first: number; last?: number };

/** The title of the matches of a round. */
export interface RoundTitle {
  name: string;
  /** Absent if an organiser wrote the name. */
  kind?: RoundKind;
}

/**
 * `field` is the number of players who are still in the knockout, so 2 is the final. `place` is the placement
 * that a match decides.
 */
export type RoundKind = { field: number; first?: number; last?: number } | { place: number };

/** A participant as pages show them. */
export interface ParticipantView {
  player: string;
  playerId: string | null;
  /** The participant's id. Absent if they are erased. */
  entry?: string;
}

export interface Leader extends Omit<ParticipantView, 'player'> {
  /** Null if they are erased. */
  player: string | null;
  faction?: string | null;
  group?: string;
  wins?: number;
  draws?: number;
  losses?: number;
}

/** The winner, or the leader after a round, for lists. */
export interface ListedLeader extends Pick<BoardRow, 'player' | 'faction'> {
  /** The round after which they led. Absent if they won. */
  round?: number;
}

export interface Bye extends ParticipantView {
  round: number;
  /** Present if the stage has groups, because each of them is in a round of its own. */
  group?: string;
}

export interface LatestResult extends BattleView {
  /** The time in ISO 8601, in UTC. */
  arrived: string;
}

/** A stage that is being played. */
export interface NowView extends Playing {
  stage: string;
  /** The participants in the final of a knockout. */
  finalists: Leader[];
  /** The scenario that all battles of the round play. */
  scenario?: string;
  /**
   * The first battles by table, taken from each group in turn. A bracket is small, so it has all of its
   * matches.
   */
  open: (BattleView | MatchView)[];
  done: (BattleView | MatchView)[];
  /** The total numbers. A match that waits for a player does not count. */
  counts: { open: number; done: number };
  /**
   * A digit for each table of the round, in the order of their numbers: `1` has a result. Empty if there are
   * too many to draw.
   */
  tables: string;
  /** The first battles without a result that the play has gone past. */
  firstMissing: Pick<BattleView, 'battle' | 'round' | 'table'>[];
}

interface Playing {
  /** One round, or one for each group. Never empty. */
  now: RoundNow[];
  /** Counts the results of all groups, of each in the round that it is in. */
  total: Total;
  /** The number of results in all rounds of the stage. */
  results: number;
  /** The battles without a result that the play has gone past. */
  missing: string[];
}

export interface Total {
  results: number;
  /** The number of results that there will be, or null while an unknown number of battles may still come. */
  expected: number | null;
}

/** The round that a stage, or one of its groups, is in. */
export interface RoundNow extends Total {
  group?: string;
  round: number;
  /** The titles of the matches. Absent for a board. */
  titles?: RoundTitle[];
  /** The number of games that are known. */
  games: number;
  /** True once all battles are known and have a result. */
  isOver: boolean;
}

/**
 * Everything that is being played in a stage, one round for each group. A large tournament has 500 tables, so
 * few pages read this.
 */
export type Pairings = (RoundOf & { open: PairingView[]; done: PairingView[] })[];
export type PairingView = Pick<BattleView, 'battle' | 'round' | 'table' | 'state' | 'sides'>;

type StoredPairings = (RoundOf & { open: StoredTables; done: StoredTables })[];
type RoundOf = RoundNow & { stage: string };

interface StoredTables {
  tables: Columns<Pick<PairingView, 'battle' | 'round' | 'table'>>;
  first: Columns<SeatView>;
  second: Columns<SeatView>;
}

export function storedPairings(pairings: Pairings): string {
  const stored = (some: readonly PairingView[]): StoredTables => ({
    tables: columnsOf(some.map(({ battle, round, table }) => ({ battle, round, table }))),
    first: columnsOf(some.map(({ sides }) => sides[0])),
    second: columnsOf(some.map(({ sides }) => sides[1])),
  });
  const rounds = pairings.map(({ open, done, ...round }) => ({
    ...round,
    open: stored(open),
    done: stored(done),
  }));
  return JSON.stringify(rounds satisfies StoredPairings);
}

export function pairingsOf(stored: string): Pairings {
  const shown = ({ tables, first, second }: StoredTables, state: 'open' | 'over'): PairingView[] => {
    const seconds = rowsOf(second);
    const tableOf = rowsOf(tables);
    return rowsOf(first).flatMap((seat, at) => {
      const [table, other] = [tableOf[at], seconds[at]];
      return table && other ? [{ ...table, state, sides: [seat, other] }] : [];
    });
  };
  return (JSON.parse(stored) as StoredPairings).map(({ open, done, ...round }) => ({
    ...round,
    open: shown(open, 'open'),
    done: shown(done, 'over'),
  }));
}

export type StandingsView = BoardView | BracketView;
/**
 * The part of a view that is stored beside the standings of a stage. The rows of a board lack what the API's
 * answer has, and are in the same order.
 */
export type PageOnlyStandings = (Omit<BoardView, 'rows'> & { rows: PageOnlyRow[] }) | BracketView;
/**
 * A view as it is stored. `deciders` replaces the `decidedBy` of the rows with one character for each row: a
 * letter from `letters`, or a dash for null.
 */
type StoredStandings =
  | (Omit<BoardView, 'rows'> & { rows: Columns<PageOnlyRow>; deciders?: string })
  | BracketView;

export function storedStandings(view: PageOnlyStandings): string {
  if (view.type === 'bracket') return JSON.stringify(view satisfies StoredStandings);
  const { decidedBy, ...columns } = columnsOf(view.rows).columns;
  const letterOf = ({ decidedBy: decider }: PageOnlyRow) => (decider ? letters[decider] : '-');
  const stored: StoredStandings = {
    ...view,
    rows: { count: view.rows.length, columns },
    ...(decidedBy && { deciders: view.rows.map(letterOf).join('') }),
  };
  return JSON.stringify(stored);
}

/** Joins the answer of the API with what is stored beside it. */
export function standingsView(answer: string, stored: string): StandingsView {
  const view = JSON.parse(stored) as StoredStandings;
  if (view.type === 'bracket') return view;
  const { data } = JSON.parse(answer) as BoardStandings;
  const { deciders, ...board } = view;
  const rows: RowView[] = withColumns(data, view.rows);
  for (const [at, letter] of (deciders ?? '').split('').entries()) {
    const row = rows[at];
    if (row) row.decidedBy = deciderOf.get(letter) ?? null;
  }
  return { ...board, rows };
}

/** Returns what pages show of one row of a board, without making the other rows. */
export function pageOnlyRow(stored: string, at: number): PageOnlyRow {
  const view = JSON.parse(stored) as StoredStandings;
  return view.type === 'bracket' ? {} : rowAt(view.rows, at);
}

const letters: Record<Decider, string> = {
  battlePoints: 'b',
  wins: 'w',
  victoryPoints: 'v',
  victoryPointsDiff: 'd',
  opponentsBattlePoints: 'B',
  opponentsWins: 'W',
  opponentsWinRate: 'R',
  headToHead: 'h',
  earlierRank: 'e',
  lot: 'l',
};
const deciderOf = new Map(Object.entries(letters).map(([decider, letter]) => [letter, decider as Decider]));

interface AnyStandings {
  /** The records of the whole tournament. Only the stage that is shown first has them. */
  factions?: FactionRecord[];
}

export interface BoardView extends AnyStandings {
  type: 'board';
  tieBreaks: readonly string[];
  /**
   * True if the ranks were recorded, not derived: as placements for the merged final table, as a ranking for
   * any other board.
   */
  isRecorded?: true;
  /**
   * The round that `moved` of the rows compares with. Absent if nobody has moved, or groups compare with
   * different rounds.
   */
  movedSince?: number;
  /** The round that the recorded ranking is from. Absent if the ranking counts all results of the board. */
  rankingAsOf?: number;
  /**
   * True if the merged final table follows the recorded ranking of `swiss`. Absent if it has recorded
   * placements.
   */
  isSwissRecorded?: true;
  rows: RowView[];
}

export interface RowView extends BoardRow, PageOnlyRow {}

/** Means over the opponents. Each is present if the tie-breaks name it. */
export interface StrengthOfOpponents {
  /** The mean of their battle points. */
  opponents?: number;
  /** The mean of their wins. */
  opponentsWins?: number;
  /** The mean of their win rates, in per cent. */
  opponentsWinRate?: number;
}

/** The part of a row that pages show in addition to the API's answer. It is stored beside that answer. */
export interface PageOnlyRow extends StrengthOfOpponents {
  /** The participant's id. Absent if they are erased. */
  entry?: string;
  /**
   * The criterion that put the row below the one above. Null if nothing that the row shows did. Absent if the
   * board explains no row.
   */
  decidedBy?: Decider | null;
  /**
   * A letter for each round that has begun, in order: won, drawn, lost, bye, or `-` for none of these. Absent
   * before anybody has a result.
   */
  path?: string;
  /**
   * The rank after each complete round, or null before the first result. Absent before the first complete
   * round, and in the merged final table.
   */
  ranks?: (number | null)[];
  /**
   * True if the rank rests on nothing: no result, no bye, no match and no recorded rank. Pages don't show
   * such a rank, because only the lot decided it.
   */
  isUnplaced?: true;
  /**
   * The number of ranks up or down. While a round is being played, only participants who have a result in it
   * are compared.
   */
  moved?: number;
  adjustments?: AdjustmentView[];
  isThrough?: true;
  isDropped?: true;
  isNoShow?: true;
  /** The game that has no result yet. */
  playing?: PlayingView;
}

export interface PlayingView {
  table: number | null;
  /** The index of the opponent's row, counted from 0. Absent if the opponent is on another board. */
  opponent?: number;
}

/** Points that an organiser gave or took away. */
export interface AdjustmentView {
  battlePoints?: number;
  victoryPoints?: number;
  victoryPointsDiff?: number;
  reason?: string;
}

/** A tie-break, or what decides after the last one. */
export type Decider = TieBreak | 'earlierRank' | 'lot';

export interface BracketView extends AnyStandings {
  type: 'bracket';
  /** The round that a phone shows first. */
  round: number;
  hasBattles: boolean;
  /** The matches in the order of the page. The first is number 1. */
  matches: MatchView[];
  /**
   * In a tree, each round has twice as many positions as the next one, so that lines can connect the matches.
   */
  trees: BracketRound[][];
  /** Matches drawn without lines: the one for third place, and those whose connections are not known. */
  apart: BracketRound[];
}

export interface BracketRound {
  round: number;
  /** Absent if its matches have several titles. */
  title?: RoundTitle;
  /** Numbers of matches. In a tree, null stands for a position without a match. */
  matches: (number | null)[];
}

/** Two sides at a table. */
export interface BattleView {
  battle: string | null;
  stage: string;
  round: number;
  table: number | null;
  scenario?: string | null;
  /**
   * `wait` means that a side is not known yet, and `missing` that the play has gone past the battle without a
   * result.
   */
  state: 'over' | 'open' | 'wait' | 'missing';
  sides: [SeatView, SeatView];
}

export interface MatchView extends BattleView {
  number: number;
  title: RoundTitle;
  /** The match that the winner goes on to, in the same tree. */
  next?: number;
  /** True if no winner comes to it from another match. */
  isFirst: boolean;
  /** True if the match has a winner and no battle, although other matches have battles. */
  isWalkover?: true;
  /**
   * The side of its battle that won the match. The sides here are in the order of the matches that they come
   * from.
   */
  battleWinner?: 0 | 1;
  /** Says why a battle that was drawn, or even on victory points, has a winner. */
  drawn?: DrawnWin;
  /** True if the other side won the battle, for example because of a disqualification after it. */
  isOverruled?: true;
  /** The number of the match whose winner the only known player waits for. */
  waitsFor?: number;
}

export interface DrawnWin {
  /** True if the battle itself has no winner. */
  isDraw: boolean;
  /** True if the battle points decided. */
  isByPoints: boolean;
  /** The battle points of the winner, then of the loser. */
  points: readonly [number, number];
}

export type SeatView = SideView | { from: 'bye' | 'unknown' } | { from: 'winner' | 'loser'; of: number };

export interface SideView extends ParticipantView {
  seed?: number;
  faction?: string | null;
  outcome?: Outcome;
  victoryPoints?: number;
  /** Present only in a match of a bracket. */
  battlePoints?: number;
}

export type Outcome = 'win' | 'loss' | 'draw';

/** The number of players who brought a faction, and what it won, drew and lost against others. */
export interface FactionRecord {
  faction: string;
  players: number;
  wins: number;
  draws: number;
  losses: number;
}

/**
 * The part of a participant's row in the final standings that a page shows. Absent until the tournament is
 * finished. The rank is null if pages show none.
 */
export type Result = Partial<Pick<BoardRow, 'rank' | 'faction' | 'wins' | 'draws' | 'losses'>> & {
  /** Present at any time. */
  isNoShow?: true;
};
