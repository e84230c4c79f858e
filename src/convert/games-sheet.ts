import { calendarDate, type DateOrder, points, wholeNumber } from './cells.ts';
import { byWord, keyOf } from './headers.ts';
import { type Player, PlayerNames, place } from './players-sheet.ts';
import { type RoundName, roundName } from './rounds.ts';
import type { SheetRow } from './sheet-row.ts';
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
    const played = ['player 1', 'player 2', 'result', 'vp 1', 'vp 2', 'bp 1', 'bp 2'];
    if (row.isRemark || played.every((column) => row.cell(column).text === '')) {
      row.note('left out a row without players');
      return [];
    }
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
  const first =
    cell('player 1').text === ''
      ? cell('player 1').refuse('a player (an empty player 2 is a bye)')
      : playerOf(row, 'player 1', players, names);
  const isBye = cell('player 2').text === '' || byes.has(keyOf(cell('player 2').text));
  const second = isBye ? null : playerOf(row, 'player 2', players, names);
  const victoryPoints: Pair = [points(cell('vp 1')), points(cell('vp 2'))];
  const battlePoints: Pair = [points(cell('bp 1')), points(cell('bp 2'))];
  const game = {
    row,
    table: wholeNumber(cell('table'), 0, 1_000_000),
    victoryPoints,
    battlePoints,
    scenario: wordOf(cell('scenario')),
    date: calendarDate(cell('date'), order),
  };
  if (!round || !first || second === undefined) return undefined;
  if (first === second)
    return row.refuse('player 2', `expected another player than player 1, found ${first.no} twice`);
  return { ...round, ...game, first, second, outcome: outcomeOf(row, first, second, game) };
}

const byes = byWord({ bye: 'bye; freilos, spielfrei; exempt; descanso, descansa, libre; riposo' });

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

/** By number, or by a name that one player has. */
function playerOf(
  row: SheetRow,
  column: string,
  players: ReadonlyMap<number, Player>,
  names: PlayerNames,
): Player | undefined {
  const cell = row.cell(column);
  const number = playerNumber(cell.text);
  if (number !== undefined) return players.get(number) ?? cell.refuse('a number of the players sheet');
  const [player, ...others] = names.of(cell.text);
  if (player && others.length > 0) {
    const both = [player, ...others].map(({ no, row: at }) => `${no} ${place(at)}`).join(', ');
    return cell.refuse(`a number, because several players have this name (${both})`);
  }
  return player ?? cell.refuse('a number or a name of the players sheet');
}

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
  const winner = text === '' ? byPoints(row, victoryPoints, battlePoints) : read(text, first, second);
  if (text !== '' && winner === undefined)
    return cell.refuse(
      '1, 2, draw or the name of the winner (points go into vp 1 and vp 2, or bp 1 and bp 2)',
    );
  if (size !== null && !winner) return cell.refuse('a winner before major or minor');
  return winner === undefined ? undefined : { winner, size };
}

const sizes = byWord({
  major: 'major, grosser, majeur, majeure, mayor, maggiore',
  minor: 'minor, kleiner, mineur, mineure, menor, minore',
});

/** Victory points decide, otherwise battle points. Undefined while one side has none. */
function byPoints(row: SheetRow, ...scores: Pair[]): Outcome['winner'] | undefined {
  for (const [one, other] of scores) {
    if (one !== undefined && other !== undefined)
      return one > other ? 'first' : other > one ? 'second' : null;
  }
  if (scores.flat().some((score) => score !== undefined))
    row.note('the points of one side are missing, so this game has no result yet');
  return undefined;
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
    '1, 1-0, win, won, player 1; sieg, spieler 1; victoire, joueur 1; victoria, jugador 1; vittoria, giocatore 1',
  second:
    '2, 0-1, loss, lost, player 2; niederlage, spieler 2; defaite, joueur 2; derrota, jugador 2; sconfitta, giocatore 2',
  draw: 'draw, tie, ½, ½-½, 1/2, 1/2-1/2, 0.5-0.5; unentschieden, remis; nul, match nul, egalite; empate, tablas; pareggio, patta',
});
