import { maxOfAKind, searchIn } from '../../read/search.ts';
import type { Row, Statement } from '../../read/reader.ts';

export interface GuestRow extends Row {
  isCut: boolean | null;
  /** Null: nobody was found. */
  tournament: string | null;
  entry: string;
  place: string;
  /** Null: the participant has another name now. */
  detail: { name: string; revision: string; document: string } | null;
}

/** The name is in the index beside the key, so the row itself is not read. */
export const searchOfGuests = searchIn('published.guest_search', 'tournament, entry, label, sort_key');

/** Guests, each in its event, under the name that the participant has now: another publisher may not have removed a row. */
export const guestsOfSearch: Statement = {
  name: 'site_search_guests',
  text: `
    select names.revision, found."isCut", found.tournament, found.entry, found.place, (
      select json_build_object('name', found.label, 'revision', event.revision::text, 'document', event.document)
      from published.participant, published.tournament event, lateral (select participant.document::json) now (entry)
      where participant.tournament = found.tournament and participant.sort_key = found.sort_key
        and participant.id = found.entry and event.slug = found.tournament and found.place <= ${maxOfAKind}
        and now.entry ->> 'playerId' is null and now.entry ->> 'player' = found.label
    ) as detail
    from (select revision from published.search_revision limit 1) names
    left join lateral (${searchOfGuests}) found on true`,
};
