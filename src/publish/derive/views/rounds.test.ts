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
import { boards } from '../boards/board.ts';
import { stageNow } from './current-round.ts';
import { type AfterRounds, afterRounds, pathsOf } from './rounds.ts';

const swiss = stage('swiss', ['a', 'b', 'c', 'd'], { rounds: 3 });
const carried = stage('placement-swiss', ['a', 'b', 'c'], { carriesOver: 'swiss', rounds: 2 });
const facts = tournament({
  stages: [swiss, carried],
  participants: ['a', 'b', 'c', 'd'].map((id, lot) => participant(id, { lot })),
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

function after(given: TournamentFacts, of = swiss): AfterRounds {
  const board = boards(given).get(of.id);
  assert.ok(board);
  return afterRounds(given, of, board, stageNow(given, of));
}

/** Returns the ranks of each participant after the complete rounds. */
const ranks = (given: TournamentFacts, of = swiss): string =>
  [...after(given, of).ranks]
    .map(([id, own]) => `${id} ${own.map((rank) => rank ?? '-').join('')}`)
    .toSorted()
    .join(', ');

const leaders = (given: TournamentFacts, of = swiss): string =>
  after(given, of)
    .complete.map((each) => `${each.group ?? ''}${each.round}: ${each.leaders.map(({ id }) => id).join()}`)
    .join('; ');

test('the ranks after each complete round, recorded ones where the organiser records any', () => {
  assert.equal(ranks(facts), 'a 1, b 4, c 2, d 3');
  assert.equal(ranks({ ...facts, battles: facts.battles.slice(1) }), '', 'two wait for their game');
  const open = battle({ round: 1, finished: false, sides: [side('a'), side('d')] });
  assert.equal(ranks({ ...facts, battles: [...facts.battles, open] }), '');
  const later = [...facts.battles, open, result(['a', 1, 1], ['c', 0, 0], { round: 2 })];
  assert.equal(ranks({ ...facts, battles: later }), 'a 1, b 4, c 2, d 3', 'play has gone past the open game');
  assert.equal(ranks({ ...facts, battles: later, byes: [bye] }), 'a 1, b 4, c 2, d 3');
  const dropped = facts.participants.map((each) => ({ ...each, dropped: each.id === 'd' }));
  const odd = { ...facts, participants: dropped, battles: later };
  assert.equal(ranks(odd), 'a 11, b 44, c 22, d 33', 'one may have a bye that is not told');
  assert.equal(
    ranks(ranked(odd, ['swiss', 1, ['a', 'c']], ['swiss', 3, [['d', 'c']]], ['placement-swiss', 1, ['b']])),
    'a 1--, b ---, c 2-1, d --1',
  );
});

test('a round that the organiser has ranked is complete, although a result is missing', () => {
  const open = battle({ round: 2, finished: false, sides: [side('b'), side('d')] });
  const battles = [...facts.battles, open, result(['c', 1, 1], ['a', 0, 0], { round: 2 })];
  const before = ranked({ ...facts, battles }, ['swiss', 1, ['a', 'b', 'c', 'd']]);
  assert.equal(ranks(before), 'a 1, b 2, c 3, d 4');
  const now = ranked(before, ['swiss', 1, ['a', 'b', 'c', 'd']], ['swiss', 2, ['c', 'a', 'b', 'd']]);
  assert.equal(ranks(now), 'a 12, b 23, c 31, d 44');
  assert.equal(leaders(now), '2: c');
});

test('where the organiser ranks rounds, the ranks end with the last round that is ranked', () => {
  const later = [2, 3].map((round) => result(['a', 1, 1], ['b', 0, 0], { round }));
  const given = ranked({ ...facts, battles: [...facts.battles, ...later] }, [
    'swiss',
    1,
    ['b', 'a', 'c', 'd'],
  ]);
  assert.equal(ranks(given), 'a 2, b 1, c 3, d 4');
  assert.equal(leaders(given), '1: b');
});

test('groups are complete one by one', () => {
  const grouped = { ...swiss, grouped: true };
  const participants = facts.participants.map((each, index) => ({ ...each, group: index < 2 ? 'X' : 'Y' }));
  const both = { ...facts, groups: ['X', 'Y'], stages: [grouped], participants };
  assert.equal(ranks(both, grouped), 'a 1, b 2, c 1, d 2');
  // One player of each group is waiting, as in two groups of three.
  const one = { ...both, battles: [result(['a', 1, 1], ['c', 0, 0])] };
  assert.equal(ranks(one, grouped), 'a 1, b -, c 2, d -');
  assert.equal(ranks({ ...one, stages: [swiss] }), '');
});

test('in a group that has not begun nobody leads', () => {
  const grouped = { ...swiss, grouped: true };
  const participants = facts.participants.map((each, index) => ({ ...each, group: index < 2 ? 'X' : 'Y' }));
  const battles = facts.battles.slice(0, 1);
  const given = { ...facts, groups: ['X', 'Y'], stages: [grouped], participants, battles };
  assert.equal(leaders(given, grouped), 'X1: a');
  assert.equal(ranks(given, grouped), 'a 1, b 2');
});

test('nobody leads where several share the first place', () => {
  assert.equal(leaders(facts), '1: a');
  assert.equal(leaders(ranked(facts, ['swiss', 1, [['a', 'c'], 'b']])), '1: ');
});

test('a no-show has the rank that the organiser gives, also in a group', () => {
  const grouped = { ...swiss, grouped: true };
  const participants = facts.participants.map((each) => ({ ...each, group: 'X', noShow: each.id === 'd' }));
  const battles = facts.battles.slice(0, 1);
  const given = { ...facts, groups: ['X'], stages: [grouped], participants, battles };
  assert.equal(ranks(ranked(given, ['swiss', 1, ['a', 'c', 'b', 'd']]), grouped), 'a 1, b 3, c 2, d 4');
});

test('another ranking of the earlier board changes the ranks that it decides', () => {
  const battles = [...facts.battles, result(['a', 1, 1], ['b', 1, 1], { stage: 'placement-swiss' })];
  const given = { ...facts, battles, tieBreaks: ['draws'], stages: [swiss, { ...carried, phase: 2 }] };
  const from = (...order: string[]) => ranks(ranked(given, ['swiss', 1, order]), given.stages[1]);
  assert.equal(from('a', 'b', 'c'), 'a 1, b 2, c 3');
  assert.equal(from('c', 'b', 'a'), 'a 3, b 2, c 1');
});

test('a round that was only paired counts, although none of its battles has a result', () => {
  const given = ranked(facts, ['swiss', 3, ['a', 'c', 'b', 'd']]);
  assert.equal(ranks(given), 'a -1, b -3, c -2, d -4');
  const open = { ...battle({ sides: [side('a'), side('c')] }), id: 'open', round: 2, finished: false };
  assert.equal(ranks({ ...given, battles: [...facts.battles, open] }), 'a --1, b --3, c --2, d --4');
});

test('the path of somebody who sat out a round reaches to the battle that they are playing', () => {
  const later = result(['b', 1, 1], ['d', 0, 0], { round: 2 });
  const open = battle({ id: 'open', round: 3, finished: false, sides: [side('a'), side('c')] });
  const paths = pathsOf({ ...facts, battles: [...facts.battles, later, open] }, ['swiss'], [open]);
  assert.deepEqual(
    ['a', 'b', 'c', 'd'].map((id) => paths.get(id)?.length),
    [2, 2, 2, 2],
  );
  assert.match(`${paths.get('a')} ${paths.get('c')}`, /^[WL]- [WL]-$/);
  assert.equal(pathsOf({ ...facts, battles: [open] }, ['swiss'], [open]).size, 0);
});
