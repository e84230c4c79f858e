import { calendarDate, type DateOrder, pointsInCell, wholeNumberInCell } from './cells.ts';
import { type Letters, lettersIn, type SheetOutcome, outcomeInCells, type Pair } from './outcome.ts';
import {
  hasNumber,
  isBye,
  oneOfSeveral,
  type Player,
  PlayerNames,
  playerNumber,
  type Roster,
  shownIn,
  strangerOf,
} from './players-sheet.ts';
import { type RoundName, roundInWords } from './rounds.ts';
import { resultColumns, type SheetRow } from './sheet-row.ts';
import { wordOf } from './texts.ts';

export interface Game extends RoundName {
  row: SheetRow;
  table: number | undefined;
  first: Player;
  /** Null for a bye. */
  second: Player | null;
  outcome: SheetOutcome | undefined;
  /** The points of the first and the second player. */
  victoryPoints: Pair;
  battlePoints: Pair;
  scenario: string | undefined;
  date: string | undefined;
}

export interface SheetGames {
  games: Game[];
  /** Games that belong to no round because their round was refused. */
  withoutRound: Game[];
}

export function readGamesSheet(rows: SheetRow[], roster: Roster, order: DateOrder | undefined): SheetGames {
  const players = new PlayersInGames(roster);
  const letters = lettersIn(rows);
  const games: Game[] = [];
  const withoutRound: Game[] = [];
  for (const row of rows) {
    const played = ['player 1', 'player 2', ...resultColumns];
    const isRemark = row.isRemark && !players.isByeOf(row);
    const isEmpty = isRemark || played.every((column) => row.cell(column).text === '');
    const game = isEmpty ? undefined : gameOf(row, players, letters, order);
    if (!game) row.note('left out a row without players');
    else if (game.round) games.push({ ...game, ...game.round });
    else withoutRound.push({ ...game, ...someRound });
  }
  return { games, withoutRound: withoutRound };
}

const someRound: RoundName = { stage: 'swiss', round: { number: 1 }, index: 0 };

/** Reads one row. Returns undefined if the row has no players. The round is undefined if it is refused. */
function gameOf(
  row: SheetRow,
  players: PlayersInGames,
  letters: Letters,
  order: DateOrder | undefined,
): (Omit<Game, keyof RoundName> & { round: RoundName | undefined }) | undefined {
  const cell = (column: string) => row.cell(column);
  const round = roundOf(row);
  const one = players.in(row, 'player 1');
  const other = cell('player 2').text === '' && hasOpponents(row) ? null : players.in(row, 'player 2');
  // The player with the bye may be in the second column.
  const isTurned = one === null;
  const pair = (what: string): Pair => {
    const [first, second] = [pointsIn(row, `${what} 1`), pointsIn(row, `${what} 2`)];
    return isTurned ? [second, first] : [first, second];
  };
  const game = {
    row,
    table: wholeNumberInCell(cell('table'), 0, 1_000_000),
    victoryPoints: pair('vp'),
    battlePoints: pair('bp'),
    scenario: wordOf(cell('scenario')),
    date: calendarDate(cell('date'), order),
  };
  const [first, opponent] = isTurned ? [other, null] : [one, other];
  if (!first) return undefined;
  let second = opponent;
  if (first === opponent) {
    const wanted = `another player than in ${row.header('player 1')}`;
    row.refuse('player 2', `expected ${wanted}, found ${shownIn(row, 'player 2', first)} twice`);
    second = strangerOf(row, '');
  }
  const outcome = outcomeInCells(row, first, second, game, letters);
  if (isTurned && outcome?.winner) outcome.winner = 'first';
  const typed = { ...game, round, first, second, outcome };
  return row.hasUnreadableResult ? withoutResult(typed) : typed;
}

/** Removes the result of a game. A bye is a win unless it says otherwise. */
export const withoutResult = <Typed extends Pick<Game, 'second'>>(game: Typed) => ({
  ...game,
  outcome: game.second ? undefined : ({ winner: 'first', size: null } satisfies SheetOutcome),
  victoryPoints: [undefined, undefined] satisfies Pair,
  battlePoints: [undefined, undefined] satisfies Pair,
});

function pointsIn(row: SheetRow, column: string): number | undefined {
  const cell = row.cell(column);
  const value = pointsInCell(cell);
  if (value !== undefined && /^-?[1-9]\d{0,2}[.,]\d{3}$/.test(cell.text))
    row.note(`${cell.text} was read as ${value} (a decimal has one or two digits, like 12.5)`, column);
  return value;
}

function roundOf(row: SheetRow): RoundName | undefined {
  const cell = row.cell('round');
  if (cell.text === '' && !row.columns.includes('round')) return undefined;
  if (cell.text === '')
    return cell.refuse('the round in each row (merged cells keep only their first value)');
  const stage = row.cell('stage');
  if (stage.text !== '' && !roundInWords(stage.text, '1'))
    return stage.refuse('swiss, knockout or places like 5-8');
  return (
    roundInWords(stage.text, cell.text) ??
    cell.refuse('a number, or a name like final, semi-final, round of 16 or place 3')
  );
}

/** The players whom the games name, by number, or by a name that only one player has. */
class PlayersInGames {
  readonly #roster: Roster;
  readonly #names: PlayerNames;
  readonly #hasNumbers: boolean;
  readonly #strangers = new Map<string, Player>();

  constructor(roster: Roster) {
    const players = [...roster.byNumber.values()];
    this.#roster = roster;
    this.#names = new PlayerNames(players);
    this.#hasNumbers = players.every(({ row }) => hasNumber(row));
  }

  /** Returns true for a bye in a file for one round, whose row may contain nothing but the player. */
  isByeOf(row: SheetRow): boolean {
    const { text } = row.cell('player 1');
    return (
      !row.columns.includes('round') &&
      (this.#names.of(text).length > 0 || this.#numbered(text) !== undefined)
    );
  }

  /**
   * Returns null for a bye. A name that is refused becomes a stranger, so that the other cells can be
   * checked.
   */
  in(row: SheetRow, column: string): Player | null {
    const cell = row.cell(column);
    const { text } = cell;
    if (text === '') {
      if (hasOpponents(row)) cell.refuse(`a player (an empty ${row.header('player 2')} is a bye)`);
      return strangerOf(row, text);
    }
    if (isBye(text)) return null;
    const number = playerNumber(text);
    const named = number === undefined ? this.#names.of(text) : [];
    if (named.length > 1) {
      // Without numbers, the players sheet has been refused already.
      if (this.#hasNumbers) cell.refuse(oneOfSeveral(named));
      return strangerOf(row, text);
    }
    const player = named[0] ?? this.#numbered(text);
    if (player) return isBye(player.name) ? null : player;
    const wanted = !this.#hasNumbers ? 'a name' : number === undefined ? 'a number or a name' : 'a number';
    const { hasAllNames, hasAllNumbers } = this.#roster;
    if (number === undefined ? hasAllNames : hasAllNumbers) cell.refuse(`${wanted} of the players sheet`);
    const stranger = this.#strangers.get(text) ?? strangerOf(row, text);
    this.#strangers.set(text, stranger);
    return stranger;
  }

  #numbered(text: string): Player | undefined {
    return this.#hasNumbers ? this.#roster.byNumber.get(playerNumber(text) ?? 0) : undefined;
  }
}

/** Returns true if the sheet has a column for opponents. sheet.ts refuses a sheet without one. */
const hasOpponents = (row: SheetRow): boolean => row.columns.includes('player 2');
