// The public stages, and the default stage of the standings.
import type { Stage } from '../../../contract/tournament.ts';
import type { MatchFacts, StageFacts, TournamentOutline } from '../../../record/facts/facts.ts';
import { isKnown } from './bracket.ts';
import { bandOf } from './round-title.ts';
import { filled } from '../fragments/checked-document.ts';
import { compareText } from '../../../text/fold.ts';

/** The merged final table. It exists once the tournament is finished. */
const mergedStage = 'standings';

/** In running order, the merged one last. Lists each field explicitly. */
export function publicStages(facts: TournamentOutline): Stage[] {
  const stages = facts.stages.map((stage) =>
    filled<Stage>()({
      id: stage.id,
      name: stage.label,
      type: stage.type,
      rounds: stage.rounds,
      ...(stage.id === 'knockout' && playersOf(stage, facts.matches)),
    }),
  );
  if (facts.status === 'finished') {
    stages.push({ id: mergedStage, name: facts.standingsLabel, type: 'board' });
  }
  return stages;
}

/** Without listed members, the matches tell the players. Before the first round is known, they would tell too few. */
function playersOf(stage: StageFacts, matches: readonly MatchFacts[]): Pick<Stage, 'players'> {
  if (!stage.everybody && stage.members.length > 0) return { players: stage.members.length };
  const own = matches.filter((match) => match.stage === stage.id);
  const first = own.filter(({ round }) => round === 1);
  if (first.length === 0 || !first.every(isKnown)) return {};
  const players = new Set(own.flatMap((match) => match.players)).size;
  // A bracket of so many rounds has more: matches of its first round are not told yet.
  return players <= 2 ** (stage.rounds - 1) ? {} : { players };
}

/** The final standings when finished, otherwise the stage that play has reached. Null when there are no stages. */
export function defaultStage(facts: TournamentOutline): string | null {
  if (facts.status === 'finished') return mergedStage;
  return furthestAlong(facts)?.id ?? null;
}

/** Among the stages that have begun, the order in which the feed tells them must not matter. */
function furthestAlong(facts: TournamentOutline): StageFacts | undefined {
  const begun = begunStages(facts);
  const [furthest] = facts.stages.filter(({ id }) => begun.has(id)).toSorted(furthestFirst);
  return furthest ?? facts.stages[0];
}

/** The highest phase first. In a phase: the named stages, then the placement brackets by their first place. */
function furthestFirst(a: StageFacts, b: StageFacts): number {
  return b.phase - a.phase || placeInPhase(a) - placeInPhase(b) || compareText(a.id, b.id);
}

function placeInPhase({ id, rounds }: StageFacts): number {
  return bandOf(id, rounds)?.first ?? namedStages.indexOf(id);
}

// Their indexes are lower than 3, which is the lowest first place of a placement bracket.
const namedStages = ['knockout', 'swiss', 'placement-swiss'];

function begunStages({ battles, byes, matches }: TournamentOutline): Set<string> {
  const begun = new Set<string>();
  for (const { stage } of battles) if (stage !== null) begun.add(stage);
  for (const { stage } of byes) begun.add(stage);
  for (const match of matches) if (isKnown(match)) begun.add(match.stage);
  return begun;
}
