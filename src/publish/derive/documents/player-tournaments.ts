// The tournaments of a player, for page and API: where a registered player takes part, and what they help to run.
import type { TournamentOutline } from '../../../record/facts/facts.ts';
import { type Outcome, Tallies } from '../boards/tally.ts';
import { shownPlayerId } from './people.ts';

export interface PlayerTournament {
  player: string;
  plays: boolean;
  organizes: boolean;
  place: number | null;
  faction: string | null;
  /** The club that the player represents there. */
  club: string | null;
  /** Finished battles, archived ones too. A bye is none. */
  won: number;
  drawn: number;
  lost: number;
}

/**
 * One for each player who is neither a guest nor erased. With `only`, just these players. `factions` and `ranks` are by
 * participant, as boards and participants show them.
 */
export function playerTournaments(
  facts: TournamentOutline,
  factions: ReadonlyMap<string, string>,
  ranks: ReadonlyMap<string, number | null>,
  only?: ReadonlySet<string>,
): PlayerTournament[] {
  const found = new Map<string, PlayerTournament>();
  const tallies = new Tallies(facts, new Set(facts.stages.map(({ id }) => id)));
  for (const participant of facts.participants) {
    const player = shownPlayerId(participant);
    if (player === null || only?.has(player) === false) continue;
    const { id, club } = participant;
    const [place, faction] = [ranks.get(id) ?? null, factions.get(id) ?? null];
    const { games } = tallies.of(id);
    const count = (wanted: Outcome) => games.filter(({ outcome }) => outcome === wanted).length;
    const record = { won: count('win'), drawn: count('draw'), lost: count('loss') };
    found.set(player, { player, plays: true, organizes: false, place, faction, club, ...record });
  }
  for (const person of facts.tournamentOrganizers) {
    const player = shownPlayerId(person);
    if (player === null || only?.has(player) === false) continue;
    const playing = found.get(player);
    if (playing) playing.organizes = true;
    else found.set(player, { player, ...onlyOrganizes });
  }
  return [...found.values()];
}

const onlyOrganizes = {
  plays: false,
  organizes: true,
  place: null,
  faction: null,
  club: null,
  won: 0,
  drawn: 0,
  lost: 0,
};
