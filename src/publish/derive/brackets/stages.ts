// Derives the public stages, and the default stage of the standings.
import type { Stage } from '../../../contract/tournament.ts';
import type { MatchFacts, StageFacts, TournamentOutline } from '../../../record/facts/facts.ts';
import { isKnown } from './bracket.ts';
import { bandOf } from './round-title.ts';
import { filled } from '../fragments/checked-document.ts';
import { compareText } from '../../../text/fold.ts';

/** The merged final table. It exists once the tournament is finished. */
const mergedStage = 'standings';

/** Returns the stages in running order, the merged one last. Lists each field explicitly. */
export function publicStages(facts: TournamentOutline): Stage[] {
  const stages = facts.stages.map((stage) =>
    filled<Stage>()({
      id: stage.id,
      name: stage.label,
      type: stage.type,
      rounds: stage.rounds,
      ...(stage.id === 'knockout' && knownPlayersOf(stage, facts.matches)),
    }),
  );
  if (facts.status === 'finished') {
    stages.push({ id: mergedStage, name: facts.standingsLabel, type: 'board' });
  }
  return stages;
}

/**
 * Returns the number of players, if it is known. If the feed does not list the participants of the stage, its
 * matches show them. Before the first round is known, they would show too few.
 */
export function knownPlayersOf(stage: StageFacts, matches: readonly MatchFacts[]): Pick<Stage, 'players'> {
  if (!stage.everybody && stage.members.length > 0) return { players: stage.members.length };
  const own = matches.filter((match) => match.stage === stage.id);
  const first = own.filter(({ round }) => round === 1);
  if (first.length === 0 || !first.every(isKnown)) return {};
  const players = new Set(own.flatMap((match) => match.players)).size;
  // A bracket with this many rounds has more players, so matches of its first round are still missing from
  // the feed.
  return players <= 2 ** (stage.rounds - 1) ? {} : { players };
}

/**
 * Returns the final standings if the tournament is finished, otherwise the stage that play has reached. Null
 * if there are no stages.
 */
export function defaultStage(facts: TournamentOutline): string | null {
  if (facts.status === 'finished') return mergedStage;
  return furthestAlong(facts)?.id ?? null;
}

/**
 * Returns the stage that play has reached. Among the stages that have begun, the order in which the feed
 * sends them must not matter.
 */
function furthestAlong(facts: TournamentOutline): StageFacts | undefined {
  const begun = begunStages(facts);
  const [furthest] = facts.stages.filter(({ id }) => begun.has(id)).toSorted(furthestFirst);
  return furthest ?? facts.stages[0];
}

/**
 * Sorts the highest phase first. Within a phase, the named stages come first, then the placement brackets by
 * their first placement.
 */
function furthestFirst(a: StageFacts, b: StageFacts): number {
  return b.phase - a.phase || placementInPhase(a) - placementInPhase(b) || compareText(a.id, b.id);
}

function placementInPhase({ id, rounds }: StageFacts): number {
  return bandOf(id, rounds)?.first ?? namedStages.indexOf(id);
}

// Their indexes are lower than 3, which is the lowest first placement of a placement bracket.
const namedStages = ['knockout', 'swiss', 'placement-swiss'];

function begunStages({ battles, byes, matches }: TournamentOutline): Set<string> {
  const begun = new Set<string>();
  for (const { stage } of battles) if (stage !== null) begun.add(stage);
  for (const { stage } of byes) begun.add(stage);
  for (const match of matches) if (isKnown(match)) begun.add(match.stage);
  return begun;
}
