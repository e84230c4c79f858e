import type { BattleOutline, ParticipantFacts, Person, SideOutline } from '../../../record/facts/facts.ts';
import { victoryPointsOf } from '../boards/points.ts';
import { outcomeOf } from '../boards/tally.ts';
import { shownEntry, shownName, shownPlayerId } from '../fragments/people.ts';
import { factionOf } from '../factions/faction.ts';
import type { BattleView, ParticipantView, SideView } from '../../../published/views.ts';

export type People = ReadonlyMap<string, ParticipantFacts>;

/** Returns the view of a tournament battle. */
export function battleView(battle: BattleOutline, people: People): BattleView {
  return {
    battle: battle.id,
    stage: battle.stage ?? '',
    round: battle.round ?? 0,
    table: battle.table,
    scenario: battle.scenario,
    state: battle.finished ? 'over' : 'open',
    sides: [sideView(battle, 0, people), sideView(battle, 1, people)],
  };
}

function sideView(battle: BattleOutline, index: 0 | 1, people: People): SideView {
  const side = battle.sides[index];
  const person = people.get(side.participant ?? '');
  const view: SideView = participantView(person, side.participant);
  const victoryPoints = victoryPointsOf(side);
  view.faction = factionOf(side, person);
  if (victoryPoints !== null) view.victoryPoints = victoryPoints;
  if (battle.finished) view.outcome = outcomeOf(battle.winner, index);
  return view;
}

export function playedIn(
  side: SideOutline,
  person: ParticipantFacts | undefined,
): Pick<SideView, 'faction' | 'victoryPoints'> {
  const victoryPoints = victoryPointsOf(side);
  return { faction: factionOf(side, person), ...(victoryPoints !== null && { victoryPoints }) };
}

export function participantView(person: Person | undefined, id: string | null): ParticipantView {
  if (person === undefined || id === null) throw new Error(`a battle names an unknown participant: ${id}`);
  const entry = shownEntry(person, id);
  return {
    player: shownName(person),
    playerId: shownPlayerId(person),
    ...(entry !== null && { entry }),
  };
}
