import { lastDays } from './last-days.ts';

// Parts of the statements about one tournament, for pages and the API. $1 is its slug.

/** A stored document lacks the end of its address. */
export const whole = (document: string) =>
  `(case when right(${document}, 1) = '}' then ${document} else ${document} || '"}' end)::json`;

export const isBracket = (stage: string) => `(${stage} = 'knockout' or ${stage} ~ '^placement-[0-9]')`;

export const playing = `
  (
    select json_agg(json_build_object('stage', played.stage, 'now', played.play::json -> 'now',
      'total', played.play::json -> 'total', 'results', played.play::json -> 'results', 'leaders', played.play::json -> 'leaders',
      'missing', json_array_length(played.play::json -> 'missing')
    ) order by array_position(tournament.stages, played.stage))
    from published.standings played
    where played.tournament = $1 and tournament.status = 'ongoing' and played.play::json -> 'now' is not null
  ) as playing`;

export const header = `
  tournament.document, tournament.default_stage, tournament.leader, ${lastDays} as "lastDays", ${whole('club.document')} ->> 'name' as club_name, ${playing},
  (
    select json_array_length(first.play::json -> 'factions') > 0
    from published.standings first
    where first.tournament = $1 and first.stage = tournament.default_stage
  ) as has_factions`;

/**
 * Reads the standings of every stage, so only when the address names somebody: a player, or `slug/entry`. An entry that has
 * become a player's is this player. The last stage comes first.
 */
export const followed = (key: string) => `
  case when ${key}::text is not null then (
    select json_build_object('name', own.name, 'playerId', own.player, 'stages', array(
      select part.stage
      from published.standings part, jsonb_build_object('id', coalesce(own.player, own.entry)) wanted (id)
      where part.tournament = $1 and part.stage <> 'standings' and case
        when own.player is null
          then jsonb_path_exists(part.details::jsonb, '$.entries.rows[*] ? (@ == $id)', wanted.id)
            or jsonb_path_exists(part.details::jsonb, '$.entries.matches[*].players[*] ? (@ == $id)', wanted.id)
        when ${isBracket('part.stage')}
          then jsonb_path_exists(part.play::jsonb, '$.matches[*].playerIds[*] ? (@ == $id)', wanted.id)
        else jsonb_path_exists(part.document::jsonb, '$.data[*].playerId ? (@ == $id)', wanted.id)
      end
      order by array_position(tournament.stages, part.stage) desc
    ))
    from (
      select player.id as player, null as entry, player.name
      from published.player
      where player.id = ${key} and player.name is not null
      union all
      select found.document ->> 'playerId', participant.id, found.document ->> 'player'
      from published.participant, lateral (select participant.document::json) found (document)
      where participant.tournament = $1 and participant.id = split_part(${key}, '/', 2)
    ) own
  ) end as followed`;

export const winners = `
  (
    select json_agg(first.board_row || jsonb_build_object(
      'entry', merged.details::json -> 'entries' -> 'rows' -> (first.nr - 1)::int) order by first.nr)
    from published.standings merged,
      jsonb_path_query(merged.document::jsonb, '$.data[0 to 1]') with ordinality first (board_row, nr)
    where merged.tournament = $1 and merged.stage = 'standings'
  )`;

export const shownBattle = `json_build_object('table', battle.table_number, 'battle', ${whole('battle.document')},
  'entries', json_build_array(battle.first_entry, battle.second_entry), 'stage', tournament.stages[battle.stage_order])`;

/** The rounds that a stage is in: one, or those of its groups. */
export const currentRounds = (play: string) => `(
    select array_agg(distinct (each ->> 'round')::int)
    from json_array_elements(${play}::json -> 'now') each
  )`;

/** Of each group its first one, then its second one, and so on. */
const firstOf = (part: 'open' | 'done', most: number, areAll: string) => `
            select game.id
            from json_array_elements(played.play::json -> 'now') with ordinality round (play, nr),
              json_array_elements_text(round.play -> '${part}') with ordinality game (id, nr)
            order by game.nr, round.nr
            limit case when ${areAll} or ${isBracket('played.stage')} then null else ${most} end
          `;

export const maxOpen = 8;
export const maxResults = 4;

/**
 * The battles that "Now" shows: the first open ones and the first results of each stage by table, and the first without a
 * result. All of them of a bracket, which is small. A round of 1,000 players has 488, so `areAll` only where it must be.
 */
export const currentBattles = (areAll = 'false') => `
  (
    select json_agg(${shownBattle} order by battle.stage_order, battle.table_number, battle.id)
    from (
      select distinct id
      from published.standings played,
        lateral (
          (${firstOf('open', maxOpen, areAll)})
          union all
          (${firstOf('done', maxResults, areAll)})
          union all
          (select json_array_elements_text(played.play::json -> 'missing') limit 4)
        ) own (id)
      where played.tournament = $1 and tournament.status = 'ongoing'
    ) shown
    join published.battle on battle.id = shown.id
  )`;

export const currentBrackets = `
  (
    select json_agg(json_build_object('stage', played.stage, 'document', played.document, 'play', played.play,
      'details', played.details))
    from published.standings played
    where played.tournament = $1 and tournament.status = 'ongoing' and ${isBracket('played.stage')}
      and json_array_length(played.play::json -> 'now') > 0
  )`;

interface ParticipantsPart {
  /** What to read of each. */
  read?: string;
  where?: string;
  order?: string;
}

/**
 * First the keys: by name they come from the index alone, by place from the rows without their documents. Then each document
 * once: `offset 0` keeps PostgreSQL from fetching it again for every use.
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

export const pageOf = (page: string) => `
  select tournament.revision, tournament.organizer, club.revision as club_revision, page.*
  from published.tournament
  left join published.club on club.slug = tournament.organizer
  left join lateral (${page}) page on true
  where tournament.slug = $1`;

/**
 * Nothing when the browser holds the page, so that no document is read. The parameter has the held revisions of the
 * tournament and of its club. The condition must be inside of the lateral join: outside, it comes too late.
 */
export const unlessHeld = (parameter: string) =>
  `where concat(tournament.revision, '.', coalesce(club.revision, 0)) <> all (${parameter}::text[])`;
