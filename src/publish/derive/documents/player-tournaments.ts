// The tournaments on a player's page: where a registered player takes part, and what they help to run.
import type { TournamentOutline } from '../../../record/facts/facts.ts';
import { shownPlayerId } from './people.ts';

export interface PlayerTournament {
  player: string;
  plays: boolean;
  organizes: boolean;
  place: number | null;
  faction: string | null;
  /** The club that the player represents there. */
  club: string | null;
}

/**
 * One for each player who is neither a guest nor erased. With `only`, just these players. `factions` and `ranks` are by
 * participant, as boards and participants show them.
 */
export function playerTournaments(
  { participants, tournamentOrganizers }: TournamentOutline,
  factions: ReadonlyMap<string, string>,
  ranks: ReadonlyMap<string, number | null>,
  only?: ReadonlySet<string>,
): PlayerTournament[] {
  const found = new Map<string, PlayerTournament>();
  for (const participant of participants) {
    const player = shownPlayerId(participant);
    if (player === null || only?.has(player) === false) continue;
    const { id, club } = participant;
    const [place, faction] = [ranks.get(id) ?? null, factions.get(id) ?? null];
    found.set(player, { player, plays: true, organizes: false, place, faction, club });
  }
  for (const person of tournamentOrganizers) {
    const player = shownPlayerId(person);
    if (player === null || only?.has(player) === false) continue;
    const playing = found.get(player);
    if (playing) playing.organizes = true;
    else found.set(player, { player, plays: false, organizes: true, place: null, faction: null, club: null });
  }
  return [...found.values()];
}
