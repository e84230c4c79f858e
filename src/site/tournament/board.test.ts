import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BoardRow } from '../../contract/standings.ts';
import { en } from '../words/en.ts';
import { board } from './board.ts';
import type { BoardOrder } from './order.ts';

const site = { siteUrl: 'https://wartable.example', words: en } as never;
const marks = { through: new Set(), dropped: new Set(), playing: new Map(), followed: undefined } as never;

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

/** The head and the rows as text, with what is bold between stars. */
function shown(rows: BoardRow[], order: Partial<BoardOrder>): string[] {
  const { text } = board(site, rows, marks, { tieBreaks: [], rule: undefined, ...order });
  return [...text.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, cells = '']) =>
    cells
      .replaceAll('<span class="vh"> decided</span>', '')
      .replaceAll(/<\/?b>/g, '*')
      .replaceAll(/<\/t[dh]>/g, ' | ')
      .replaceAll(/<[^>]*>/g, '')
      .replaceAll(/ +/g, ' ')
      .trim(),
  );
}

test('columns come in the order of the rule, and the number that decided is bold', () => {
  const rows = [row(1, 'Ann', 28, 3), row(2, 'Bea', 30, 2), row(3, 'Cleo', 21, 2), row(4, 'Dora', 21, 2)];
  assert.deepEqual(
    shown(rows, {
      tieBreaks: ['wins', 'opponentsBattlePoints', 'headToHead', 'battlePoints'],
      decidedBy: [null, 'wins', 'opponentsBattlePoints', 'headToHead'],
      opponents: [20, 26.5, 22, 22],
    }),
    [
      '# | Player | W–D–L | OBP | BP VP ± |',
      '1 | Ann | *3–0–0* | 20.0 | 28 10 +1 |',
      '2 | Bea | *2–0–0* | 26.5 | 30 20 +2 |',
      '3 | Cleo | 2–0–0 | *22.0* | 21 30 +3 |',
      '4 | Doralost to 3rd | 2–0–0 | 22.0 | 21 40 +4 |',
    ],
  );
});

test('nothing is bold where places were recorded, or a version before has published them', () => {
  const rows = [row(1, 'Ann', 28, 3), row(2, 'Bea', 30, 2)];
  assert.deepEqual(shown(rows, { tieBreaks: ['battlePoints'], decidedBy: [] }), [
    '# | Player | BP | W–D–L | VP ± |',
    '1 | Ann | 28 | 3–0–0 | 10 +1 |',
    '2 | Bea | 30 | 2–0–0 | 20 +2 |',
  ]);
});
