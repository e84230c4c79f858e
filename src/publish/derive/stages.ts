// The stages as the public sees them, and which of them is shown when none is asked for.
import type { Stage } from '../../contract/tournament.ts';
import type { StageFacts, TournamentOutline } from '../../record/facts/facts.ts';

/** The merged final table, which exists once the tournament is finished. */
const mergedStage = 'standings';

/** In running order, the merged one last. Every field is written here, by hand. */
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

/** The final standings when finished, else the stage furthest along; null when there are no stages. */
export function defaultStage(facts: TournamentOutline): string | null {
  if (facts.status === 'finished') return mergedStage;
  return furthestAlong(facts)?.id ?? null;
}

/** Of those that have begun the highest phase, and in it the earliest; a knockout comes before what is played beside it. */
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
    // A bracket is drawn up long before anybody is in it.
    if (players.length === 2 || winner !== null) begun.add(stage);
  }
  return begun;
}
