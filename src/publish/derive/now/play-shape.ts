// The JSON that stands beside the standings of a stage, and beside a participant. The publisher writes it, and pages read it.
import type { BoardRow } from '../../../contract/standings.ts';
import type { TieBreak } from '../../../record/facts/tournament-header.ts';
import type { FactionRecord } from '../factions/faction.ts';

export interface Play extends Partial<StageNow> {
  /** The highest round that has begun. 0: none. */
  begun: number;
  /** By round. */
  byes: Bye[];
  /** Only of a board: what decides its order. */
  tieBreaks?: string[];
  /** Only of the merged final table: its places were recorded, not derived. */
  isRecorded?: boolean;
  /** Only of the stage that the standings begin with: over the whole tournament. */
  factions?: FactionRecord[];
  /** Only of a board that is played: the rows of those who have dropped, counted from 0. */
  dropped?: number[];
  /** Only of a bracket: in the order of the answer, `playerIds` and `seeds` in the order of its `players`. */
  matches?: {
    round: number;
    position: number;
    /** Round and position of the match that the winner goes on to. Null: the last one, or not known. */
    next: [number, number] | null;
    playerIds: (string | null)[];
    /** Absent when the stage has no seeds. */
    seeds?: (number | null)[];
  }[];
}

/**
 * Beside the rows of a board and the matches of a bracket, in a column of its own: to read it with every look at "now" would
 * take five times as long.
 */
export interface StageDetails {
  /** By row: what put it below the row above. Null: nothing that a row shows. */
  decidedBy?: (Decider | null)[];
  /** By row, if the tie-breaks name them: the battle points of the opponents, as a mean. */
  opponents?: number[];
  /** The rows of those who have no result yet, counted from 0, each with the table. */
  playing?: [row: number, table: number | null][];
  entries?: StageEntries;
}

/** The ids of guests in their tournament. Null: no guest. A list is empty where the stage has nothing of the kind. */
export interface StageEntries {
  /** By row of a board. */
  rows: (string | null)[];
  /** By bye, in the order of `Play.byes`. */
  byes: (string | null)[];
  /** By match of a bracket, `players` in the order of its `players`. */
  matches: { players: (string | null)[]; winner: string | null }[];
}

/** A tie-break, or what decides after the last one. */
export type Decider = TieBreak | 'earlierRank' | 'lot';

export interface Bye {
  round: number;
  player: string;
  playerId: string | null;
  /** Only of a stage with groups: each is in a round of its own. */
  group?: string;
}

/** Of a stage of a tournament that is being played. */
export interface StageNow {
  /** One, or one for each group. Empty: nothing of this stage is played now. */
  now: CurrentRound[];
  /** Over all groups: the rounds between those that groups are in. */
  total: Total;
  /** How many results the stage has, of all rounds. */
  results: number;
  /** Battles without a result that the play has gone past. */
  missing: string[];
  /** The first of a board, or of each of its groups. Of a knockout the two in the final, once they are known. */
  leaders?: Leader[];
}

export interface Leader {
  /** Null: erased. */
  player: string | null;
  playerId: string | null;
  /** The id of a guest. */
  entry?: string | null;
  faction?: string | null;
  group?: string;
  wins?: number;
  draws?: number;
  losses?: number;
}

export interface Total {
  results: number;
  /** How many results there will be. Null: more games may come, and we do not know how many. */
  expected: number | null;
}

/** The round that a stage, or one of its groups, is in. */
export interface CurrentRound extends Total {
  group?: string;
  round: number;
  /** Only of a bracket: what its matches are called. */
  names?: string[];
  /** Only of a board: what all its games play. Absent when they play different ones. */
  scenario?: string;
  /** How many are told. */
  games: number;
  /** All games are told, and all have a result. */
  isOver: boolean;
  /**
   * The battles of this round that have a result. Of a bracket also those of other rounds that sent nobody on. By table, so
   * that a page can read the first ones alone.
   */
  done: string[];
  /** Battles whose result can still come: of a board those of this round, then of earlier ones, of a bracket all. */
  open?: string[];
}

/** Of a finished tournament: what a page shows of a participant's row of the final standings. Empty before the end. */
export type Result = Partial<Pick<BoardRow, 'rank' | 'faction' | 'wins' | 'draws' | 'losses'>>;
