import assert from 'node:assert/strict';
import { test } from 'node:test';
import { convert } from '../../src/convert/convert.ts';
import type { BoardStandings } from '../../src/contract/standings.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { publishText } from '../../harness/support/publish-feed.ts';
import { games, polish, sums, western } from './weekend.ts';

// Takes an event all the way: written in a dialect, converted, imported and published. The board equals the
// sums.

const { pool } = await createTestDatabase();

interface Dialect {
  /** The encoding as `TextDecoder` names it. */
  encoding: string;
  mark?: boolean;
  /** The first line of the file. */
  hint?: string;
  separator: string;
  lineEnd: string;
  decimal: string;
  quoted?: boolean;
  names: string;
  /** If true, the games contain names instead of numbers. */
  byName?: boolean;
  event: string;
  players: string;
  games: string;
  date: string;
  round: (number: string) => string;
  words: { draw: string; bye: string; yes: string; finished: string };
}

const english = {
  event: 'slug,name,status,published,size,start,rounds,scoring',
  players: 'no,name,dropped',
  games: 'round,table,player 1,player 2,result,vp 1,vp 2,date,bp 1,bp 2',
  round: (number: string) => number,
  words: { draw: 'draw', bye: '', yes: 'yes', finished: 'finished' },
};
const german = {
  event: 'Kurzname,Turnier,Status,Veröffentlicht,Punkte,Beginn,Runden,Wertung',
  players: 'Nr.,Spieler,Ausgestiegen',
  games: 'Runde,Tisch,Spieler 1,Spieler 2,Ergebnis,SP 1,SP 2,Datum,TP 1,TP 2',
  round: (number: string) => `Runde ${number}`,
  words: { draw: 'Unentschieden', bye: 'Freilos', yes: 'Ja', finished: 'beendet' },
};
const dialects: Record<string, Dialect> = {
  'excel-german': {
    encoding: 'windows-1252',
    separator: ';',
    lineEnd: '\r\n',
    decimal: ',',
    byName: true,
    ...german,
    names: western,
    date: '14.11.2026',
  },
  'excel-german-utf8': {
    encoding: 'utf-8',
    mark: true,
    separator: ';',
    lineEnd: '\r\n',
    decimal: ',',
    ...german,
    names: western,
    date: '14.11.26',
  },
  'excel-unicode-text': {
    encoding: 'utf-16le',
    mark: true,
    separator: '\t',
    lineEnd: '\r\n',
    decimal: '.',
    ...english,
    names: western,
    date: '11/14/2026',
    byName: true,
  },
  'excel-us': {
    encoding: 'utf-8',
    mark: true,
    separator: ',',
    lineEnd: '\r\n',
    decimal: '.',
    ...english,
    names: western,
    date: '11/14/2026',
  },
  'google-sheets': {
    encoding: 'utf-8',
    separator: ',',
    lineEnd: '\r\n',
    decimal: '.',
    quoted: true,
    ...english,
    names: polish,
    date: '2026-11-14',
    byName: true,
  },
  'libreoffice-french': {
    encoding: 'utf-8',
    separator: ';',
    lineEnd: '\n',
    decimal: ',',
    names: western,
    date: '14/11/2026',
    event: 'nom court,Tournoi,Statut,Publié,Taille,Début,Rondes,Barème',
    players: 'Numéro,Joueur,Abandon',
    games: 'Ronde,Table,Joueur 1,Joueur 2,Résultat,PV 1,PV 2,Jour,PB 1,PB 2',
    round: (number) => `${number}e ronde`,
    words: { draw: 'Match nul', bye: 'exempt', yes: 'oui', finished: 'terminé' },
  },
  'numbers-spanish': {
    encoding: 'utf-8',
    separator: ';',
    lineEnd: '\r',
    decimal: ',',
    names: western,
    date: '14/11/2026',
    event: 'nombre corto,Torneo,Estado,Publicado,Tamaño,Inicio,Rondas,Puntuación',
    players: 'Dorsal,Nombre,Abandono',
    games: 'Ronda,Mesa,Jugador 1,Jugador 2,Resultado,PV 1,PV 2,Fecha,PB 1,PB 2',
    round: (number) => `Ronda ${number}`,
    words: { draw: 'empate', bye: 'descansa', yes: 'sí', finished: 'finalizado' },
  },
  'tabs-italian': {
    encoding: 'windows-1252',
    hint: 'sep=\t',
    separator: '\t',
    lineEnd: '\n',
    decimal: ',',
    names: western,
    date: '14-11-2026',
    byName: true,
    event: 'nome breve,Torneo,Stato,Pubblicato,Dimensione,Inizio,Turni,Punteggio',
    players: 'Pettorale,Nome,Ritirato',
    games: 'Turno,Tavolo,Giocatore 1,Giocatore 2,Risultato,PV 1,PV 2,Data,PB 1,PB 2',
    round: (number) => `${number}° turno`,
    words: { draw: 'pareggio', bye: 'riposo', yes: 'sì', finished: 'concluso' },
  },
  'excel-polish': {
    encoding: 'windows-1250',
    separator: ';',
    lineEnd: '\r\n',
    decimal: ',',
    byName: true,
    names: polish,
    date: '14.11.2026',
    event: 'Nazwa skrócona,Turniej,Stan,Opublikowany,Rozmiar,Początek,Rundy,Punktacja',
    players: 'Numer,Imię i nazwisko,Wycofany',
    games: 'Runda,Stół,Gracz 1,Gracz 2,Wynik,Małe punkty 1,Małe punkty 2,Data,Duże punkty 1,Duże punkty 2',
    round: (number) => `Runda ${number}`,
    words: { draw: 'remis', bye: 'wolny los', yes: 'tak', finished: 'zakończony' },
  },
};

const lines = (text: string): string[] => text.trim().split('\n');

for (const [name, dialect] of Object.entries(dialects)) {
  for (const scored of ['battle points', 'scoring'] as const) {
    test(`${name}, with ${scored}: the board equals the sums`, async () => {
      const slug = `${name}-${scored.replace(' ', '-')}`;
      const { feed = '', refusals } = convert(sheetsOf(dialect, slug, scored === 'scoring'));
      assert.deepEqual(refusals, []);
      const people = dialect.names.split(', ');
      const expected = lines(sums).map((line) => {
        const [no = '', results = '', victory = '', battle = '', points = ''] = line.split(' | ');
        const [total, place] = (scored === 'scoring' ? points : battle).split(' ');
        return `${place}. ${people[Number(no) - 1]}: ${results}, ${victory}, ${total}`;
      });
      const inOrder = expected.toSorted((a, b) => Number.parseInt(a) - Number.parseInt(b));
      assert.deepEqual(await boardOf(slug, feed), inOrder);
    });
  }
}

/** Returns the event as three files. Without `battle points` the event sheet has `scoring`. */
function sheetsOf(dialect: Dialect, slug: string, isScored: boolean) {
  const { words, round, date, decimal, byName } = dialect;
  const people = dialect.names.split(', ');
  const person = (no: string): string => (byName ? (people[Number(no) - 1] ?? '') : no);
  const number = (text: string): string => (text === '-' ? '' : text.replace('.', decimal));
  const facts = [slug, 'Weekend', words.finished, words.yes, '2000', date, '5', isScored ? '3/1/0' : ''];
  const typed = lines(games).map((line) => {
    const [at = '', table = '', one = '', other = '', vp1 = '', vp2 = '', bp1 = '', bp2 = ''] =
      line.split(' ');
    const pair = other === '-' ? [person(one), words.bye] : [person(one), person(other)];
    // Every third table contains the word, and the others leave it to the points.
    const result = vp1 === vp2 && other !== '-' && Number(table) % 3 === 0 ? words.draw : '';
    const cells = [round(at), number(table), ...pair, result, number(vp1), number(vp2), date];
    return isScored ? cells : [...cells, number(bp1), number(bp2)];
  });
  const columns = dialect.games.split(',');
  const tables = {
    event: dialect.event.split(',').map((fact, index) => [fact, facts[index] ?? '']),
    players: [
      dialect.players.split(','),
      ...people.map((each, index) => [String(index + 1), each, index === 16 ? words.yes : '']),
    ],
    games: [isScored ? columns.slice(0, -2) : columns, ...typed],
  };
  return Object.entries(tables).map(([file, rows]) => ({
    name: `${file}.csv`,
    bytes: bytesOf(rows, dialect),
  }));
}

function bytesOf(rows: string[][], { encoding, mark, hint, separator, lineEnd, quoted }: Dialect): Buffer {
  const all = rows.map((row) => row.map((cell) => (quoted ? `"${cell}"` : cell)).join(separator));
  const text = [...(hint === undefined ? [] : [hint]), ...all, ''].join(lineEnd);
  const marked = mark ? `\ufeff${text}` : text;
  if (encoding === 'utf-8') return Buffer.from(marked);
  if (encoding === 'utf-16le') return Buffer.from(marked, 'utf16le');
  const decoder = new TextDecoder(encoding);
  const letters = new Map(
    Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte]),
  );
  return Buffer.from(
    Array.from(text, (letter) => letters.get(letter) ?? assert.fail(`${letter} is not in ${encoding}`)),
  );
}

async function boardOf(slug: string, feed: string): Promise<string[]> {
  await publishText(pool, feed);
  const { rows } = await pool.query<{ document: string }>(
    `select document from published.standings where tournament = $1 and stage = 'swiss'`,
    [slug],
  );
  const { data } = JSON.parse(rows[0]?.document ?? '{"data":[]}') as BoardStandings;
  return data.map(
    ({ rank, player, wins, draws, losses, victoryPoints, victoryPointsDiff, battlePoints }) =>
      `${rank}. ${player}: ${wins} ${draws} ${losses}, ${victoryPoints} ${victoryPointsDiff}, ${battlePoints}`,
  );
}
