import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  battle,
  participant,
  ranked,
  result,
  side,
  stage,
  tournament,
} from '../../../../harness/support/facts.ts';
import type { TournamentFacts } from '../../../record/facts/facts.ts';
import { newestRanking } from './recorded-ranks.ts';

const swiss = stage('swiss', ['a', 'b', 'c', 'd'], { rounds: 3 });
const carried = stage('placement-swiss', ['a', 'b'], { carriesOver: 'swiss', rounds: 2 });
const facts = tournament({
  stages: [swiss, carried],
  participants: ['a', 'b', 'c', 'd'].map((id) => participant(id)),
  battles: [result(['a', 3, 20], ['b', 0, 10]), result(['c', 3, 15], ['d', 0, 10])],
});
const bye = {
  stage: 'swiss',
  round: 2,
  participant: 'a',
  win: true,
  battlePoints: 3,
  victoryPoints: 0,
  victoryPointsDiff: 0,
};

test('a ranking is about the results that it came after, until there are others', () => {
  const before = ranked(facts, ['swiss', 1, ['a', 'c', 'b', 'd']], ['placement-swiss', 0, ['a']]);
  const asOf = (change: Partial<TournamentFacts>, of = swiss) =>
    newestRanking({ ...before, ...change }, of)?.asOf;
  const [first, second] = before.battles;
  assert.ok(first && second);
  const adjustments = [
    {
      stage: 'swiss',
      participant: 'a',
      battlePoints: -1,
      victoryPoints: 0,
      victoryPointsDiff: 0,
      reason: null,
    },
  ];
  const changes: [what: string, change: Partial<TournamentFacts>, asOf: number | null][] = [
    ['nothing changed', {}, null],
    ['another order of the facts', { battles: [second, first] }, null],
    ['another table', { battles: [{ ...first, table: 4 }, second] }, null],
    [
      'the next round is paired',
      { battles: [...before.battles, battle({ round: 2, finished: false, sides: [side('a'), side('c')] })] },
      null,
    ],
    ['a later result', { battles: [...before.battles, result(['a', 1, 1], ['c', 0, 0], { round: 2 })] }, 1],
    ['a later bye', { byes: [bye] }, 1],
    ['another winner', { battles: [{ ...first, winner: 1 }, second] }, 1],
    [
      'other points',
      {
        battles: [
          { ...first, sides: [side('a', { battlePoints: 2, victoryPoints: 20 }), first.sides[1]] },
          second,
        ],
      },
      1,
    ],
    ['a result that is taken back', { battles: [first] }, 1],
    ['a penalty', { adjustments }, 1],
  ];
  for (const [what, change, expected] of changes) assert.equal(asOf(change), expected, what);
  // Before its first round, a board that carries over ranks the results of the earlier board.
  assert.equal(asOf({}, carried), null);
  assert.equal(asOf({ battles: [first] }, carried), 0);
});

test('victory points are the same as a total and as a sum of rounds', () => {
  const round = (number: number, victoryPoints: number) => ({
    round: number,
    victoryPoints,
    objectivePoints: 0,
    objectives: [],
    battleTactic: '',
    battleTacticScored: false,
    priority: false,
    metrics: {},
  });
  const before = ranked(facts, ['swiss', 1, ['a']]);
  const [first, second] = before.battles;
  assert.ok(first && second);
  const sides = (...rounds: number[]): typeof first.sides => [
    side('a', { battlePoints: 3, rounds: rounds.map((points, index) => round(index + 1, points)) }),
    first.sides[1],
  ];
  const asOf = (...rounds: number[]) =>
    newestRanking({ ...before, battles: [{ ...first, sides: sides(...rounds) }, second] }, swiss)?.asOf;
  assert.deepEqual([asOf(12.5, 7.5), asOf(12.5, 7)], [null, 1]);
});
