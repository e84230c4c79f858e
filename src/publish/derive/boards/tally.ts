// The results of each participant over some of the stages: sums over finished battles, byes and adjustments.
import type { Outcome } from '../../../published/views.ts';
import type { BattleOutline, SideOutline, TournamentOutline } from '../../../record/facts/facts.ts';
import { inHundredths, victoryPointsOf } from './points.ts';

export interface Tally {
  wins: number;
  draws: number;
  losses: number;
  /** These three are in hundredths. */
  battlePoints: number;
  victoryPoints: number;
  victoryPointsDiff: number;
  /** The counted battles, without byes. */
  games: { opponent: string; outcome: Outcome }[];
  /** True once a battle or a bye counts. An adjustment alone is not a result. */
  hasResult: boolean;
}

/** The tallies of every participant with a result in these stages, even if they are not on a board. */
export class Tallies {
  readonly #byParticipant = new Map<string, Tally>();
  /** True once any battle or bye counts. An adjustment alone is not a result. */
  readonly begun: boolean;

  constructor({ battles, byes, adjustments }: TournamentOutline, stages: ReadonlySet<string>) {
    let begun = false;
    for (const battle of battles) {
      if (!battle.finished || battle.stage === null || !stages.has(battle.stage)) continue;
      begun = true;
      this.#count(battle, 0);
      this.#count(battle, 1);
    }
    for (const bye of byes) {
      if (!stages.has(bye.stage)) continue;
      begun = true;
      const tally = this.#mine(bye.participant);
      tally.hasResult = true;
      if (bye.win) tally.wins += 1;
      add(tally, bye);
    }
    for (const adjustment of adjustments) {
      if (stages.has(adjustment.stage)) add(this.#mine(adjustment.participant), adjustment);
    }
    this.begun = begun;
  }

  of(participant: string): Tally {
    return this.#byParticipant.get(participant) ?? emptyTally();
  }

  #count(battle: BattleOutline, index: 0 | 1): void {
    const side = battle.sides[index];
    const other = battle.sides[index === 0 ? 1 : 0];
    if (side.participant === null || other.participant === null) return;
    const tally = this.#mine(side.participant);
    tally.hasResult = true;
    const outcome = outcomeOf(battle.winner, index);
    if (outcome === 'win') tally.wins += 1;
    else if (outcome === 'loss') tally.losses += 1;
    else tally.draws += 1;
    const scored = victoryPoints(side);
    tally.battlePoints += inHundredths(side.battlePoints ?? 0);
    tally.victoryPoints += scored;
    tally.victoryPointsDiff += scored - victoryPoints(other);
    tally.games.push({ opponent: other.participant, outcome });
  }

  #mine(participant: string): Tally {
    let tally = this.#byParticipant.get(participant);
    if (!tally) this.#byParticipant.set(participant, (tally = emptyTally()));
    return tally;
  }
}

/** Returns the outcome that a finished battle has for this side. */
export function outcomeOf(winner: 0 | 1 | null, side: 0 | 1): Outcome {
  if (winner === null) return 'draw';
  return winner === side ? 'win' : 'loss';
}

interface Given {
  battlePoints: number;
  victoryPoints: number;
  victoryPointsDiff: number;
}

function add(tally: Tally, given: Given): void {
  tally.battlePoints += inHundredths(given.battlePoints);
  tally.victoryPoints += inHundredths(given.victoryPoints);
  tally.victoryPointsDiff += inHundredths(given.victoryPointsDiff);
}

function victoryPoints(side: SideOutline): number {
  return inHundredths(victoryPointsOf(side) ?? 0);
}

function emptyTally(): Tally {
  return {
    wins: 0,
    draws: 0,
    losses: 0,
    battlePoints: 0,
    victoryPoints: 0,
    victoryPointsDiff: 0,
    games: [],
    hasResult: false,
  };
}
