// Recognises columns of scores whose names do not say the side in the way that `vp 1` does: "Player 1 VP",
// "Punkte Gegner", "Score B".
import { headers, headerKey } from './headers.ts';

/**
 * Maps headers as written to columns. `scores` lists those that do not say which kind of points they contain.
 * Columns named after the result of each side contain words or letters, or points.
 */
export function scoreColumns(
  written: string[],
  cellsOf: (index: number) => string[],
): { columns: Map<string, string>; scores: string[] } {
  const keys = written.map(headerKey);
  const known = keys.map((key) => headers.games.get(key) ?? '');
  const sided = keys.map((key, at) => (known[at] === '' ? sidedColumn(key) : ''));
  // "Result" beside "Opponent result" belongs to one side, so a 2 in it does not mean the second player.
  const [own, theirs] = [known.indexOf('result'), sided.indexOf('result 2')];
  const isOfOneSide = !sided.includes('result 1') && keys[theirs]?.includes(keys[own] ?? '-') === true;
  if (isOfOneSide) sided[own] = 'result 1';
  const results = sided.flatMap((column, at) => (column.startsWith('result') ? cellsOf(at) : []));
  const words = results.filter((text) => /\p{L}/u.test(text)).length;
  // A majority decides, because there may be typing mistakes.
  const areWords = words > results.filter((text) => /^[^\p{L}]*\d/u.test(text)).length;
  // It may contain the name of the winner if the other column is empty.
  if (isOfOneSide && areWords && !cellsOf(theirs).some(Boolean)) sided[own] = '';
  for (const [at, column] of sided.entries()) if (!areWords) sided[at] = column.replace('result', 'score');
  const isPair = (what: string): boolean =>
    ['1', '2'].every((side) => [...known, ...sided].includes(`${what} ${side}`));
  const hasPoints = isPair('vp') || isPair('bp') || known.some((column) => /^[vb]p /.test(column));
  const columns = new Map<string, string>();
  const scores: string[] = [];
  for (const [index, header] of written.entries()) {
    const [what = '', side = ''] = sided[index]?.split(' ') ?? [];
    if (what === '' || (what !== 'result' && !isPair(what)) || (what === 'score' && hasPoints)) continue;
    columns.set(header, what === 'score' ? `vp ${side}` : `${what} ${side}`);
    if (what === 'score' && cellsOf(index).some(Boolean)) scores.push(header);
  }
  return { columns, scores };
}

const players = 'player|p|spieler|joueur|jugador|giocatore|gracza?|zawodnika?';
const opponents = 'opponents?|opp|enemy|gegners?|adversaire|rival|avversario|przeciwnika?';
const owns = 'my|own|your|eigene|mes|mis|miei|moje';
const of = '(?:(?:of|for|by|von|du|de|des|del|di|dla) )?(?:the |der |l )?';
const patterns: RegExp[] = [
  `^(?:(?:${players}) )?(?<side>[12ab])(?: s)? (?<what>.+)$`,
  `^(?<what>.+?) ${of}(?:(?:${players}) )?(?<side>[12ab])$`,
  `^(?<side>${opponents})(?: s)? (?<what>.+)$`,
  `^(?<what>.+?) ${of}(?<side>${opponents})$`,
  `^(?:(?:${owns}|${players}) )?(?<what>.+)$`,
].map((pattern) => new RegExp(pattern));

/** Returns `vp 1`, `bp 2`, `score 1` or `result 2`, for example. Empty for a column without scores. */
function sidedColumn(key: string): string {
  for (const pattern of patterns) {
    const { what = '', side = '1' } = pattern.exec(key)?.groups ?? {};
    const word = namedScores.get(what);
    if (word !== undefined) return `${word} ${side === '1' || side === 'a' ? '1' : '2'}`;
  }
  return '';
}

const pointWords = [...headers.games].flatMap(([word, column]): [string, string][] =>
  column === 'vp 1' || column === 'bp 1' ? [[word.replace(/ [1a]$/, ''), column.slice(0, 2)]] : [],
);
const scoreWords =
  'score, scores, points, pts; punkte, pkt, punktzahl; puntos, puntuacion; punti, punteggio; punkty';
const namedScores = new Map([
  ...pointWords,
  ...scoreWords.split(/[,;] /).map((word): [string, string] => [word, 'score']),
  ...[...headers.games].flatMap(([word, column]): [string, string][] =>
    column === 'result' ? [[word, 'result']] : [],
  ),
]);
