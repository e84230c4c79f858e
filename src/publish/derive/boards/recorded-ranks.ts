// Finds the ranking that the organiser recorded for a board, and the results that it counts.
import { resultsDigest } from '../../../record/facts/results-digest.ts';
import type { StageFacts, TournamentOutline } from '../../../record/facts/facts.ts';

export interface RecordedRanks {
  /** The ranks by participant. A participant who is not in the map has no rank yet. */
  ranks: ReadonlyMap<string, number>;
  /** The last round whose results it counts, or null if it counts all results of the board. */
  asOf: number | null;
}

/** Returns the newest ranking of the stage. */
export function newestRanking(facts: TournamentOutline, stage: StageFacts): RecordedRanks | undefined {
  const [ranking] = rankingsOf(facts, stage).toSorted((a, b) => b.afterRound - a.afterRound);
  if (ranking === undefined) return undefined;
  const { afterRound, results } = ranking;
  const isLater = (each: { stage: string | null; round: number | null }): boolean =>
    each.stage === stage.id && (each.round ?? 0) > afterRound;
  const isOld =
    facts.battles.some((battle) => battle.finished && isLater(battle)) ||
    facts.byes.some(isLater) ||
    resultsDigest(facts, stage, afterRound) !== results;
  return { ranks: ranksIn(ranking), asOf: isOld ? afterRound : null };
}

const rankingsOf = ({ rankings }: TournamentOutline, { id }: StageFacts) =>
  rankings.filter(({ stage }) => stage === id);

/** Returns a map, because a participant may have any id, even `constructor`. */
const ranksIn = ({ ranks }: TournamentOutline['rankings'][0]): ReadonlyMap<string, number> =>
  new Map(Object.entries(ranks));
