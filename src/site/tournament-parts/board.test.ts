import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BoardRow } from '../../contract/standings.ts';
import type { RowView } from '../../published/views.ts';
import { html } from '../html.ts';
import { en } from '../words/en.ts';
import { board, type BoardMarks } from './board.ts';
import type { BoardOrder } from './order.ts';

const site = { siteUrl: 'https://wartable.example', words: en } as never;
const marks = { followed: undefined, rounds: 3, isRunning: true };

function row(rank: number, player: string, battlePoints: number, wins: number): BoardRow {
  const points = {
    battlePoints,
    wins,
    draws: 0,
    losses: 0,
    victoryPoints: 10 * rank,
    victoryPointsDiff: rank,
  };
  return { rank, player, playerId: null, faction: null, ...points };
}

/**
 * Returns the head and the rows as text, with the number that decided between asterisks. The columns begin
 * with those that a phone shows.
 */
function shown(rows: RowView[], order: Partial<BoardOrder>, more: Partial<BoardMarks> = {}): string[] {
  const { text } = board(site, rows, { ...marks, ...more }, { tieBreaks: [], rule: html``, ...order });
  return [...text.matchAll(/<tr[^>]*>(.*?)<\/tr>/gs)].map(([, cells = '']) =>
    cells
      .replaceAll('<span class="vh"> decided the order</span>', '')
      .replaceAll(/<i class="crest[^>]*>[^<]*<\/i>/g, '')
      .replaceAll(/<(td|span) class="([^"]* )?dec">(.*?)<\/\1>/g, '<$1> *$3*</$1>')
      .replaceAll(/<span class="sub/g, ' <span class="sub')
      .replaceAll(/<\/t[dh]>/g, ' | ')
      .replaceAll(/<[^>]*>/g, '')
      .replaceAll(/ +/g, ' ')
      .trim(),
  );
}

const played = { path: 'WW' };

test('columns come in the order of the rule, and the number that decided is bold, also on a phone', () => {
  const rows: RowView[] = [
    { ...row(1, 'Ann', 28, 3), ...played, decidedBy: null, opponents: 20 },
    { ...row(2, 'Bea', 30, 2), ...played, decidedBy: 'wins', opponents: 26.5 },
    { ...row(3, 'Cleo', 21, 2), ...played, decidedBy: 'opponentsBattlePoints', opponents: 22 },
    { ...row(4, 'Dora', 21, 2), ...played, decidedBy: 'headToHead', opponents: 22 },
  ];
  assert.deepEqual(
    shown(rows, { tieBreaks: ['wins', 'opponentsBattlePoints', 'headToHead', 'battlePoints'] }),
    [
      '# | Player | won–drawn–lost OBP | OBP | BP | ± | VP | W–D–L |',
      '1 | Ann | 3–0–0, unbeaten 20.0 | 20.0 | 28 | +1 | 10 | *3–0–0* |',
      '2 | Bea | 2–0–0, unbeaten 26.5 | 26.5 | 30 | +2 | 20 | *2–0–0* |',
      '3 | Cleo | 2–0–0, unbeaten *22.0* | *22.0* | 21 | +3 | 30 | 2–0–0 |',
      '4 | Dora lost to 3rd place | 2–0–0, unbeaten 22.0 | 22.0 | 21 | +4 | 40 | 2–0–0 |',
    ],
  );
});

test('nothing is bold where places were recorded, and a place that only the lot decided is not shown', () => {
  const rows: RowView[] = [
    row(1, 'Ann', 28, 3),
    row(2, 'Bea', 30, 2),
    { ...row(3, 'Cleo', 0, 0), isUnplaced: true },
  ];
  assert.deepEqual(shown(rows, { tieBreaks: ['battlePoints'] }), [
    '# | Player | won–drawn–lost ± | ± | VP | BP |',
    '1 | Ann | 3–0–0 +1 | +1 | 10 | 28 |',
    '2 | Bea | 2–0–0 +2 | +2 | 20 | 30 |',
    '– | Cleo | 0–0–0 +3 | +3 | 30 | 0 |',
  ]);
});

test('the strength of opponents stands there where it decided, on a phone with its name', () => {
  const rows: RowView[] = [
    { ...row(1, 'Ann', 20, 2), path: 'WWL', decidedBy: null, opponentsWins: 1.5, opponentsWinRate: 58.33 },
    {
      ...row(2, 'Bea', 20, 2),
      path: 'WL',
      decidedBy: 'opponentsWinRate',
      opponentsWins: 1.5,
      opponentsWinRate: 50,
    },
    {
      ...row(3, 'Cleo', 20, 2),
      path: 'LL',
      decidedBy: 'opponentsWins',
      opponentsWins: 1,
      opponentsWinRate: 33.33,
    },
  ];
  assert.deepEqual(shown(rows, { tieBreaks: ['battlePoints', 'opponentsWins', 'opponentsWinRate'] }), [
    '# | Player | won–drawn–lost OW | OW | OWR | ± | VP | BP |',
    '1 | Ann | 2–0–0 1.5 | 1.5 | 58.33 | +1 | 10 | *20* |',
    '2 | Bea | 2–0–0 *OWR 50.00* | 1.5 | *50.00* | +2 | 20 | 20 |',
    '3 | Cleo | 2–0–0 *1.0* | *1.0* | 33.33 | +3 | 30 | 20 |',
  ]);
});

test('who has not played has no place, and nothing is said to have decided it', () => {
  const rows: RowView[] = [
    { ...row(1, 'Ann', 3, 1), path: 'W', decidedBy: null },
    { ...row(2, 'Bea', 0, 0), isUnplaced: true, decidedBy: 'lot', playing: { table: 4 } },
  ];
  assert.deepEqual(shown(rows, { tieBreaks: ['battlePoints'] }).slice(1), [
    '1 | Ann | 1–0–0 +1 | +1 | 10 | *3* |',
    '–, playing now, T4 | Bea | 0–0–0 +2 | +2 | 20 | 0 |',
  ]);
});

test('no-shows and, while the event runs, drop-outs stand below the others; a drop-out keeps rank and record', () => {
  const rows: RowView[] = [
    { ...row(1, 'Ann', 6, 2), path: 'WW', isDropped: true },
    { ...row(2, 'Bea', 3, 1), path: 'WL', moved: 2 },
    { ...row(3, 'Cleo', 0, 0), rank: null, isNoShow: true },
  ];
  const [, ...running] = shown(rows, { tieBreaks: ['battlePoints'] }, { isRunning: true });
  assert.deepEqual(
    running,
    [
      '2, up 2▲2 | Bea | 1–0–0 +2 | +2 | 20 | 3 |',
      'Not playing',
      '1 | Ann Dropped out | 2–0–0, unbeaten +1 | +1 | 10 | 6 |',
      '– | Cleo No-show | |',
    ].map((line) => (line === 'Not playing' ? 'Not playing |' : line)),
  );
  const [, ...over] = shown(rows, { tieBreaks: ['battlePoints'] }, { isRunning: false });
  assert.equal(over[0]?.startsWith('1 | Ann |'), true);
});

test('a penalty stands at the points, and its reason below the board', () => {
  const rows: RowView[] = [
    { ...row(1, 'Ann', 5, 2), path: 'WW', adjustments: [{ battlePoints: -1, reason: 'late list' }] },
    { ...row(2, 'Bea', 3, 1), path: 'LW', adjustments: [{ victoryPoints: 10 }] },
  ];
  assert.equal(
    shown(rows, { tieBreaks: ['battlePoints'] })[1],
    '1 | Ann | 2–0–0, unbeaten +1 | +1 | 10 | 5−1 |',
  );
  const { text } = board(site, rows, marks, { tieBreaks: ['battlePoints'], rule: html`` });
  assert.match(text, /<li class="warn"><bdi>Ann<\/bdi> −1 BP: <bdi>late list<\/bdi><\/li>/);
  assert.match(text, /<li class="warn"><bdi>Bea<\/bdi> \+10 VP<\/li>/);
});

test('a board of more than 200 rows has pages, and who does not play stands on the last one', () => {
  const rows = Array.from({ length: 260 }, (_, index): RowView => ({
    ...row(index + 1, `Player ${index + 1}`, 300 - index, 1),
    path: 'W',
    ...(index === 0 && { isDropped: true }),
  }));
  const people = (after: number) =>
    shown(rows, { tieBreaks: ['battlePoints'] }, { isRunning: true, after }).flatMap(
      (line) => /Player \d+/.exec(line) ?? [],
    );
  const [first, second] = [people(0), people(200)];
  assert.deepEqual([first.length, second.length], [200, 60]);
  assert.deepEqual([first[0], second.at(-1)], ['Player 2', 'Player 1']);
  assert.equal(new Set([...first, ...second]).size, 260);
});

test('the dots of one round are below each other, also on a board that merges stages', () => {
  const rows: RowView[] = [
    { ...row(1, 'Ann', 28, 3), path: 'WWLW' },
    { ...row(2, 'Bea', 30, 2), path: 'WL' },
  ];
  const { text } = board(site, rows, { ...marks, rounds: 0 }, { tieBreaks: [], rule: html`` });
  const dots = [...text.matchAll(/<span class="run[^>]*><span class="vh">.*?<\/span>(.*?)<\/span>/g)];
  assert.deepEqual(
    dots.map(([, inside = '']) => inside.match(/<i/g)?.length),
    [4, 4],
  );
});
