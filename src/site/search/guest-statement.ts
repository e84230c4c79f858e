import { maxOfAKind, searchAmong } from '../../read/search.ts';
import type { Row, Statement } from '../../read/reader.ts';

export interface GuestRow extends Row {
  isCut: boolean | null;
  /** Null if nobody was found. */
  tournament: string | null;
  entry: string;
  rank: string;
  /** Null if the participant has another name now, or if the page has no room for the hit. */
  detail: { name: string; revision: string; document: string } | null;
}

/** Searches the names of guests. The index contains the name, too, so the row itself is not read. */
export const searchOfGuests = searchAmong('guests', 'kind, key, label, sort_key');

/**
 * Finds guests, each in its tournament, under the name that the participant has now, because another
 * publisher may not have removed a row yet.
 */
export const guestsOfSearch: Statement = {
  name: 'site_search_guests',
  text: `
    select names.revision, found."isCut", at.tournament, at.entry, found.rank, (
      select json_build_object('name', found.label, 'revision', event.revision::text, 'document', event.document)
      from published.participant, published.tournament event, lateral (select participant.document::json) now (entry)
      where participant.tournament = at.tournament and participant.sort_key = found.sort_key
        and participant.id = at.entry and event.slug = at.tournament and found.rank <= ${maxOfAKind}
        and now.entry ->> 'playerId' is null and now.entry ->> 'player' = found.label
    ) as detail
    from (select revision from published.list_revision where list = 'search') names
    left join lateral (${searchOfGuests}) found on true
    cross join lateral (select split_part(found.key, '/', 1), split_part(found.key, '/', 2)) at (tournament, entry)`,
};
