import type { Participant } from '../../contract/participant.ts';
import { type PageRequest, isId, type MadePage } from '../page.ts';
import type { Row, Statement } from '../../read/reader.ts';
import { erasedName } from '../parts/names.ts';
import type { SiteSettings } from '../site-settings.ts';

/** Links from other sites may name a player, or the id of a participant, in the address of a tournament. */
export const whosePageParameters = ['player', 'entry'];

export function asksForSomebody({ player, entry }: PageRequest['query']): boolean {
  return player !== undefined || entry !== undefined;
}

/**
 * Redirects to the page of whoever the address names, otherwise to the tournament. Everybody shares the pages
 * of a tournament, so these mark nobody.
 */
export async function whosePage(
  { hasGuests }: SiteSettings,
  { params: { slug = '' }, query: { player, entry: guest }, read }: PageRequest,
): Promise<MadePage | undefined> {
  if (!isId(player ?? guest)) return undefined;
  const entry = player === undefined && hasGuests ? guest : undefined;
  const [row] = await read<EntryRow>(entryOfAddress, [slug, player ?? null, entry ?? null]);
  if (row === undefined) return undefined;
  const page = `/tournaments/${slug}`;
  return { text: undefined, movedTo: hasPage(row) ? `${page}/players/${row.entry ?? entry}` : page };
}

interface EntryRow extends Row {
  /** The id of the player's participant. */
  entry: string | null;
  /** The document of the participant whom the address names. */
  participant: string | null;
}

/** Returns true if the participant has a page. Erased participants have none. */
function hasPage({ entry, participant }: EntryRow): boolean {
  if (entry !== null) return true;
  if (participant === null) return false;
  const { player, playerId } = JSON.parse(participant) as Participant;
  return playerId !== null || player !== erasedName;
}

/** $2 is the id of a player, $3 that of a participant. Returns no row if there is no such tournament. */
export const entryOfAddress: Statement = {
  name: 'site_entry_of_address',
  text: `
    select tournament.revision, (
        select entry
        from published.player_tournament
        where player = $2 and start_date = tournament.start_date and player_tournament.tournament = $1
      ) as entry, (
        select document
        from published.participant
        where participant.tournament = $1 and id = $3
      ) as participant
    from published.tournament
    where tournament.slug = $1`,
};
