import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BattlePlayerDetail } from '../../contract/battle.ts';
import type { SiteSettings } from '../site-settings.ts';
import { en } from '../words/en.ts';
import { roundByRound } from './round-by-round.ts';

function side(player: string, victoryPoints: number | null, ...points: number[]): BattlePlayerDetail {
  const rounds = points.map((each, index) => ({
    round: index + 1,
    victoryPoints: each,
    objectivePoints: 0,
    objectives: [],
    battleTactic: 'Counterblow',
    battleTacticScored: true,
    priority: false,
  }));
  return { player, victoryPoints, rounds } as unknown as BattlePlayerDetail;
}

const linesOf = (first: BattlePlayerDetail, second: BattlePlayerDetail) => {
  const { curve, log } = roundByRound({ words: en } as SiteSettings, [first, second], true);
  const lines = [...curve.text.matchAll(/<polyline class="(\w)" points="([^"]*)"/g)];
  return {
    points: Object.fromEntries(lines.map(([, kind, points]) => [kind, points?.split(' ').length])),
    t: /<desc id="cd">([^<]*)</.exec(curve.text)?.[1] ?? curve.text.replaceAll(/<[^>]*>|\n/g, ' ').trim(),
    log: log?.text.replaceAll(/<[^>]*>|\n/g, ' ').replaceAll(/ +/g, ' ') ?? '',
  };
};

test('both curves begin at 0 and have a point for each round', () => {
  const { points, t } = linesOf(side('Ann', 9, 4, 5), side('Bea', 3, 0, 3));
  assert.deepEqual(points, { a: 3, b: 3 });
  assert.equal(t, 'Ann 4, 9; Bea 0, 3.');
});

test('a round that was not sent is no point, and a side without rounds is no line', () => {
  assert.deepEqual(linesOf(side('Ann', 12, 4, 5, 3), side('Bea', 3, 0, 3)).points, { a: 4, b: 3 });
  const { points, t } = linesOf(side('Ann', 9, 4, 5), side('Bea', 3));
  assert.deepEqual(points, { a: 4 });
  assert.equal(t, 'Ann 4, 9, 9; Bea 3.');
  assert.equal(linesOf(side('Ann', 9, 4, 5), side('Bea', null)).t, 'Ann 4, 9; Bea not recorded.');
});

test('rounds without points, though the battle has some, draw no zeros; what they brought is still told', () => {
  const { points, t, log } = linesOf(side('Ann', 40, 0, 0), side('Bea', 22, 0, 0));
  assert.deepEqual(points, {});
  assert.match(t, /The rounds weren’t recorded\./);
  assert.match(log, / 1 Counterblow , scored Counterblow , scored /);
  assert.doesNotMatch(log, / 0 /);
});
