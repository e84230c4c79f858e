import assert from 'node:assert/strict';
import { test } from 'node:test';
import { result, tournament } from '../../../../harness/support/facts.ts';
import type { TournamentFacts } from '../../../record/facts/facts.ts';
import { Tallies } from './tally.ts';
import { inOrder } from './tie-break.ts';

function order(
  ids: string[],
  tieBreaks: string[],
  facts: Partial<TournamentFacts>,
  lots: Record<string, number> = {},
): string {
  const contenders = ids.map((id) => ({ id, lot: lots[id] ?? 0, earlierRank: null }));
  return inOrder(contenders, tieBreaks, new Tallies(tournament(facts), new Set(['swiss'])))
    .map(({ id }) => id)
    .join(' ');
}

const bye = { stage: 'swiss', round: 9, win: false, battlePoints: 0, victoryPoints: 0, victoryPointsDiff: 0 };

test('the tie-breaks apply in the order of the tournament', () => {
  // a has 3 battle points and 20 victory points; b has 2 and 30.
  const battles = [result(['a', 3, 20], ['x', 0, 10]), result(['b', 2, 30], ['y', 0, 29])];
  assert.equal(order(['b', 'a'], ['battlePoints'], { battles }), 'a b');
  assert.equal(order(['a', 'b'], ['victoryPoints', 'battlePoints'], { battles }), 'b a');
  assert.equal(order(['b', 'a'], ['wins', 'victoryPointsDiff'], { battles }), 'a b');
});

test('without anything to tell them apart: the lot, then the id', () => {
  assert.equal(order(['b', 'a', 'c'], [], {}, { a: 2, b: 1, c: 2 }), 'b a c');
});

test('hundredths decide', () => {
  const battles = [
    result(['a', 1.1, 1], ['x', 0, 0]),
    result(['a', 2.2, 1], ['x', 0, 0]),
    result(['b', 3.3, 1], ['y', 0, 0]),
  ];
  // In binary 1.1 + 2.2 is more than 3.3, which would put a first.
  assert.equal(order(['a', 'b'], ['battlePoints'], { battles }, { a: 2, b: 1 }), 'b a');
});

test("opponents' battle points are a mean per battle, so a bye costs nothing", () => {
  // a met x (4); b met y (3) and z (3): the sum would favour b.
  const battles = [
    result(['a', 1, 5], ['x', 4, 5]),
    result(['b', 1, 5], ['y', 3, 5]),
    result(['b', 0, 5], ['z', 3, 5]),
  ];
  const byes = [{ ...bye, participant: 'a' }];
  assert.equal(
    order(['b', 'a'], ['battlePoints', 'opponentsBattlePoints'], { battles, byes }, { a: 2, b: 1 }),
    'a b',
  );
});

test("an opponent's byes and adjustments are in the opponent's battle points", () => {
  const battles = [result(['a', 1, 5], ['x', 1, 5]), result(['b', 1, 5], ['y', 1, 5])];
  const byes = [{ ...bye, participant: 'y', battlePoints: 0.01 }];
  assert.equal(order(['a', 'b'], ['opponentsBattlePoints'], { battles, byes }), 'b a');
});

test('equal means stay tied for any number of battles', () => {
  // a: (1 + 0 + 0) / 3; b: (2 + 0 + 0 + 0 + 0 + 0) / 6.
  const battles = [
    result(['a', 0, 1], ['u', 1, 1]),
    ...['v', 'w'].map((id) => result(['a', 0, 1], [id, 0, 1])),
    result(['b', 0, 1], ['t', 2, 1]),
    ...['k', 'l', 'm', 'n', 'o'].map((id) => result(['b', 0, 1], [id, 0, 1])),
  ];
  assert.equal(order(['a', 'b'], ['opponentsBattlePoints'], { battles }, { a: 2, b: 1 }), 'b a');
});

test('head-to-head decides between exactly two who have met', () => {
  const battles = [result(['a', 1, 5], ['b', 1, 6])];
  assert.equal(order(['a', 'b'], ['battlePoints', 'headToHead'], { battles }), 'b a');
  assert.equal(order(['b', 'a'], ['battlePoints', 'headToHead'], { battles }), 'b a');
});

test('head-to-head decides nothing between two who never met, or who drew', () => {
  const apart = [result(['a', 1, 5], ['x', 1, 4]), result(['b', 1, 5], ['y', 1, 6])];
  assert.equal(order(['b', 'a'], ['battlePoints', 'headToHead'], { battles: apart }), 'a b');
  assert.equal(order(['b', 'a'], ['headToHead'], { battles: [result(['a', 1, 5], ['b', 1, 5])] }), 'a b');
});

test('head-to-head decides nothing among three, even if one beat both', () => {
  const battles = [result(['c', 1, 6], ['a', 1, 5]), result(['c', 0, 6], ['b', 1, 5])];
  assert.equal(order(['a', 'b', 'c'], ['battlePoints', 'headToHead'], { battles }), 'a b c');
});

test('head-to-head sees only those who are still tied at that point', () => {
  // Three are tied on battle points. Victory points leave only a and b tied, who have met.
  const battles = [
    result(['b', 1, 6], ['a', 1, 5]),
    result(['a', 0, 1], ['x', 0, 0]),
    result(['c', 1, 3], ['x', 0, 0]),
  ];
  assert.equal(order(['a', 'b', 'c'], ['battlePoints', 'headToHead', 'victoryPoints'], { battles }), 'a b c');
  assert.equal(order(['a', 'b', 'c'], ['battlePoints', 'victoryPoints', 'headToHead'], { battles }), 'b a c');
});

test('the rank on an earlier board comes before the lot, and having one before having none', () => {
  const tallies = new Tallies(tournament(), new Set(['swiss']));
  const ranked = inOrder(
    [
      { id: 'none', lot: 1, earlierRank: null },
      { id: 'second', lot: 2, earlierRank: 2 },
      { id: 'first', lot: 3, earlierRank: 1 },
    ],
    ['battlePoints'],
    tallies,
  );
  assert.deepEqual(
    ranked.map(({ id, decidedBy }) => [id, decidedBy]),
    [
      ['first', null],
      ['second', 'earlierRank'],
      ['none', 'earlierRank'],
    ],
  );
});

test('each one but the first says what put it below the one before', () => {
  // a and b have 3 battle points, c and d have 2, e and f have 1. b beat a. c has more victory points than d.
  // e and f are equal.
  const battles = [
    result(['b', 2, 9], ['a', 2, 5]),
    result(['a', 1, 9], ['x', 0, 0]),
    result(['b', 1, 5], ['x', 0, 0]),
    result(['c', 2, 6], ['y', 0, 0]),
    result(['d', 2, 5], ['y', 0, 0]),
    result(['e', 1, 5], ['z', 0, 0]),
    result(['f', 1, 5], ['z', 0, 0]),
  ];
  const tieBreaks = ['battlePoints', 'headToHead', 'victoryPoints'];
  const contenders = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => ({ id, lot: 0, earlierRank: null }));
  const tallies = new Tallies(tournament({ battles }), new Set(['swiss']));
  assert.deepEqual(
    inOrder(contenders, tieBreaks, tallies).map(({ id, decidedBy }) => `${id} ${decidedBy}`),
    ['b null', 'a headToHead', 'c battlePoints', 'd victoryPoints', 'e battlePoints', 'f lot'],
  );
});

test("opponents' wins are a mean per battle, with the winning byes of the opponents", () => {
  // a met x, who has one win of two games; b met y and z, who have one win and none.
  const battles = [
    result(['a', 0, 5], ['x', 0, 5]),
    result(['x', 0, 9], ['q', 0, 5]),
    result(['b', 0, 5], ['y', 0, 5]),
    result(['y', 0, 9], ['q', 0, 5]),
    result(['b', 0, 5], ['z', 0, 5]),
  ];
  assert.equal(order(['b', 'a'], ['opponentsWins'], { battles }, { a: 2, b: 1 }), 'a b');
  const byes = [{ ...bye, participant: 'z', win: true }];
  assert.equal(order(['b', 'a'], ['opponentsWins'], { battles, byes }, { a: 2, b: 1 }), 'b a');
});

test("no opponent's win rate is below a third, and a draw is half a win", () => {
  const lost = (id: string, times: number) =>
    Array.from({ length: times }, () => result([id, 0, 0], ['q', 0, 9]));
  // x has won 0 of 4 and y 1 of 4, so both count as a third.
  const few = [
    result(['a', 0, 9], ['x', 0, 0]),
    ...lost('x', 3),
    result(['b', 0, 0], ['y', 0, 9]),
    ...lost('y', 3),
  ];
  assert.equal(order(['b', 'a'], ['opponentsWinRate'], { battles: few }, { a: 1, b: 2 }), 'a b');
  // x has drawn 3 of 4, which is 3/8 and thus more than a third.
  const drawn = [
    result(['a', 0, 9], ['x', 0, 0]),
    ...[1, 2, 3].map(() => result(['x', 0, 5], ['q', 0, 5])),
    result(['b', 0, 0], ['y', 0, 9]),
    ...lost('y', 3),
  ];
  assert.equal(order(['b', 'a'], ['opponentsWinRate'], { battles: drawn }, { a: 2, b: 1 }), 'a b');
});

test('win rates are compared as fractions: in binary, the order of 1/2, 1/3 and 3/5 changes their sum', () => {
  const games = (id: string, wins: number, losses: number) => [
    ...Array.from({ length: wins }, () => result([id, 0, 9], ['q', 0, 0])),
    ...Array.from({ length: losses }, () => result([id, 0, 0], ['q', 0, 9])),
  ];
  const meets = (id: string, ...opponents: string[]) =>
    opponents.map((opponent) => result([id, 0, 9], [opponent, 0, 0]));
  const battles = [
    ...meets('a', 'x1', 'y1', 'z1'),
    ...meets('b', 'z2', 'y2', 'x2'),
    ...['1', '2'].flatMap((of) => [
      ...games(`x${of}`, 1, 0),
      ...games(`y${of}`, 1, 1),
      ...games(`z${of}`, 3, 1),
    ]),
  ];
  for (const lots of [
    { a: 1, b: 2 },
    { a: 2, b: 1 },
  ]) {
    const byLot = lots.a < lots.b ? 'a b' : 'b a';
    assert.equal(order(['b', 'a'], ['opponentsWinRate'], { battles }, lots), byLot);
    const more = { battles: [...battles, ...games('z1', 1, 0)] };
    assert.equal(order(['b', 'a'], ['opponentsWinRate'], more, lots), 'a b');
  }
});

test('a tie-break that we do not know decides nothing', () => {
  const battles = [result(['a', 3, 20], ['x', 0, 10]), result(['b', 2, 30], ['y', 0, 29])];
  assert.equal(order(['b', 'a'], ['painting', 'toString', 'battlePoints'], { battles }), 'a b');
});
