// Checks what the games must agree on as a whole: boards have no gap between their rounds, and each player
// appears only once in a round.
import { isBoard } from '../record/feed/scalars.ts';
import type { EventFacts } from './event-sheet.ts';
import type { Game, SheetGames } from './games-sheet.ts';
import { lineOfRow, type Player, shownIn } from './players-sheet.ts';
import { roundsOf } from './stage-rounds.ts';

export function checkGames(event: EventFacts, { games, withoutRound }: SheetGames): void {
  const { numberOf } = roundsOf(event, games);
  const rounds = Map.groupBy(games, (game) => `${game.stage} ${numberOf(game)}`);
  for (const inRound of rounds.values()) checkPlayers(inRound);
  for (const game of games) {
    const { stage, row } = game;
    const number = numberOf(game);
    if (stage === 'swiss' && event.rounds !== null && number > event.rounds) {
      row
        .cell('round')
        .refuse(`a round up to ${event.rounds}, the rounds of the event sheet, or a name like final`);
    } else if (
      withoutRound.length === 0 &&
      isBoard(stage) &&
      number > 1 &&
      !rounds.has(`${stage} ${number - 1}`)
    ) {
      row.cell('round').refuse(`games of round ${number - 1}, too (it has none)`);
    }
  }
}

function checkPlayers(games: Game[]): void {
  const seen = new Map<Player, Game>();
  for (const game of games.toSorted((a, b) => a.row.line - b.row.line)) {
    const { first, second, row } = game;
    const [one, other] = [seen.get(first), second ? seen.get(second) : undefined];
    if (second && one && one === other) {
      row.refuse(
        'player 1',
        `expected each pair once in a round, found ${shownIn(row, 'player 1', first)} and ${shownIn(row, 'player 2', second)} again (first ${lineOfRow(one.row)})`,
      );
      continue;
    }
    for (const [player, column] of [
      [first, 'player 1'],
      [second, 'player 2'],
    ] as const) {
      if (!player) continue;
      const before = seen.get(player);
      if (before)
        row.refuse(
          column,
          `expected each player once in a round, found ${shownIn(row, column, player)} again (first ${lineOfRow(before.row)})`,
        );
      else seen.set(player, game);
    }
  }
}
