import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TournamentRecord } from '../record/feed/records.ts';
import { convert, type Converted, type ConvertOptions } from './convert.ts';
import { lettersWanted } from './letters.ts';

const event = 'slug,cup\nname,Cup\nstatus,ongoing\npublished,no\nsize,2000\nscoring,3/1/0\n';
const players = `no,name\n${['Ana', 'Bo', 'Cy', 'Di', 'Eva', 'Fil', 'Gus', 'Ida'].map((name, at) => `${at + 1},${name}\n`).join('')}`;

/** Converts one row per game, with the cells after the players. */
function converted(columns: string, ...rows: string[]): Converted {
  return convertedWith({}, columns, ...rows);
}

function convertedWith(options: ConvertOptions, columns: string, ...rows: string[]): Converted {
  const games = rows.map((cells, at) => `1,${at * 2 + 1},${at * 2 + 2},${cells}\n`);
  const all = { event, players, games: `round,player 1,player 2,${columns}\n${games.join('')}` };
  return convert(
    Object.entries(all).map(([name, text]) => ({ name: `${name}.csv`, bytes: Buffer.from(text) })),
    options,
  );
}

/** Returns 1 or 2 for the side that won, = for a draw and - for no result, each with its size. */
function results(columns: string, ...rows: string[]): string {
  const { feed = '{}', refusals, notes } = converted(columns, ...rows);
  assert.deepEqual([refusals, notes], [[], []], `${columns}: ${rows.join()}`);
  const { battles = [] } = JSON.parse(feed) as TournamentRecord;
  return battles
    .map(({ winner, finished, victorySize, sides }) => {
      if (!finished) return '-';
      const side = winner ? 1 + sides.findIndex(({ participant }) => participant === winner) : '=';
      return `${side}${victorySize ?? ''}`;
    })
    .join(' ');
}

const refusals = (columns: string, ...rows: string[]): string[] => {
  const { feed, refusals: all } = converted(columns, ...rows);
  assert.equal(feed, undefined, `${columns}: ${rows.join()}`);
  return all;
};

test('letters of one language are results of the first player', () => {
  for (const [header, letters, meaning] of [
    ['Result', 'W L D', '1 2 ='],
    ['Result', 'w t l', '1 = 2'],
    ['Outcome', 'D', '='],
    ['Ergebnis', 'S N U', '1 2 ='],
    ['Ergebnis', 'G V U', '1 2 ='],
    ['Resultat', 'S R N', '1 = 2'],
    ['Résultat', 'V N D', '1 = 2'],
    // Without the accent it may be the German word, and V would be a defeat.
    ['RÉSULTAT', 'V', '1'],
    ['Re\u0301sultat', 'N', '='],
    ['Resultado', 'V E D', '1 = 2'],
    ['Resultado', 'G P', '1 2'],
    ['Risultato', 'V P S', '1 = 2'],
    ['Risultato', 'V N P', '1 = 2'],
    ['Wynik', 'W R P', '1 = 2'],
    ['Wynik', 'Z P', '1 2'],
    ['Result', 'W draw 2', '1 = 2'],
  ] as const)
    assert.equal(results(header, ...letters.split(' ')), meaning, `${header}: ${letters}`);
  assert.equal(results('Result', 'W major', 'L (minor)', ''), '1major 2minor -');
});

test('letters that fit no language, or several, are refused in every cell with what works', () => {
  for (const [header, letters] of [
    // The header is English, but these letters are not.
    ['Result', 'V N D'],
    ['Result', 'S U N'],
    ['Résultat', 'W L D'],
    // This has a meaning in both German and French.
    ['Resultat', 'N'],
    ['Resultat', 'V'],
    // P is a draw if S is used as well, and a defeat if N is.
    ['Risultato', 'V P'],
    ['Risultato', 'V P S N'],
    ['Ergebnis', 'S V'],
  ] as const) {
    const cells = letters.split(' ');
    assert.deepEqual(
      refusals(header, ...cells),
      cells.map(
        (letter, at) => `games.csv:${at + 2}: ${header}: expected ${lettersWanted}, found "${letter}"`,
      ),
    );
  }
  assert.equal(
    lettersWanted,
    'win, draw or loss, or letters that can mean only one thing under their header: W, D, L under result; S, U, N or G, U, V under Ergebnis; V, N, D under résultat; V, E, D under resultado; V, P, S or V, N, P under risultato; W, R, P under wynik',
  );
});

test('among letters of one set, only the one that does not fit is refused', () => {
  for (const [header, letters, sentence] of [
    ['Ergebnis', 'S U N D', '5: Ergebnis: expected S, U or N, like the other results, found "D"'],
    ['Ergebnis', 'G V W', '4: Ergebnis: expected G, U or V, like the other results, found "W"'],
    ['Wynik', 'Z X P', '3: Wynik: expected Z, R or P, like the other results, found "X"'],
    ['Result', 'W S L', '3: Result: expected W, D or L, like the other results, found "S"'],
  ] as const)
    assert.deepEqual(refusals(header, ...letters.split(' ')), [`games.csv:${sentence}`]);
});

test('a letter that does not fit the others is not skipped, because the others could have been misread', () => {
  const skip = { skipUnreadableResults: true };
  for (const columns of ['Result', 'Player 1 Result']) {
    const { feed, skipped, refusals: all } = convertedWith(skip, columns, 'W', 'L', 'E');
    assert.deepEqual([feed, skipped, all.length], [undefined, [], 1]);
  }
  // This one has a meaning, or none, regardless of the others.
  const { feed, skipped } = convertedWith(skip, 'Result', '1', '2', 'E');
  assert.ok(feed);
  assert.match(skipped.join(), /^games.csv:4: Result: .* found "E": the game has no result/);
});

test('a column for each side: letters or words, of both sides or of one', () => {
  for (const [columns, rows, meaning] of [
    ['Player 1 Result,Player 2 Result', 'W,L D,D L,W', '1 = 2'],
    ['Player 1 Result,Player 2 Result', 'win,loss ,draw Loss,', '1 = 2'],
    ['Ergebnis Spieler 1,Ergebnis Spieler 2', 'S,N U,U N,S', '1 = 2'],
    ['Resultat Spieler 1,Resultat Spieler 2', 'N,S', '2'],
    ['Résultat joueur 1,Résultat joueur 2', 'N,N V,D', '= 1'],
    ['Wynik gracza 1,Wynik gracza 2', 'W,P R,R', '1 ='],
    ['Result,Opponent result', 'W,L L,W', '1 2'],
    ['Player 2 Result', 'W D', '2 ='],
    ['Player 1 Result,Player 2 Result', 'W,L -,- ,', '1 - -'],
  ] as const)
    assert.equal(results(columns, ...rows.split(' ')), meaning, `${columns}: ${rows}`);
  assert.deepEqual(refusals('Player 1 Result,Player 2 Result', 'W,W', 'D,L', 'L,W'), [
    'games.csv:2: Player 2 Result: expected loss, because Player 1 Result is a win, found "W"',
    'games.csv:3: Player 2 Result: expected draw, because Player 1 Result is a draw, found "L"',
  ]);
  assert.deepEqual(refusals('Player 1 Result,Player 2 Result', 'Ana,Bo'), [
    `games.csv:2: Player 1 Result: expected ${lettersWanted}, found "Ana"`,
    `games.csv:2: Player 2 Result: expected ${lettersWanted}, found "Bo"`,
  ]);
});

test('columns of both results have words or points, whichever are more; an empty pair needs no note', () => {
  const columns = 'Player 1 Result,Player 2 Result';
  assert.match(refusals(columns, 'W,L', 'D,D', '1,L').join(), /^games.csv:4: Player 1 Result: .* found "1"$/);
  assert.deepEqual(refusals(columns, '12,8', '9,9', 'W,4'), [
    'games.csv:4: Player 1 Result: expected a number with at most two decimals, found "W"',
  ]);
  assert.equal(results(columns, ',', ','), '- -');
});

test('two columns that name different winners are refused', () => {
  const columns = 'Winner,Player 1 Result,Player 2 Result';
  assert.equal(results(columns, 'Ana,W,L', 'Di,,W', 'Eva,-,'), '1 2 1');
  const bye = 'round,player 1,player 2,winner,player 1 result,player 2 result\n1,Bye,1,Ana,,W\n';
  const files = Object.entries({ event, players, games: bye });
  assert.deepEqual(convert(files.map(([name, text]) => ({ name, bytes: Buffer.from(text) }))).refusals, []);
  assert.deepEqual(refusals(columns, 'Ana,L,W', 'Di,,L'), [
    'games.csv:2: Player 1 Result: expected the same result as in Winner, found "L"',
    'games.csv:3: Player 2 Result: expected the same result as in Winner, found "L"',
  ]);
});

test('a letter in a row that is left out says nothing', () => {
  const games = 'round,player 1,player 2,result\n1,1,2,W\n,,,X\nTotal,,,1\n';
  const files = Object.entries({ event, players, games });
  const { feed } = convert(files.map(([name, text]) => ({ name, bytes: Buffer.from(text) })));
  assert.match(feed ?? '', /"winner":"p1"/);
});

test('points beside a result are no conflict, and a row where they disagree is noted', () => {
  const columns = 'Player 1 Result,Player 1 VP,Player 2 Result,Player 2 VP';
  assert.equal(results(columns, 'W,20,L,9', 'D,7,D,7', 'L,,W,'), '1 = 2');
  assert.deepEqual(converted(columns, 'W,20,L,9', 'L,20,W,9', 'D,7,D,8').notes, [
    'games.csv:3: Player 1 Result: the winner has fewer victory points (20 and 9)',
    'games.csv:4: Player 1 Result: a draw with 7 and 8 victory points',
  ]);
  assert.deepEqual(converted('Result,VP 1,VP 2', 'L,20,9').notes, [
    'games.csv:2: Result: the winner has fewer victory points (20 and 9)',
  ]);
});

test('a letter that is the name of a player in this game stays a name', () => {
  const games = 'round,player 1,player 2,result\n1,1,2,W\n';
  const sheets = { event, players: 'no,name\n1,L\n2,W\n', games };
  const files = Object.entries(sheets).map(([name, text]) => ({ name, bytes: Buffer.from(text) }));
  assert.match(convert(files).feed ?? '', /"winner":"p2"/);
});
