import type { Row, Statement } from '../../read/reader.ts';
import { isRunning } from '../now/running.ts';

export interface FrontPageRow extends Row {
  /** Rows of tables, as PostgreSQL estimates them. Not positive: it does not know yet. */
  estimates: { tournament: number; battle: number; club: number };
  part: 'ongoing' | 'finished' | 'planned' | null;
  document: string | null;
  tournamentRevision: string | null;
  stage: string | null;
  play: string | null;
  leader: string | null;
}

/** $1: how many running ones, $2: how many of the others, $3: the first day that is still to come, $4: the earliest last day. */
export const frontOfSite: Statement = {
  name: 'site_front',
  text: `
    select list.revision,
      (
        select json_object_agg(relname, reltuples)
        from pg_class
        where oid in ('published.tournament'::regclass, 'published.battle'::regclass, 'published.club'::regclass)
      ) as estimates,
      part.*
    from published.tournament_list list
    left join lateral (
      select event.part, event.document, event.revision as "tournamentRevision", event.leader,
        standings.stage, standings.play
      from (
        (
          select 'ongoing' as part, slug, default_stage, revision, document, leader
          from published.tournament
          where ${isRunning('$1', '$4')}
          order by start_date desc, slug desc
        )
        union all
        (
          select 'finished', slug, default_stage, revision, document, leader
          from published.tournament
          where (status, start_date, slug) < ('finished', 'infinity', '~')
            and (status, start_date) >= ('finished', '-infinity')
          order by status desc, start_date desc, slug desc
          limit $2
        )
        union all
        (
          select 'planned', slug, default_stage, revision, document, leader
          from published.tournament
          where (status, start_date, slug) >= ('planned', $3::date, '') and status <= 'planned'
          order by status, start_date, slug
          limit $2
        )
      ) event
      left join lateral (
        select stage, play
        from published.standings
        where tournament = event.slug and stage = event.default_stage and event.part <> 'planned'
        limit 1
      ) standings on true
    ) part on true`,
};
