import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byStrength, reachOf, type WinRate, winRate } from './win-rate.ts';

// R. G. Newcombe, Two-sided confidence intervals for the single proportion, Statistics in Medicine 17 (1998),
// table I: the score method without continuity correction.
const published: [wins: number, games: number, low: string, high: string][] = [
  [81, 263, '0.2553', '0.3662'],
  [15, 148, '0.0624', '0.1605'],
  [0, 20, '0.0000', '0.1611'],
  [1, 29, '0.0061', '0.1718'],
];

for (const [wins, games, low, high] of published) {
  test(`the interval of ${wins} of ${games} is that of the published table, and its mirror image`, () => {
    const { low: from, high: to } = winRate({ wins, draws: 0, losses: games - wins });
    assert.deepEqual([(from / 100).toFixed(4), (to / 100).toFixed(4)], [low, high]);
    const mirrored = winRate({ wins: games - wins, draws: 0, losses: wins });
    assert.deepEqual(
      [(1 - mirrored.high / 100).toFixed(4), (1 - mirrored.low / 100).toFixed(4)],
      [low, high],
    );
  });
}

test('two draws are a win and a loss; without a game anything is possible', () => {
  const { rate, low, high } = winRate({ wins: 10, draws: 2, losses: 5 });
  const same = winRate({ wins: 11, draws: 0, losses: 6 });
  assert.deepEqual([rate, low, high], [same.rate, same.low, same.high]);
  assert.deepEqual(winRate({ wins: 0, draws: 0, losses: 0 }), {
    wins: 0,
    draws: 0,
    losses: 0,
    games: 0,
    rate: 50,
    low: 0,
    high: 100,
    says: 'few',
  });
});

test('a rate says something from 30 games on, and only when the interval leaves out 50 %', () => {
  const says = (wins: number, losses: number) => winRate({ wins, draws: 0, losses }).says;
  assert.deepEqual(
    [says(29, 0), says(30, 0), says(0, 30), says(16, 14)],
    ['few', 'above', 'below', 'either'],
  );
});

test('an interval that is shown as reaching 50 is not marked as sure', () => {
  const shown = ({ low, high }: WinRate) => [Math.round(low), Math.round(high)];
  const below = winRate({ wins: 18, draws: 0, losses: 32 });
  const above = winRate({ wins: 32, draws: 0, losses: 18 });
  assert.deepEqual([shown(below)[1], shown(above)[0]], [50, 50]);
  assert.ok(below.high < 50 && above.low > 50);
  assert.deepEqual([below.says, above.says], ['either', 'either']);
});

test('the strongest comes first, few games last; the axis holds all intervals of enough games', () => {
  const rate = (wins: number, losses: number) => ({ rated: winRate({ wins, draws: 0, losses }) });
  const factions = [rate(2, 0), rate(20, 30), rate(30, 20), rate(1, 0)];
  assert.deepEqual(
    byStrength(factions).map(({ rated: { games } }) => games),
    [50, 50, 2, 1],
  );
  assert.equal(byStrength(factions)[0]?.rated.wins, 30);
  assert.equal(reachOf(factions.map(({ rated }) => rated)), 25);
  assert.equal(reachOf([]), 15);
  assert.equal(reachOf([winRate({ wins: 40, draws: 0, losses: 0 })]), 50);
});
