// The public stages, and the default stage of the standings.
import type { Stage } from '../../contract/tournament.ts';
import type { StageFacts, TournamentOutline } from '../../record/facts/facts.ts';

/** The merged final table. It exists once the tournament is finished. */
const mergedStage = 'standings';

/** In running order, the merged one last. Lists each field explicitly. */
export function publicStages(facts: TournamentOutline): Stage[] {
  const stages: Stage[] = facts.stages.map((stage) => ({
    id: stage.id,
    name: stage.label,
    type: stage.type,
    rounds: stage.rounds,
    ...(stage.id === 'knockout' && { players: stage.members.length }),
  }));
  if (facts.status === 'finished') {
    stages.push({ id: mergedStage, name: facts.standingsLabel, type: 'board' });
  }
  return stages;
}

/** The final standings when finished, otherwise the stage that play has reached. Null when there are no stages. */
export function defaultStage(facts: TournamentOutline): string | null {
  if (facts.status === 'finished') return mergedStage;
  return furthestAlong(facts)?.id ?? null;
}

/** Among the stages that have begun: the highest phase, and in it the first in running order. */
function furthestAlong(facts: TournamentOutline): StageFacts | undefined {
  const begun = begunStages(facts);
  let furthest: StageFacts | undefined;
  for (const stage of facts.stages) {
    if (begun.has(stage.id) && (!furthest || stage.phase > furthest.phase)) furthest = stage;
  }
  return furthest ?? facts.stages[0];
}

function begunStages({ battles, byes, matches }: TournamentOutline): Set<string> {
  const begun = new Set<string>();
  for (const { stage } of battles) if (stage !== null) begun.add(stage);
  for (const { stage } of byes) begun.add(stage);
  for (const { stage, players, winner } of matches) {
    // A bracket is drawn up long before its players are known.
    if (players.length === 2 || winner !== null) begun.add(stage);
  }
  return begun;
}
