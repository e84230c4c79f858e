import type { Participant } from '../../contract/participant.ts';
import type { Identity } from '../parts/guests.ts';
import { participantShown } from '../parts/names.ts';
import type { SiteSettings } from '../site-settings.ts';
import type { ShownRow } from './board.ts';
import type { StandingsRow } from './statements.ts';

/** Somebody who signed up for a planned tournament. */
export interface SignUp extends Identity {
  player: string;
  faction: string | null;
  hasList: boolean;
}

/**
 * Returns the sign-ups. A participant's document has a faction only in its army list, whereas the board has
 * it even without a list.
 */
export function signUpsOf(
  site: SiteSettings,
  slug: string,
  people: NonNullable<StandingsRow['signUps']>,
  rows: readonly ShownRow[],
): SignUp[] {
  const factions = new Map(rows.map(({ entry, faction }) => [entry, faction]));
  return people.map(([entry, document]) => {
    const { player, playerId, list } = JSON.parse(document) as Participant;
    const faction = list?.faction ?? factions.get(entry) ?? null;
    return participantShown(site, slug, { player, playerId, entry, faction, hasList: list !== null });
  });
}
