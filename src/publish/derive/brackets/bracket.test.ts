import assert from 'node:assert/strict';
import { test } from 'node:test';
import { battle, match, participant, side, stage, tournament } from '../../../../harness/support/facts.ts';
import type { StageFacts } from '../../../record/facts/facts.ts';
import { bracketMatches } from './bracket.ts';

const people = new Map([
  ['a', participant('a')],
  ['b', participant('b', { name: null, erased: true })],
]);

function names(of: StageFacts, ...matches: [round: number, position: number][]): string[] {
  const facts = tournament({
    matches: matches.map(([round, position]) => match(of.id, round, position, [])),
  });
  return bracketMatches(facts, of, people).map(({ round }) => round);
}

test('matches come by round, then position, and only those of the stage', () => {
  const matches = [
    match('knockout', 2, 1, []),
    match('placement-3', 1, 9, []),
    match('knockout', 1, 2, []),
    match('knockout', 1, 1, []),
  ];
  const shown = bracketMatches(tournament({ matches }), stage('knockout', [], { rounds: 2 }), people);
  assert.deepEqual(
    shown.map(({ round, table }) => `${round} ${table}`),
    ['Semi-final 1', 'Semi-final 2', 'Final 1'],
  );
});

test('two names once both are known, none before; a walkover has a winner and no battle', () => {
  const known = { ...match('knockout', 1, 1, ['a', 'b'], 'b'), battle: 'b-1' };
  const matches = [known, match('knockout', 1, 2, ['a']), match('knockout', 1, 3, ['b', 'a'], 'a')];
  const battles = [battle({ id: 'b-1', stage: 'knockout', sides: [side('b'), side('a')] })];
  assert.deepEqual(
    bracketMatches(tournament({ matches, battles }), stage('knockout', []), people).map((shown) => [
      shown.players,
      shown.winner,
      shown.battle,
    ]),
    [
      [['A', 'Deleted player'], 'Deleted player', 'b-1'],
      [[], null, null],
      [['Deleted player', 'A'], 'A', null],
    ],
  );
});

test('a battle between others is not shown as the match', () => {
  const matches = [{ ...match('knockout', 1, 1, ['a', 'b'], 'b'), battle: 'b-1' }];
  const battles = [battle({ id: 'b-1', stage: 'knockout', sides: [side('a'), side('c')] })];
  const [shown] = bracketMatches(tournament({ matches, battles }), stage('knockout', []), people);
  assert.deepEqual([shown?.winner, shown?.battle], ['Deleted player', null]);
});

test('a name from the feed is used', () => {
  const matches = [{ ...match('knockout', 1, 1, []), name: 'Grand Final' }];
  assert.equal(
    bracketMatches(tournament({ matches }), stage('knockout', []), people)[0]?.round,
    'Grand Final',
  );
});

test('rounds of a knockout are named by the field, byes or not', () => {
  const rounds: [number, number][] = [1, 2, 3, 4, 5, 6, 7].map((round) => [round, 1]);
  assert.deepEqual(names(stage('knockout', [], { rounds: 7 }), ...rounds), [
    'Round of 128',
    'Round of 64',
    'Round of 32',
    'Round of 16',
    'Quarter-final',
    'Semi-final',
    'Final',
  ]);
  assert.deepEqual(names(stage('knockout', [], { rounds: 0 }), [1, 1], [2, 1]), ['Semi-final', 'Final']);
});

test('placement brackets are named by the places they settle', () => {
  assert.deepEqual(names(stage('placement-3', []), [1, 1]), ['Third-place match']);
  assert.deepEqual(names(stage('placement-3-4', []), [1, 1]), ['Third-place match']);
  assert.deepEqual(names(stage('placement-11', []), [1, 1]), ['11th-place match']);
  assert.deepEqual(names(stage('placement-21', []), [1, 1]), ['21st-place match']);
  assert.deepEqual(names(stage('placement-5-8', [], { rounds: 2 }), [1, 1], [1, 2], [2, 1], [2, 2]), [
    '5th–8th semi-final',
    '5th–8th semi-final',
    '5th-place match',
    '7th-place match',
  ]);
  assert.deepEqual(
    names(stage('placement-9-16', [], { rounds: 3 }), [1, 4], [2, 2], [2, 3], [3, 1], [3, 4]),
    [
      '9th–16th quarter-final',
      '9th–12th semi-final',
      '13th–16th semi-final',
      '9th-place match',
      '15th-place match',
    ],
  );
  assert.deepEqual(names(stage('placement-5-7', [], { rounds: 2 }), [1, 1], [2, 1]), [
    '5th–7th semi-final',
    '5th-place match',
  ]);
});
