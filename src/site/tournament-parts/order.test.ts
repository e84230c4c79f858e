import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Stage } from '../../contract/tournament.ts';
import type { BoardView } from '../../published/views.ts';
import { en } from '../words/en.ts';
import { orderOf } from './order.ts';

const swiss: Stage = { id: 'swiss', name: 'Swiss', type: 'board', rounds: 5 };
const knockout: Stage = { id: 'knockout', name: 'Top 8', type: 'bracket', rounds: 3 };
const placement: Stage = { id: 'placement-swiss', name: 'Sunday', type: 'board', rounds: 2 };
const merged: Stage = { id: 'standings', name: 'Final', type: 'board' };
const tieBreaks = ['battlePoints', 'headToHead', 'opponentsBattlePoints'];
const t = (stages: Stage[], stage: Stage, view: Omit<BoardView, 'type' | 'rows' | 'factions'>) =>
  orderOf(en, stages, stage, { type: 'board', rows: [], ...view }).rule.text.replaceAll(/<[^>]*>/g, '');

test('one line says how a board is ordered', () => {
  const all = [swiss, knockout, placement, merged];
  const list = 'battle points, head-to-head, opponents’ BP';
  assert.equal(t(all, swiss, { tieBreaks }), `Order: ${list}, drawing lots.`);
  assert.equal(
    t(all, placement, { tieBreaks }),
    `Order: ${list}, place in the previous stage, drawing lots.`,
  );
  assert.equal(
    t(all, merged, { tieBreaks }),
    `Order: Top 8 (by round reached), Sunday, then Swiss by ${list}, drawing lots.`,
  );
  assert.equal(t([swiss, merged], merged, { tieBreaks }), `Order: ${list}, drawing lots.`);
  assert.equal(t([knockout, merged], merged, { tieBreaks }), 'Order: Top 8 (by round reached).');
  const recorded = 'Order: as recorded by the organiser.';
  assert.equal(t(all, merged, { tieBreaks, isRecorded: true }), recorded);
  assert.equal(t(all, swiss, { tieBreaks, isRecorded: true }), recorded);
  assert.equal(
    t(all, swiss, { tieBreaks, isRecorded: true, rankingAsOf: 3 }),
    `${recorded} Ranking after round 3.`,
  );
  assert.equal(
    t(all, swiss, { tieBreaks, isRecorded: true, rankingAsOf: 0 }),
    `${recorded} Ranking from before round 1.`,
  );
  assert.equal(t([swiss, merged], merged, { tieBreaks, isSwissRecorded: true }), recorded);
  assert.equal(
    t(all, merged, { tieBreaks, isSwissRecorded: true }),
    'Order: Top 8 (by round reached), Sunday, then Swiss as recorded by the organiser.',
  );
  assert.equal(
    t(all, merged, { tieBreaks, isSwissRecorded: true, rankingAsOf: 4 }),
    'Order: Top 8 (by round reached), Sunday, then Swiss as recorded by the organiser. Ranking after round 4.',
  );
  assert.equal(
    t([swiss, merged], merged, { tieBreaks, isSwissRecorded: true, rankingAsOf: 4 }),
    `${recorded} Ranking after round 4.`,
  );
});
