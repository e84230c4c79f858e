import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Stage } from '../../contract/tournament.ts';
import { orderSentence } from './order.ts';

const swiss: Stage = { id: 'swiss', name: 'Swiss', type: 'board', rounds: 5 };
const knockout: Stage = { id: 'knockout', name: 'Top 8', type: 'bracket', rounds: 3 };
const placement: Stage = { id: 'placement-swiss', name: 'Sunday', type: 'board', rounds: 2 };
const merged: Stage = { id: 'standings', name: 'Final', type: 'board' };
const tieBreaks = ['battlePoints', 'headToHead', 'opponentsBattlePoints'];
const said = (stages: Stage[], stage: Stage, play: object) =>
  orderSentence(stages, stage, play)?.text.replaceAll(/<[^>]*>/g, '');

test('one sentence says how a board is ordered', () => {
  const all = [swiss, knockout, placement, merged];
  const list = 'battle points, then the game between the two, then the opponents’ battle points';
  assert.equal(said(all, swiss, { tieBreaks }), `Ordered by ${list}, then lot.`);
  assert.equal(said(all, placement, { tieBreaks }), `Ordered by ${list}, then the place before, then lot.`);
  assert.equal(
    said(all, merged, { tieBreaks }),
    `First Top 8 (the round reached), then Sunday, then Swiss: by ${list}, then lot.`,
  );
  assert.equal(said([swiss, merged], merged, { tieBreaks }), `Ordered by ${list}, then lot.`);
  assert.equal(
    said(all, merged, { tieBreaks, isRecorded: true }),
    'The places are those that the organiser recorded.',
  );
  // The version before has published it.
  assert.equal(said(all, swiss, {}), undefined);
});
