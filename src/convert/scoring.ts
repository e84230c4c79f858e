// Adds battle points to results that have none, from `scoring` in the event sheet. On a board without battle
// points a draw would count as a loss, so we cannot send a draw without them.
import { pointsInCell } from './cells.ts';
import type { NamedCell, Findings } from './findings.ts';
import { type Game, withoutResult } from './games-sheet.ts';
import { isBoard } from '../record/feed/scalars.ts';
import type { SheetRow } from './sheet-row.ts';

/** The battle points for a win, a draw and a loss. */
export type Scoring = [win: number, draw: number, loss: number];

export interface EventScoring {
  scoring: Scoring | null;
  /** The name of the fact as the event sheet writes it, if the sheet has its row. */
  scoringRow: string | undefined;
}

export function scoringOf(cell: NamedCell): Scoring | undefined {
  if (cell.text === '') return undefined;
  const written = cell.text.split(/\s*[/:;|–-]\s*|,?\s+/);
  const parts = written.length === 1 ? cell.text.split(',') : written;
  const numbers = parts.flatMap((text) => pointsInCell({ text, refuse: () => undefined }) ?? []);
  const [win = 0, draw = 0, loss = 0] = numbers;
  const isWhole = parts.length === 3 && numbers.length === 3;
  if (isWhole && win >= draw && draw >= loss) return [win, draw, loss];
  return cell.refuse(
    'the battle points of a win, a draw and a loss, like 3 | 1 | 0 (a spreadsheet may turn 3/1/0 into a date)',
  );
}

/** Returns the games with their points. A cell with battle points takes precedence over `scoring`. */
export function scoredGames(
  games: Game[],
  { scoring, scoringRow }: EventScoring,
  findings: Findings,
): Game[] {
  const [first] = games;
  let without = 0;
  const scored = games.map((game) => {
    const { outcome, stage, row, second, battlePoints } = game;
    const [one, other] = battlePoints;
    const isWhole = one !== undefined && (other !== undefined || !second);
    if (!isBoard(stage) || isWhole) return game;
    if (!outcome) {
      // The game has a result, which is refused. Ask for the points at the same time.
      if (!scoring && row.hasUnreadableResult && row.cell('bp 1').text === '') without += 1;
      return game;
    }
    if (scoring) {
      const [win, draw, loss] = scoring;
      const isFirst = outcome.winner === 'first';
      if (second && (one ?? other) !== undefined) {
        const [there, missing] = one === undefined ? ['bp 2', 'bp 1'] : ['bp 1', 'bp 2'];
        row.note(
          `${row.header(missing)} is empty, so that side gets the battle points of the scoring`,
          there,
        );
      }
      const given = outcome.winner === null ? [draw, draw] : isFirst ? [win, loss] : [loss, win];
      return { ...game, battlePoints: [one ?? given[0], other ?? given[1]] satisfies Game['battlePoints'] };
    }
    if (outcome.winner === null && second) {
      row.refuse(
        'bp 1',
        `expected the battle points of a drawn game, found none (${remedyIn(row, scoringRow)})`,
      );
      return withoutResult(game);
    }
    without += 1;
    return game;
  });
  if (first && without > 0) {
    const results = without === 1 ? '1 result has' : `${without} results have`;
    findings.note(
      first.row.file,
      undefined,
      `${results} no battle points, so only wins count: ${remedyIn(first.row, scoringRow)}`,
    );
  }
  return scored;
}

function remedyIn(row: SheetRow, scoringRow: string | undefined): string {
  const example = '"3 | 1 | 0"';
  const inEvent =
    scoringRow === undefined
      ? `add the row "scoring", ${example} to the event sheet`
      : `give "${scoringRow}" in the event sheet a value such as ${example}`;
  return `${inEvent}, or fill in ${row.header('bp 1')} and ${row.header('bp 2')}`;
}
