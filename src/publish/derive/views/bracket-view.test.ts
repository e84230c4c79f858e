import assert from 'node:assert/strict';
import { test } from 'node:test';
import { battle, match, participant, side, stage, tournament } from '../../../../harness/support/facts.ts';
import type { BattleFacts, MatchFacts, ParticipantFacts } from '../../../record/facts/facts.ts';
import { bracketView } from './bracket-view.ts';
import type { SeatView } from '../../../published/views.ts';

const seat = (each: SeatView): string => {
  if ('from' in each) return 'of' in each ? `${each.from} of ${each.of}` : each.from;
  return [each.player, each.outcome, each.victoryPoints].filter((part) => part !== undefined).join(' ');
};

function drawn(
  matches: MatchFacts[],
  battles: BattleFacts[] = [],
  people: ParticipantFacts[] = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => participant(id)),
): string[] {
  const rounds = Math.max(...matches.map(({ round }) => round));
  const facts = tournament({ matches, battles, participants: people });
  const knockout = stage(
    'knockout',
    people.map(({ id }) => id),
    { type: 'bracket', rounds },
  );
  const byId = new Map(people.map((each) => [each.id, each]));
  const { view } = bracketView(facts, knockout, byId, { isPast: false, round: 1 });
  return view.matches.map(
    ({ number, state, table, sides, next, isWalkover }) =>
      `${number} ${state} ${table}: ${sides.map(seat).join(' | ')}${next ? ` → ${next}` : ''}${isWalkover ? ' w/o' : ''}`,
  );
}

test('undecided matches say whose winners will play, and name those who are known', () => {
  assert.deepEqual(
    drawn([
      match('knockout', 1, 1, ['a', 'b'], 'a'),
      match('knockout', 1, 2, ['c', 'd']),
      match('knockout', 2, 1, []),
    ]),
    ['1 over 1: A win | B loss → 3', '2 open 2: C | D → 3', '3 wait 1: A | winner of 2'],
  );
});

test('the winner of the upper match stands first, whatever the order of the facts', () => {
  const first = [match('knockout', 1, 1, ['a', 'b'], 'a'), match('knockout', 1, 2, ['c', 'd'], 'c')];
  assert.equal(drawn([...first, match('knockout', 2, 1, ['c', 'a'])])[2], '3 open 1: A | C');
});

test('scores follow the players, not the order of the battle, also where both have one name', () => {
  const people = ['x', 'y'].map((id) => participant(id, { name: 'Ann' }));
  const played = battle({
    id: 'b1',
    stage: 'knockout',
    finished: true,
    winner: 0,
    sides: [side('x', { victoryPoints: 9 }), side('y', { victoryPoints: 30 })],
  });
  const final = { ...match('knockout', 1, 1, ['y', 'x'], 'x'), battle: 'b1' };
  assert.deepEqual(drawn([final], [played], people), ['1 over 1: Ann loss 30 | Ann win 9']);
  // The match has a winner even without a battle.
  assert.deepEqual(drawn([match('knockout', 1, 1, ['y', 'x'], 'x')], [], people), [
    '1 over 1: Ann loss | Ann win',
  ]);
});

test('a winner without a battle is a walkover only where another match has a battle; without an opponent it is a bye', () => {
  const walkover = match('knockout', 1, 1, ['a', 'b'], 'b');
  assert.deepEqual(drawn([walkover]), ['1 over 1: A loss | B win']);
  const played = battle({
    id: 'b1',
    stage: 'knockout',
    finished: true,
    winner: 0,
    sides: [side('c'), side('d')],
  });
  const other = { ...match('knockout', 1, 2, ['c', 'd'], 'c'), battle: 'b1' };
  assert.deepEqual(drawn([walkover, other], [played]), [
    '1 over 1: A loss | B win w/o',
    '2 over 2: C win | D loss',
  ]);
  assert.deepEqual(drawn([match('knockout', 1, 1, [], 'a')]), ['1 over null: A win | bye']);
});
