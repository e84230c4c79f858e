// Works out who won a game: from the result, the winner or the points.
import { isEmpty } from './cells.ts';
import { wantedButFound } from './findings.ts';
import { byWord, headerKey } from './headers.ts';
import { lettersWanted, meaningsOf, misfitsIn, type OwnResult } from './letters.ts';
import {
  hasNumber,
  isStranger,
  oneOfSeveral,
  type Player,
  PlayerNames,
  playerNumber,
} from './players-sheet.ts';
import { pointColumns, resultSideColumns, type SheetRow } from './sheet-row.ts';

export type Pair = [number | undefined, number | undefined];

/** The outcome of a game. A game without a result has none. */
export interface SheetOutcome {
  winner: 'first' | 'second' | null;
  size: 'major' | 'minor' | null;
}

/** The letters used for results in all games sheets. */
export interface Letters {
  meanings: ReadonlyMap<string, OwnResult>;
  /**
   * True if there are several letters. One that does not fit casts doubt on all the others, so none of them is
   * skipped.
   */
  areSeveral: boolean;
  /** What to write instead of a letter without a meaning. */
  wanted: string;
}

export function lettersIn(rows: SheetRow[]): Letters {
  const letters = new Set<string>();
  const columns = new Set<string>();
  for (const row of rows) {
    if (row.isRemark) continue;
    for (const column of ['result', ...resultSideColumns]) {
      const letter = letterOf(splitSize(row.cell(column).text).text);
      if (letter === undefined) continue;
      letters.add(letter);
      columns.add(row.header(column));
    }
  }
  const areSeveral = letters.size > 1;
  const meanings = meaningsOf(letters, columns);
  if (meanings.size > 0) return { meanings, areSeveral, wanted: lettersWanted };
  // The letters that do not fit refuse all sheets. The others get their meaning only so that they are not
  // reported as well.
  const unfit = misfitsIn(letters, columns);
  const fitting = unfit ? meaningsOf(letters.difference(unfit.misfits), columns) : meanings;
  return { meanings: fitting, areSeveral, wanted: unfit && fitting.size > 0 ? unfit.wanted : lettersWanted };
}

const letterOf = (text: string): string | undefined =>
  /^\p{L}$/u.test(text) ? text.toUpperCase() : undefined;

export function outcomeInCells(
  row: SheetRow,
  first: Player,
  second: Player | null,
  { victoryPoints, battlePoints }: { victoryPoints: Pair; battlePoints: Pair },
  letters: Letters,
): SheetOutcome | undefined {
  const typed = ['result', 'winner', ...resultSideColumns].find((each) => !isEmpty(row.cell(each)));
  const column = typed ?? 'result';
  const cell = row.cell(column);
  const read = column === 'winner' ? namedWinner : winnerOf;
  // A person may be called Kleiner.
  const isWhole = typed !== undefined && read(cell.text, first, second) !== undefined;
  const { text, size } = isWhole ? { text: cell.text, size: null } : splitSize(cell.text);
  const letter = column === 'result' ? letterOf(text) : undefined;
  const named = new PlayerNames(second ? [first, second] : [first]).of(text);
  let winner: SheetOutcome['winner'] | undefined;
  if (typed === undefined || text === '') {
    if (!second) return { winner: 'first', size: null };
    winner = byPoints(row, victoryPoints, battlePoints);
  } else if (resultSideColumns.includes(column)) {
    const told = sideResult(row, letters);
    if (told === undefined) return undefined;
    winner = winners[told];
  } else if (letter !== undefined && named.length === 0) {
    const meaning = letters.meanings.get(letter);
    if (meaning === undefined) return refuseLetter(row, column, letters);
    winner = winners[meaning];
  } else {
    winner = read(text, first, second);
  }
  if (typed !== undefined && text !== '' && winner === undefined) {
    // It may be the correct name of a player whose name is refused.
    const mayBeStranger = /\p{L}/u.test(text) || column === 'winner';
    if (mayBeStranger && [first, second].some((player) => player && isStranger(player))) return undefined;
    if (named.length >= 2)
      return cell.refuse(
        column === 'winner' ? oneOfSeveral(named) : '1 or 2, because both players have this name',
      );
    const [vp1, vp2, bp1, bp2] = pointColumns.map((each) => row.header(each));
    const advice = `(points go into ${vp1} and ${vp2}, or ${bp1} and ${bp2})`;
    return cell.refuse(`1, 2, draw or the name of the winner ${advice}`);
  }
  if (size !== null && !winner) return cell.refuse('a winner before major or minor');
  if (winner === undefined) return undefined;
  if (second && typed !== undefined && !resultSideColumns.includes(column)) {
    const told = sideResult(row, letters);
    const side = resultSideColumns.find((each) => !isEmpty(row.cell(each)));
    if (told !== undefined && side !== undefined && winners[told] !== winner)
      return row.cell(side).refuse(`the same result as in ${row.header(column)}`);
  }
  if (second) noteOtherPoints(row, winner, { victory: victoryPoints, battle: battlePoints }, column);
  return { winner, size };
}

const winners = { win: 'first', draw: null, loss: 'second' } as const;

/** Returns the result of the first player, from the columns for each side. */
function sideResult(row: SheetRow, letters: Letters): OwnResult | undefined {
  const [own, theirs] = resultSideColumns.map((column) => {
    const cell = row.cell(column);
    if (isEmpty(cell)) return undefined;
    const { text } = cell;
    const letter = letterOf(text);
    if (letter === undefined) return ownResults.get(headerKey(text)) ?? cell.refuse(lettersWanted);
    return letters.meanings.get(letter) ?? refuseLetter(row, column, letters);
  });
  const turned = theirs === undefined ? undefined : opposites[theirs];
  if (own !== undefined && turned !== undefined && own !== turned)
    row.cell('result 2').refuse(`${opposites[own]}, because ${row.header('result 1')} is a ${own}`);
  return own ?? turned;
}

const refuseLetter = (row: SheetRow, column: string, { areSeveral, wanted }: Letters): undefined =>
  row.refuse(column, wantedButFound(wanted, row.cell(column).text), !areSeveral);

const opposites = { win: 'loss', draw: 'draw', loss: 'win' } as const;

/** Splits the size off a result such as "1 major". */
function splitSize(text: string): { text: string; size: SheetOutcome['size'] } {
  const words = text.split(/[\s,;:()]+/).filter(Boolean);
  const size = sizes.get(headerKey(words.at(-1) ?? '')) ?? null;
  return { text: size === null ? text : words.slice(0, -1).join(' '), size };
}

const sizes = byWord({
  major: 'major, grosser, majeur, majeure, mayor, maggiore, duze, duza',
  minor: 'minor, kleiner, mineur, mineure, menor, minore, male, mala',
});

/** Decides by victory points, otherwise by battle points. Returns undefined while one side has none. */
function byPoints(row: SheetRow, ...scores: Pair[]): SheetOutcome['winner'] | undefined {
  const winner = scores.map(ahead).find((each) => each !== undefined);
  if (winner !== undefined) return winner;
  if (!row.hasUnreadableResult && scores.flat().some((score) => score !== undefined))
    row.note('the points of one side are missing, so this game has no result yet');
  return undefined;
}

/** Returns null for a tie, and undefined while one side has no points. */
function ahead([one, other]: Pair): SheetOutcome['winner'] | undefined {
  if (one === undefined || other === undefined) return undefined;
  return one > other ? 'first' : other > one ? 'second' : null;
}

/**
 * Notes points that contradict the winner, probably because they are in the wrong columns. One mistake
 * usually shows in both kinds of points, so one note is enough.
 */
function noteOtherPoints(
  row: SheetRow,
  winner: SheetOutcome['winner'],
  scores: Record<string, Pair>,
  column: string,
): void {
  for (const [what, pair] of Object.entries(scores)) {
    // A tie does not contradict the winner.
    const better = ahead(pair) ?? winner;
    if (better === winner) continue;
    const [one, other] = pair;
    return row.note(
      winner === null
        ? `a draw with ${one} and ${other} ${what} points`
        : `the winner has fewer ${what} points (${one} and ${other})`,
      column,
    );
  }
}

function namedWinner(text: string, first: Player, second: Player | null): SheetOutcome['winner'] | undefined {
  const number = hasNumber(first.row) ? playerNumber(text) : undefined;
  if (number === undefined) return winnerOf(text, first, second);
  return number === first.no ? 'first' : number === second?.no ? 'second' : undefined;
}

function winnerOf(text: string, first: Player, second: Player | null): SheetOutcome['winner'] | undefined {
  const word = results.get(text.replaceAll(/\s*[-–:]\s*/g, '-')) ?? results.get(headerKey(text));
  if (word !== undefined) return word === 'draw' ? null : word;
  const [named, another] = new PlayerNames(second ? [first, second] : [first]).of(text);
  if (!named || another) return undefined;
  return named === first ? 'first' : 'second';
}

const resultWords = {
  win: 'win, won; sieg, gewonnen; victoire, gagne; victoria, ganado; vittoria, vinto; wygrana, zwyciestwo',
  draw: 'draw, tie; unentschieden, remis; nul, match nul, egalite; empate, tablas; pareggio, patta',
  loss: 'loss, lost; niederlage, verloren; defaite, perdu; derrota, perdido; sconfitta, perso; przegrana, porazka',
};
const ownResults = byWord(resultWords);

const results = byWord({
  first: `1, 1-0, player 1; spieler 1; joueur 1; jugador 1; giocatore 1; gracz 1; ${resultWords.win}`,
  second: `2, 0-1, player 2; spieler 2; joueur 2; jugador 2; giocatore 2; gracz 2; ${resultWords.loss}`,
  draw: `½, ½-½, 1/2, 1/2-1/2, 0.5-0.5; ${resultWords.draw}`,
});
