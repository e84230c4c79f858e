import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sumOfPoints, victoryPointsOf } from './points.ts';

test('sums of points are exact to two decimals', () => {
  assert.equal(sumOfPoints([0.1, 0.2]), 0.3);
  assert.equal(sumOfPoints([1.1, 2.2, -3.3]), 0);
  assert.equal(sumOfPoints([1.005 - 0.005, 33.33, 66.67]), 101);
  assert.equal(sumOfPoints([]), 0);
  assert.equal(JSON.stringify(sumOfPoints([-0, 0.5, -0.5])), '0');
});

test('victory points: the recorded total, else the sum of the rounds, else null', () => {
  const rounds = [{ victoryPoints: 4.1 }, { victoryPoints: 0.2 }];
  assert.equal(victoryPointsOf({ victoryPoints: 0, rounds }), 0);
  assert.equal(victoryPointsOf({ victoryPoints: null, rounds }), 4.3);
  assert.equal(victoryPointsOf({ victoryPoints: null, rounds: [] }), null);
  assert.equal(victoryPointsOf({ victoryPoints: null }), null);
});
