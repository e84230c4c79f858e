import type { Row, Statement } from './reader.ts';
import { whole } from './tournament-parts.ts';

// The statements for the lists. Each is one index range scan in its order, however deep the page is:
//
// - There is exactly one upper bound, a row comparison from order.ts, and one lower bound on the date. A
//   second upper bound, an `or`, or `$n is null or …` reads hundreds of index pages instead of four, though
//   the plan looks the same.
// - Where another index has the same order after its first column, that column is part of the bounds and of
//   the order. With `status = $6` the planner may scan all tournaments by date and skip those with another
//   status. That is fast while it finds some, but reads everything if there are none.
// - Existence, revision and page come from one snapshot: a lateral join adds the page to the thing. The page
//   is a subquery with a limit, so PostgreSQL can only use a loop, and the rows keep their order.
// - The page comes as one row, because a driver takes long for many. Aggregates take their input in the order
//   of the subquery.
// - The document of a battle is fetched in the select list, because for a join a generic plan may use a hash.
// - If the caller has the revision, the page is empty and no document is read. `If-None-Match: *` sends null,
//   and `<> all (null)` is not true for any revision.
//
// $1 is the number of rows and $2 the revisions that the caller has. Then come the bounds, then the owner of
// the list, then the address of the pages of what is listed.

/**
 * The one row that a list statement returns. A statement reads one row more than a page shows, to find out
 * whether there are more. If there are, the last row shown is the last but one. The columns of the position
 * come from that row, because the next page begins after it.
 */
export interface PageRow extends Row {
  /** The documents, one per line because stored JSON contains no line breaks. Null if there are none. */
  documents: string | null;
  /** True if there are as many rows as were asked for. */
  isFull: boolean;
}

/**
 * Returns the columns of a page, built from the rows of its subquery. Documents are stored up to their
 * address; see page-address.ts.
 */
function asOneRow(position: string[], address?: string): string {
  const document = address === undefined ? 'document' : `document || (${address} || id || '"}')`;
  return `string_agg(${document}, e'\\n') as documents, count(*) = $1::int as "isFull",
        ${position.map((column) => `(array_agg(${column}))[$1::int - 1] as ${column}`).join(', ')}`;
}

const byStartDate = ['date', 'id'];
const byDatePlayed = ['date', '"stageOrder"', 'round', 'id'];

export const tournaments: Statement = {
  name: 'tournaments',
  text: `
    select list.revision, page.*
    from (select revision from published.list_revision where list = 'tournaments') list
    left join lateral (
      select ${asOneRow(byStartDate, '$6')}
      from (
        select start_date as date, slug as id, document
        from published.tournament
        where (start_date, slug) < ($3::date, $4) and start_date >= $5::date
          and list.revision <> all ($2::bigint[])
        order by start_date desc, slug desc
        limit $1
      ) listed
    ) page on true`,
};

export const tournamentsByStatus: Statement = {
  name: 'tournaments_by_status',
  text: `
    select list.revision, page.*
    from (select revision from published.list_revision where list = 'tournaments') list
    left join lateral (
      select ${asOneRow(byStartDate, '$7')}
      from (
        select start_date as date, slug as id, document
        from published.tournament
        where (status, start_date, slug) < ($6, $3::date, $4) and (status, start_date) >= ($6, $5::date)
          and list.revision <> all ($2::bigint[])
        order by status desc, start_date desc, slug desc
        limit $1
      ) listed
    ) page on true`,
};

export const tournamentsOfClub: Statement = {
  name: 'tournaments_of_club',
  text: `
    select club.revision, page.*
    from published.club
    left join lateral (
      select ${asOneRow(byStartDate, '$7')}
      from (
        select start_date as date, slug as id, document
        from published.tournament
        where organizer is not null
          and (organizer, start_date, slug) < ($6, $3::date, $4) and (organizer, start_date) >= ($6, $5::date)
          and club.revision <> all ($2::bigint[])
        order by organizer desc, start_date desc, slug desc
        limit $1
      ) listed
    ) page on true
    where club.slug = $6`,
};

export const participantsOfTournament: Statement = {
  name: 'participants_of_tournament',
  text: `
    select tournament.revision, page.*
    from published.tournament
    left join lateral (
      select ${asOneRow(['"sortKey"', 'id'])}
      from (
        select sort_key as "sortKey", id, document
        from published.participant
        where tournament = $5 and (sort_key, id) > ($3, $4)
          and tournament.revision <> all ($2::bigint[])
        order by sort_key, id
        limit $1
      ) listed
    ) page on true
    where tournament.slug = $5`,
};

export const battlesOfTournament: Statement = {
  name: 'battles_of_tournament',
  text: `
    select tournament.revision, page.*
    from published.tournament
    left join lateral (
      select ${asOneRow(byDatePlayed, '$9')}
      from (
        select date, stage_order as "stageOrder", round, id, document
        from published.battle
        where battle.tournament = $8
          and (date, stage_order, round, id) < ($3::date, $4::smallint, $5::smallint, $6) and date >= $7::date
          and tournament.revision <> all ($2::bigint[])
        order by date desc, stage_order desc, round desc, id desc
        limit $1
      ) listed
    ) page on true
    where tournament.slug = $8`,
};

export const battlesOfClub = battlesOf('club', 'slug');
export const battlesOfPlayer = battlesOf('player', 'id');

/** Builds the list of a club or a player. `key` is the column that identifies the owner. */
function battlesOf(owner: 'club' | 'player', key: 'slug' | 'id'): Statement {
  return {
    name: `battles_of_${owner}`,
    text: `
    select ${owner}.revision, page.*
    from published.${owner}
    left join lateral (
      select ${asOneRow(byDatePlayed, '$9')}
      from (
        select date, stage_order as "stageOrder", round, battle as id,
          (select document from published.battle where battle.id = ${owner}_battle.battle) as document
        from published.${owner}_battle
        where ${owner}_battle.${owner} = $8
          and (date, stage_order, round, battle) < ($3::date, $4::smallint, $5::smallint, $6) and date >= $7::date
          and ${owner}.revision <> all ($2::bigint[])
        order by date desc, stage_order desc, round desc, battle desc
        limit $1
      ) listed
    ) page on true
    where ${owner}.${key} = $8`,
  };
}

/** `shown` contains the slug and the revision of each tournament shown. */
export interface PlayerTournamentsRow extends PageRow {
  shown: string[] | null;
}

/** Reads the tournaments that a player plays in. Helping to run one is not enough. */
export const tournamentsOfPlayer: Statement = {
  name: 'tournaments_of_player',
  text: `
    select player.revision, page.*
    from published.player
    left join lateral (
      select ${asOneRow(byStartDate)}, (array_agg(id || ' ' || found[1]))[1:$1::int - 1] as shown
      from (
        select date, id, found, (
          select row_to_json(shown)::text
          from (
            select id as slug, event.*, placement as "finalPlacement", club, faction, won, drawn, lost
            from json_to_record(${whole('found[2]')})
              as event (name text, "startDate" text, "endDate" text, status text, players integer)
          ) shown
        ) as document
        from (
          select start_date as date, tournament as id, placement, club, faction, won, drawn, lost,
            (select array[revision::text, document] from published.tournament where slug = player_tournament.tournament)
              as found
          from published.player_tournament
          where player_tournament.player = $6 and plays
            and (start_date, tournament) < ($3::date, $4) and start_date >= $5::date
            and player.revision <> all ($2::bigint[])
          order by start_date desc, tournament desc
          limit $1
        ) played
      ) listed
    ) page on true
    where player.id = $6`,
};
