import type { TournamentOutline } from '../../../record/facts/facts.ts';
import type { Tournament, TournamentOrganizer } from '../../../contract/tournament.ts';
import type { Unaddressed } from '../fragments/checked-document.ts';
import { alphabetically, shownName } from '../fragments/people.ts';
import { publicStages } from '../brackets/stages.ts';

/** Returns the public tournament. Lists each field explicitly. */
export function tournamentResource(facts: TournamentOutline): Unaddressed<Tournament> {
  return {
    slug: facts.slug,
    name: facts.name,
    status: facts.status,
    startDate: facts.startDate,
    endDate: facts.endDate,
    description: facts.description,
    city: facts.city,
    country: facts.country,
    players: facts.participants.length,
    rounds: facts.stages.reduce((sum, { rounds }) => sum + rounds, 0),
    battleSize: facts.battleSize,
    battlePack: facts.battlePack?.name ?? null,
    organizer: facts.organizer,
    tournamentOrganizers: tournamentOrganizers(facts),
    stages: publicStages(facts),
  };
}

/** Lists each field explicitly. */
function tournamentOrganizers({ tournamentOrganizers: people }: TournamentOutline): TournamentOrganizer[] {
  const known = people.flatMap((person) =>
    person.erased || person.playerId === null ? [] : [{ ...person, playerId: person.playerId }],
  );
  return alphabetically(known, ({ playerId }) => playerId).map((person) => ({
    name: shownName(person),
    playerId: person.playerId,
  }));
}
