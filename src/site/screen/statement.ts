import { header, partOfTournament, signUps, unlessHeld } from '../../read/tournament-parts.ts';
import type { Statement } from '../../read/reader.ts';
import type { TournamentPageRow } from '../tournament-parts/statements.ts';

/**
 * A row for each stage that the screen may show, in running order. If there is none, one row without a stage.
 */
export interface ScreenRow extends TournamentPageRow {
  /** The sign-ups of a planned tournament: the id and the document of each participant. */
  signUps: [entry: string, participant: string][] | null;
  stage: string | null;
  /** `standings` and `view` are the input of `standingsView`. */
  standings: string | null;
  view: string | null;
  /** JSON: the `Pairings` of a stage that is played. */
  pairings: string | null;
}

/** $1 is the slug, $2 the revisions that the browser holds. */
export const screenOfTournament: Statement = {
  name: 'site_screen',
  text: partOfTournament(
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
