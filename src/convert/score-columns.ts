// Columns of scores whose names say the side in another way than `vp 1`: "Player 1 VP", "Punkte Gegner", "Score B".
import { headers, keyOf } from './headers.ts';

/** By the header as written: the column that it is. `scores` are those that do not say which points they are. */
export function scoreColumns(written: string[]): { columns: Map<string, string>; scores: string[] } {
  const keys = written.map(keyOf);
  const known = keys.map((key) => headers.games.get(key) ?? '');
  const sided = keys.map((key, at) => (known[at] === '' ? sidedColumn(key) : ''));
  // "Result" beside "Opponent result" says points, and a 2 in it is not the second player.
  const [own, theirs] = [known.indexOf('result'), keys[sided.indexOf('score 2')] ?? ''];
  if (!sided.includes('score 1') && theirs.includes(keys[own] ?? '-')) sided[own] = 'score 1';
  const isPair = (what: string): boolean =>
    ['1', '2'].every((side) => [...known, ...sided].includes(`${what} ${side}`));
  const hasPoints = isPair('vp') || isPair('bp') || known.some((column) => /^[vb]p /.test(column));
  const columns = new Map<string, string>();
  const scores: string[] = [];
  for (const [index, header] of written.entries()) {
    const [what = '', side = ''] = sided[index]?.split(' ') ?? [];
    if (!isPair(what) || (what === 'score' && hasPoints)) continue;
    columns.set(header, what === 'score' ? `vp ${side}` : `${what} ${side}`);
    if (what === 'score') scores.push(header);
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

/** `vp 1`, `bp 2` or `score 1`. Empty for a column without scores. */
function sidedColumn(key: string): string {
  for (const pattern of patterns) {
    const { what = '', side = '1' } = pattern.exec(key)?.groups ?? {};
    const word = words.get(what);
    if (word !== undefined) return `${word} ${side === '1' || side === 'a' ? '1' : '2'}`;
  }
  return '';
}

const pointWords = [...headers.games].flatMap(([word, column]): [string, string][] =>
  column === 'vp 1' || column === 'bp 1' ? [[word.replace(/ [1a]$/, ''), column.slice(0, 2)]] : [],
);
const scoreWords =
  'score, scores, points, pts, result; punkte, pkt, punktzahl, ergebnis; resultat; puntos, puntuacion, resultado; punti, punteggio, risultato; punkty, wynik';
const words = new Map([
  ...pointWords,
  ...scoreWords.split(/[,;] /).map((word): [string, string] => [word, 'score']),
]);
