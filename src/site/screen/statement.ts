import { header, pageOf, signUps, unlessHeld } from '../../read/tournament-parts.ts';
import type { Statement } from '../../read/reader.ts';
import type { TournamentRow } from '../tournament-parts/statements.ts';

/** A row for each stage that the screen may show, in running order. There is one without a stage if there is none. */
export interface ScreenRow extends TournamentRow {
  /** The names of those who signed up for a planned tournament, with the document of each. */
  signUps: [entry: string, participant: string][] | null;
  stage: string | null;
  /** For `standingsView`, both. */
  standings: string | null;
  view: string | null;
  /** JSON: the `Pairings` of a stage that is played. */
  pairings: string | null;
}

/** $1 is the slug, $2 the held revisions. */
export const screenOfTournament: Statement = {
  name: 'site_screen',
  text: pageOf(
    `
    select ${header}, part.*, (
        select ${signUps}
        from published.participant
        where participant.tournament = $1 and tournament.status = 'planned'
      ) as "signUps"
    from (select) one
    left join lateral (
      select shown.stage, shown.document as standings, shown.view, shown.pairings
      from published.standings shown
      where shown.tournament = $1 and (shown.stage = tournament.default_stage or shown.pairings is not null)
      order by array_position(tournament.stages, shown.stage)
    ) part on true
    ${unlessHeld('$2')}`,
  ),
};
