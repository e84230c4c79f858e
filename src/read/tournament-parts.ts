import { lastDays } from './last-days.ts';

// Parts of the statements about one tournament, for pages and the API. $1 is its slug.

/** Completes a stored document, which lacks the end of its address. */
export const whole = (document: string) => `(${document} || '"}')::json`;

/** The columns that every page of a tournament shows in its header. */
export const header = `
  tournament.document, tournament.default_stage, tournament.leader, tournament.view as tournament, ${lastDays} as "lastDays",
  club.document as club`;

/**
 * Aggregates battles for `battlesIn`: one line for each, with the table, the ids of guests and the document.
 * None of these contains a tab.
 */
export const battleLines = (order: string) =>
  `string_agg(concat_ws(e'\\t', coalesce(battle.table_number::text, ''), coalesce(battle.first_entry, ''),
    coalesce(battle.second_entry, ''), battle.document), e'\\n' order by ${order})`;

/** The current pairings, stage by stage, as JSON texts. */
export const pairings = `
  array(
    select played.pairings
    from published.standings played
    where played.tournament = $1 and played.pairings is not null
    order by array_position(tournament.stages, played.stage)
  ) as pairings`;

/** The sign-ups for a planned tournament, by name, as pairs of an id and a document. */
export const signUps = 'json_agg(json_build_array(id, document) order by sort_key, id)';

interface ParticipantsPart {
  /** The SQL expression to select for each participant. The default is the whole document. */
  read?: string;
  where?: string;
  order?: string;
}

/**
 * Reads the keys first: by name they come from the index alone, by placement from the rows without their
 * documents. Then each document is read once; `offset 0` keeps PostgreSQL from fetching it again for every
 * use.
 */
export const participants = (
  limit: string,
  offset: string,
  { read = 'participant.document::json', where = '', order = 'sort_key, id' }: ParticipantsPart = {},
) => `
  select key.*, (
    select ${read}
    from published.participant
    where participant.tournament = $1 and participant.sort_key = key.sort_key and participant.id = key.id
  ) as document
  from (
    select ${order}
    from published.participant
    where participant.tournament = $1
      ${where}
    order by ${order}
    limit ${limit} offset ${offset}
  ) key
  offset 0`;

export const partOfTournament = (page: string) => `
  select tournament.revision, tournament.organizer, club.revision as club_revision, page.*
  from published.tournament
  left join published.club on club.slug = tournament.organizer
  left join lateral (${page}) page on true
  where tournament.slug = $1`;

/**
 * A condition that selects nothing if the browser holds the page, so that no document is read. The parameter
 * contains the held revisions of the tournament and of its club. The condition must be inside the lateral
 * join, because outside it comes too late.
 */
export const unlessHeld = (parameter: string) =>
  `where concat(tournament.revision, '.', coalesce(club.revision, 0)) <> all (${parameter}::text[])`;
