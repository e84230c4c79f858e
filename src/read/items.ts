import { lastDays, type LastDays } from './last-days.ts';
import type { Row, Statement } from './reader.ts';
import { pairings } from './tournament-parts.ts';

// The statements for single documents. As in the lists, no document is read if the caller has the revision
// ($2).

export const tournamentBySlug = documentBySlug('tournament');
export const clubBySlug = documentBySlug('club');

function documentBySlug(of: 'tournament' | 'club'): Statement {
  return {
    name: `${of}_by_slug`,
    text: `
    select revision, case when revision <> all ($2::bigint[]) then document end as document
    from published.${of}
    where slug = $1`,
  };
}

export const battleById: Statement = {
  name: 'battle_by_id',
  text: `
    select revision,
      (
        select detail.document
        from published.battle_detail detail
        where detail.id = $1 and battle.revision <> all ($2::bigint[])
      ) as document
    from published.battle
    where id = $1`,
};

export const standingsOfTournament: Statement = {
  name: 'standings_of_tournament',
  text: `
    select revision, stages,
      (
        select standings.document
        from published.standings
        where standings.tournament = $1 and standings.stage = coalesce($3, tournament.default_stage)
          and tournament.revision <> all ($2::bigint[])
      ) as document
    from published.tournament
    where slug = $1`,
};

export interface NowOfTournament extends Row {
  document: string;
  /** The input of `pairingsOf`, in the order of the stages that are being played. */
  pairings: string[];
  lastDays: LastDays | null;
}

/** Reads what the tournament's page shows as "now", with all its battles. */
export const nowOfTournament: Statement = {
  name: 'now_of_tournament',
  text: `
    select tournament.revision, page.*
    from published.tournament
    left join lateral (
      select tournament.document, ${lastDays} as "lastDays", ${pairings}
      where tournament.revision <> all ($2::bigint[])
    ) page on true
    where tournament.slug = $1`,
};
