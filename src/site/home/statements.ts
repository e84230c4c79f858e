import type { Row, Statement } from '../../read/reader.ts';
import { isRunning } from '../parts/running.ts';
import { namedClub, type NamedClub } from '../parts/named-clubs.ts';

export interface HomeRow extends Row {
  /**
   * The number of rows in each table, as estimated by PostgreSQL. If it is not positive, it is not known yet.
   */
  estimates: { tournament: number; battle: number; club: number };
  part: 'ongoing' | 'finished' | 'planned' | null;
  document: string | null;
  tournamentRevision: string | null;
  stage: string | null;
  /** JSON: the `TournamentView`. Null if the tournament is not running. */
  view: string | null;
  leader: string | null;
  organizer: string | null;
  /** The organising club. Null for a finished tournament, which shows its winner instead. */
  club: NamedClub | null;
}

/**
 * $1 is how many running tournaments to read, $2 how many of the finished and of the planned ones, $3 the
 * first day that is still to come, $4 the earliest last day of a tournament that is being played.
 */
export const homeOfSite: Statement = {
  name: 'site_home',
  text: `
    select list.revision,
      (
        select json_object_agg(relname, reltuples)
        from pg_class
        where oid in ('published.tournament'::regclass, 'published.battle'::regclass, 'published.club'::regclass)
      ) as estimates,
      part.*
    from (select revision from published.list_revision where list = 'tournaments') list
    left join lateral (
      select event.part, event.document, event.revision as "tournamentRevision", event.leader,
        event.default_stage as stage, event.view, event.organizer, ${namedClub('event.organizer')} as club
      from (
        (
          select 'ongoing' as part, default_stage, revision, document, leader, view, organizer
          from published.tournament
          where ${isRunning('$1', '$4')}
          order by start_date desc, slug desc
        )
        union all
        (
          select 'finished', default_stage, revision, document, leader, null, null
          from published.tournament
          where (status, start_date, slug) < ('finished', 'infinity', '~')
            and (status, start_date) >= ('finished', '-infinity')
          order by status desc, start_date desc, slug desc
          limit $2
        )
        union all
        (
          select 'planned', default_stage, revision, document, leader, null, organizer
          from published.tournament
          where (status, start_date, slug) >= ('planned', $3::date, '') and status <= 'planned'
          order by status, start_date, slug
          limit $2
        )
      ) event
    ) part on true`,
};
