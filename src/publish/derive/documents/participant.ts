import type { ArmyList } from '../../../contract/army-list.ts';
import type { Participant } from '../../../contract/participant.ts';
import type { ListFacts, ParticipantFacts } from '../../../record/facts/facts.ts';
import { shownName, shownPlayerId } from '../fragments/people.ts';

/** Returns the public participant. Lists each field explicitly. */
export function participantResource(
  participant: ParticipantFacts,
  hasGroups: boolean,
  finalPlacement: number | null,
): Participant {
  return {
    player: shownName(participant),
    playerId: shownPlayerId(participant),
    club: participant.club,
    group: hasGroups ? participant.group : null,
    dropped: participant.dropped || participant.noShow,
    finalPlacement,
    list: participant.list && armyListDocument(participant.list),
  };
}

/** Returns the public list, or null if only the sub-faction is known. Lists each field explicitly. */
export function armyListDocument(list: ListFacts): ArmyList | null {
  if (!('text' in list)) return null;
  return {
    faction: list.faction,
    subFaction: list.subFaction,
    points: list.points,
    battleTacticCards: list.battleTacticCards,
    text: list.text,
  };
}
