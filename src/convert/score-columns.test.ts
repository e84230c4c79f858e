import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TournamentRecord } from '../record/feed/records.ts';
import { convert, type Converted } from './convert.ts';

// Names of score columns as organisers write them. Each sheet is converted with all its results, or refused
// with the name of the column.

const event = 'slug,cup\nname,Cup\nstatus,ongoing\npublished,no\nsize,2000\nscoring,3/1/0\n';
const players = 'no,name\n1,Ana\n2,Bo\n3,Cy\n4,Di\n';

function typed(first: string, second: string, more = ''): Converted {
  const games = `round,player 1,player 2,${first},${second}${more}\n1,1,2,20,9\n1,3,4,7,12\n`;
  const files = Object.entries({ event, players, games });
  return convert(files.map(([name, text]) => ({ name: `${name}.csv`, bytes: Buffer.from(text) })));
}

const winners = ({ feed = '{}' }: Converted): unknown =>
  (JSON.parse(feed) as TournamentRecord).battles?.map(
    ({ winner, sides }) => `${winner} ${sides.map(({ victoryPoints }) => victoryPoints).join('-')}`,
  );

const scores: [string, string][] = [
  ['Score 1', 'Score 2'],
  ['Score1', 'Score2'],
  ['score_1', 'score_2'],
  ['Score A', 'Score B'],
  ['Player 1 Score', 'Player 2 Score'],
  ["Player 1's score", "Player 2's score"],
  ['Score Player 1', 'Score Player 2'],
  ['Score (Player 1)', 'Score (Player 2)'],
  ['P1 Score', 'P2 Score'],
  ['Score', 'Opponent Score'],
  ['Score', "Opponent's score"],
  ['My score', 'Opp. score'],
  ['Player score', 'Score of opponent'],
  ['Points 1', 'Points 2'],
  ['Points', 'Opponent points'],
  ['Pts A', 'Pts B'],
  ['Result 1', 'Result 2'],
  ['Result', 'Opponent result'],
  ['Punkte 1', 'Punkte 2'],
  ['Punkte Spieler 1', 'Punkte Spieler 2'],
  ['Spieler 1 Punkte', 'Spieler 2 Punkte'],
  ['Punkte', 'Punkte Gegner'],
  ['Punkte A', 'Punkte B'],
  ['Ergebnis 1', 'Ergebnis 2'],
  ['Points joueur 1', 'Points joueur 2'],
  ['Score du joueur 1', 'Score du joueur 2'],
  ['Points', "Points de l'adversaire"],
  ['Puntos 1', 'Puntos 2'],
  ['Puntuación jugador 1', 'Puntuación jugador 2'],
  ['Puntos', 'Puntos rival'],
  ['Punti 1', 'Punti 2'],
  ['Punteggio giocatore 1', 'Punteggio giocatore 2'],
  ['Punti', 'Punti avversario'],
  ['Punkty 1', 'Punkty 2'],
  ['Punkty gracza 1', 'Punkty gracza 2'],
  ['Wynik gracz 1', 'Wynik gracz 2'],
  ['Punkty', 'Punkty przeciwnika'],
  ['Wynik', 'Wynik przeciwnika'],
];

test('scores that do not say which points they are become victory points, with a note', () => {
  for (const [first, second] of scores) {
    const all = typed(first, second);
    assert.deepEqual(all.refusals, [], first);
    assert.deepEqual(winners(all), ['p1 20-9', 'p4 7-12'], first);
    assert.deepEqual(all.notes, [
      `games.csv:1: "${first}" and "${second}" were read as the victory points vp 1 and vp 2: call them bp 1 and bp 2 if they are battle points`,
    ]);
  }
});

test('points with their own name need no note, wherever the side stands', () => {
  for (const [first, second] of [
    ['Player 1 VP', 'Player 2 VP'],
    ['VP', 'Opponent VP'],
    ['Siegpunkte Spieler 1', 'Siegpunkte Spieler 2'],
    ['Małe punkty 1', 'Małe punkty 2'],
  ] as const) {
    const all = typed(first, second);
    assert.deepEqual([all.refusals, all.notes], [[], []], first);
    assert.deepEqual(winners(all), ['p1 20-9', 'p4 7-12'], first);
  }
  const battle = typed('TP Spieler 1', 'TP Spieler 2');
  assert.match(battle.feed ?? '', /"participant":"p1","battlePoints":20\}/);
});

test('a result stays one beside scores of both sides, or of other points', () => {
  const read = (columns: string, cells: string) => {
    const games = `round,player 1,player 2,${columns}\n1,1,2,${cells}\n`;
    const files = Object.entries({ event, players, games });
    return winners(convert(files.map(([name, text]) => ({ name, bytes: Buffer.from(text) }))));
  };
  assert.deepEqual(read('Result,Result 1,Result 2', '2,9,9'), ['p2 9-9']);
  assert.deepEqual(read('Result,Opponent score', '1,8'), ['p1 -']);
  assert.deepEqual(read('Result,Opponent result,vp 1,vp 2', '2,,9,9'), ['p2 9-9']);
  assert.deepEqual(read('Result,Opponent result,vp 1,vp 2', 'Bo,,9,9'), ['p2 9-9']);
});

test('other names are refused by name, also where a vp column stands empty', () => {
  const others: [string, string][] = [
    ['S1', 'S2'],
    ['Home', 'Away'],
    ['Left', 'Right'],
    ['Kills 1', 'Kills 2'],
    ['Score 1', 'Remarks'],
    ['Score', 'Score'],
    ['Points scored by the first', 'Points scored by the second'],
  ];
  for (const [first, second] of others) {
    const { feed, refusals } = typed(first, second);
    assert.equal(feed, undefined, first);
    assert.ok(
      refusals[0]?.includes(`found only ${JSON.stringify(first)}, ${JSON.stringify(second)} with`),
      refusals[0],
    );
    assert.equal(refusals.length, 1);
  }
  assert.ok(typed('Score 1', 'Score 2', ',vp 1,vp 2').refusals[0]?.includes('"Score 1", "Score 2"'));
  assert.match(
    typed('Score 1', 'Points 1', ',Score 2').refusals.join(),
    /Points 1: expected one column for vp 1/,
  );
});

test('each games sheet must have results of its own, if it has columns that are not known', () => {
  const read = 'round,player 1,player 2,vp 1,vp 2\n1,1,2,20,9\n1,3,4,7,12\n';
  const lost = 'round,player 1,player 2,Home,Away\n2,1,3,20,9\n2,2,4,7,12\n';
  const files = Object.entries({ event, players, 'round-1': read, 'round-2': lost });
  const { refusals } = convert(
    files.map(([name, text]) => ({ name: `${name}.csv`, bytes: Buffer.from(text) })),
  );
  assert.match(refusals.join(), /^round-2\.csv: expected a result .* found only "Home", "Away" with content/);
});
