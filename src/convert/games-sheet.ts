import { calendarDate, type DateOrder, points, wholeNumber } from './cells.ts';
import { byWord, keyOf } from './headers.ts';
import { isBye, type Player, PlayerNames, place } from './players-sheet.ts';
import { type RoundName, roundName } from './rounds.ts';
import { resultColumns, type SheetRow } from './sheet-row.ts';
import { wordOf } from './texts.ts';

export interface Game extends RoundName {
  row: SheetRow;
  table: number | undefined;
  first: Player;
  /** Null for a bye. */
  second: Player | null;
  outcome: Outcome | undefined;
  /** Of the first and the second player. */
  victoryPoints: Pair;
  battlePoints: Pair;
  scenario: string | undefined;
  date: string | undefined;
}

type Pair = [number | undefined, number | undefined];

/** Undefined while there is no result. */
interface Outcome {
  winner: 'first' | 'second' | null;
  size: 'major' | 'minor' | null;
}

export function gamesOf(
  rows: SheetRow[],
  players: ReadonlyMap<number, Player>,
  order: DateOrder | undefined,
): Game[] {
  const names = new PlayerNames(players.values());
  return rows.flatMap((row) => {
    const played = ['player 1', 'player 2', ...resultColumns];
    if (row.isRemark || played.every((column) => row.cell(column).text === '')) return noPlayers(row) ?? [];
    return gameOf(row, players, names, order) ?? [];
  });
}

function gameOf(
  row: SheetRow,
  players: ReadonlyMap<number, Player>,
  names: PlayerNames,
  order: DateOrder | undefined,
): Game | undefined {
  const cell = (column: string) => row.cell(column);
  const round = roundOf(row);
  const one =
    cell('player 1').text === ''
      ? cell('player 1').refuse('a player (an empty player 2 is a bye)')
      : playerOf(row, 'player 1', players, names);
  const other = cell('player 2').text === '' ? null : playerOf(row, 'player 2', players, names);
  // The player of a bye may stand in the second column.
  const isTurned = one === null;
  const pair = (what: string): Pair => {
    const [first, second] = [pointsIn(row, `${what} 1`), pointsIn(row, `${what} 2`)];
    return isTurned ? [second, first] : [first, second];
  };
  const game = {
    row,
    table: wholeNumber(cell('table'), 0, 1_000_000),
    victoryPoints: pair('vp'),
    battlePoints: pair('bp'),
    scenario: wordOf(cell('scenario')),
    date: calendarDate(cell('date'), order),
  };
  if (!round || one === undefined || other === undefined) return undefined;
  const [first, second] = isTurned ? [other, null] : [one, other];
  if (!first) return noPlayers(row);
  if (first === second)
    return row.refuse('player 2', `expected another player than player 1, found ${first.no} twice`);
  const outcome = outcomeOf(row, first, second, game);
  if (isTurned && outcome?.winner) outcome.winner = 'first';
  const typed = { ...round, ...game, first, second, outcome };
  return row.hasUnreadableResult ? withoutResult(typed) : typed;
}

const noPlayers = (row: SheetRow): undefined => row.note('left out a row without players');

/** A bye is a win unless it says otherwise. */
export const withoutResult = (game: Game): Game => ({
  ...game,
  outcome: game.second ? undefined : { winner: 'first', size: null },
  victoryPoints: [undefined, undefined],
  battlePoints: [undefined, undefined],
});

function pointsIn(row: SheetRow, column: string): number | undefined {
  const cell = row.cell(column);
  const value = points(cell);
  if (value !== undefined && /^-?[1-9]\d{0,2}[.,]\d{3}$/.test(cell.text))
    row.note(`${cell.text} was read as ${value} (a decimal has one or two digits, like 12.5)`, column);
  return value;
}

function roundOf(row: SheetRow): RoundName | undefined {
  const cell = row.cell('round');
  if (cell.text === '')
    return cell.refuse('the round in each row (merged cells keep only their first value)');
  const stage = row.cell('stage');
  if (stage.text !== '' && !roundName(stage.text, '1'))
    return stage.refuse('swiss, knockout or places like 5-8');
  return (
    roundName(stage.text, cell.text) ??
    cell.refuse('a number, or a name like final, semi-final, round of 16 or place 3')
  );
}

/** By number, or by a name that one player has. Null for a bye. */
function playerOf(
  row: SheetRow,
  column: string,
  players: ReadonlyMap<number, Player>,
  names: PlayerNames,
): Player | null | undefined {
  const cell = row.cell(column);
  if (isBye(cell.text)) return null;
  const number = playerNumber(cell.text);
  const named = number === undefined ? names.of(cell.text) : [];
  if (named.length > 1) return cell.refuse(oneOfSeveral(named));
  const player = number === undefined ? named[0] : players.get(number);
  if (player) return isBye(player.name) ? null : player;
  return cell.refuse(`a number ${number === undefined ? 'or a name ' : ''}of the players sheet`);
}

const oneOfSeveral = (named: Player[]): string =>
  `the number ${named.map(({ no, row }) => `${no} (${place(row)})`).join(' or ')}, because they have the same name`;

/** "7", "#7", "07" and "7." Undefined for a name. */
function playerNumber(text: string): number | undefined {
  const [, digits] = /^#?0*(\d{1,6})\.?$/.exec(text) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

function outcomeOf(
  row: SheetRow,
  first: Player,
  second: Player | null,
  { victoryPoints, battlePoints }: { victoryPoints: Pair; battlePoints: Pair },
): Outcome | undefined {
  // In a column of winners, a number is that of a player.
  const isNamed = row.cell('result').text === '' && row.cell('winner').text !== '';
  const cell = row.cell(isNamed ? 'winner' : 'result');
  const read = isNamed ? namedWinner : winnerOf;
  const words = cell.text.split(/[\s,;:()]+/).filter(Boolean);
  // A person may be called Kleiner.
  const isWhole = cell.text !== '' && read(cell.text, first, second) !== undefined;
  const size = isWhole ? null : (sizes.get(keyOf(words.at(-1) ?? '')) ?? null);
  const text = size === null ? cell.text : words.slice(0, -1).join(' ');
  if (text === '' && !second) return { winner: 'first', size: null };
  const winner = text === '' ? byPoints(row, victoryPoints, battlePoints) : read(text, first, second);
  if (text !== '' && winner === undefined) {
    const named = new PlayerNames(second ? [first, second] : [first]).of(text);
    const advice = '(points go into vp 1 and vp 2, or bp 1 and bp 2)';
    if (named.length < 2) return cell.refuse(`1, 2, draw or the name of the winner ${advice}`);
    return cell.refuse(isNamed ? oneOfSeveral(named) : '1 or 2, because both players have this name');
  }
  if (size !== null && !winner) return cell.refuse('a winner before major or minor');
  if (winner === undefined) return undefined;
  if (second) noteOtherPoints(row, winner, { victory: victoryPoints, battle: battlePoints });
  return { winner, size };
}

const sizes = byWord({
  major: 'major, grosser, majeur, majeure, mayor, maggiore, duze, duza',
  minor: 'minor, kleiner, mineur, mineure, menor, minore, male, mala',
});

/** Victory points decide, otherwise battle points. Undefined while one side has none. */
function byPoints(row: SheetRow, ...scores: Pair[]): Outcome['winner'] | undefined {
  const winner = scores.map(ahead).find((each) => each !== undefined);
  if (winner !== undefined) return winner;
  if (!row.hasUnreadableResult && scores.flat().some((score) => score !== undefined))
    row.note('the points of one side are missing, so this game has no result yet');
  return undefined;
}

/** Null for a tie. Undefined while one side has no points. */
function ahead([one, other]: Pair): Outcome['winner'] | undefined {
  if (one === undefined || other === undefined) return undefined;
  return one > other ? 'first' : other > one ? 'second' : null;
}

/** They are probably in the wrong columns. One mistake usually shows in both: one note is enough. */
function noteOtherPoints(row: SheetRow, winner: Outcome['winner'], scores: Record<string, Pair>): void {
  for (const [what, pair] of Object.entries(scores)) {
    // A tie says nothing against it.
    const better = ahead(pair) ?? winner;
    if (better === winner) continue;
    const [one, other] = pair;
    return row.note(
      winner === null
        ? `a draw with ${one} and ${other} ${what} points`
        : `the winner has fewer ${what} points (${one} and ${other})`,
      'result',
    );
  }
}

function namedWinner(text: string, first: Player, second: Player | null): Outcome['winner'] | undefined {
  const number = playerNumber(text);
  if (number === undefined) return winnerOf(text, first, second);
  return number === first.no ? 'first' : number === second?.no ? 'second' : undefined;
}

function winnerOf(text: string, first: Player, second: Player | null): Outcome['winner'] | undefined {
  const word = results.get(text.replaceAll(/\s*[-–:]\s*/g, '-')) ?? results.get(keyOf(text));
  if (word !== undefined) return word === 'draw' ? null : word;
  const [named, another] = new PlayerNames(second ? [first, second] : [first]).of(text);
  if (!named || another) return undefined;
  return named === first ? 'first' : 'second';
}

const results = byWord({
  first:
    '1, 1-0, win, won, player 1; sieg, spieler 1; victoire, joueur 1; victoria, jugador 1; vittoria, giocatore 1; wygrana, zwyciestwo, gracz 1',
  second:
    '2, 0-1, loss, lost, player 2; niederlage, spieler 2; defaite, joueur 2; derrota, jugador 2; sconfitta, giocatore 2; przegrana, porazka, gracz 2',
  draw: 'draw, tie, ½, ½-½, 1/2, 1/2-1/2, 0.5-0.5; unentschieden, remis; nul, match nul, egalite; empate, tablas; pareggio, patta',
});
