import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { battle, match, participant, side, stage, tournament } from '../../../../harness/support/facts.ts';
import type { TournamentFacts } from '../../../record/facts/facts.ts';
import { defaultStage, publicStages } from './stages.ts';

const stages = [
  stage('swiss', ['a', 'b'], { label: 'Qualifying', rounds: 5 }),
  stage('knockout', ['a', 'b'], { label: 'Top Cut', rounds: 2 }),
  stage('placement-swiss', [], { rounds: 3 }),
  stage('placement-3', [], { phase: 3 }),
];
const event = (facts: Partial<TournamentFacts>): TournamentFacts =>
  tournament({ stages, participants: [participant('a'), participant('b')], ...facts });
const running = (id: string) => battle({ stage: id, finished: false, sides: [side('a'), side('b')] });
const bye = {
  round: 1,
  participant: 'a',
  win: true,
  battlePoints: 0,
  victoryPoints: 0,
  victoryPointsDiff: 0,
};

test('labels are as recorded; only the knockout has the number of players', () => {
  assert.deepEqual(publicStages(event({})).slice(0, 2), [
    { id: 'swiss', name: 'Qualifying', type: 'board', rounds: 5 },
    { id: 'knockout', name: 'Top Cut', type: 'bracket', rounds: 2, players: 2 },
  ]);
  assert.deepEqual(
    publicStages(event({})).map((each) => 'players' in each),
    [false, true, false, false],
  );
});

test('a knockout without members has the players of its matches, once its first round is known', () => {
  const everybody = stage('knockout', ['a', 'b', 'c', 'd', 'e', 'f'], { rounds: 2, everybody: true });
  const playersIn = (...matches: TournamentFacts['matches']): number | undefined =>
    publicStages(event({ stages: [everybody], matches }))[0]?.players;
  const [first, second] = [match('knockout', 1, 1, ['a', 'b'], 'a'), match('knockout', 1, 2, ['c', 'd'])];
  const final = (...players: string[]) => match('knockout', 2, 1, players);
  assert.equal(playersIn(), undefined);
  assert.equal(playersIn(first, match('knockout', 1, 2, []), final()), undefined);
  assert.equal(playersIn(first, match('knockout', 1, 2, ['c']), final('a')), undefined);
  assert.equal(playersIn(first, second, final('a')), 4);
  // A player with a bye is in no match of the first round.
  assert.equal(playersIn(first, final('e')), 3);
  assert.equal(playersIn(final('a', 'c')), undefined);
  // The feed has not sent the other semi-final yet.
  assert.equal(playersIn(first), undefined);
  assert.equal(playersIn(first, final('a')), undefined);
  assert.equal(playersIn(match('placement-3', 1, 1, ['e', 'f']), first, second), 4);
  assert.ok(!('players' in (publicStages(event({ stages: [everybody] }))[0] ?? {})));
});

test('a knockout that nobody is in yet has no number of players', () => {
  const empty = stage('knockout', [], { rounds: 2 });
  const shown = (...matches: TournamentFacts['matches']) =>
    publicStages(event({ stages: [empty], matches }))[0];
  assert.deepEqual(shown(), { id: 'knockout', name: empty.label, type: 'bracket', rounds: 2 });
  assert.ok(!('players' in (shown(match('knockout', 1, 1, [])) ?? {})));
  assert.equal(shown(match('knockout', 1, 1, ['a', 'b']), match('knockout', 1, 2, ['c', 'd']))?.players, 4);
});

test('the merged stage comes last once the tournament is finished, with its own label and no rounds', () => {
  const finished = publicStages(event({ status: 'finished', standingsLabel: 'Overall' }));
  assert.deepEqual(finished.at(-1), { id: 'standings', name: 'Overall', type: 'board' });
  assert.equal(defaultStage(event({ status: 'finished' })), 'standings');
  assert.equal(publicStages(event({ status: 'ongoing' })).length, 4);
});

const sideBySide = [
  'knockout',
  'swiss',
  'placement-swiss',
  'placement-3',
  'placement-5',
  'placement-5-8',
  'placement-17-32',
];

test('in one phase the default is the knockout, swiss, placement-swiss, then the lowest first place', () => {
  for (const [index, expected] of sideBySide.entries()) {
    const begun = sideBySide.slice(index);
    const facts = {
      stages: sideBySide.map((id) => stage(id, [], { phase: 1 })).toReversed(),
      battles: begun.map(running),
    };
    assert.equal(defaultStage(event(facts)), expected);
  }
});

test('the same stages in every order give the same default', () => {
  const phases = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 7, maxLength: 7 });
  const begun = fc.subarray(sideBySide, { minLength: 1 });
  const order = fc.shuffledSubarray(sideBySide, { minLength: 7 });
  fc.assert(
    fc.property(phases, begun, order, (phaseOf, ids, shuffled) => {
      const told = (names: string[]) =>
        names.map((id) => stage(id, [], { phase: phaseOf[sideBySide.indexOf(id)] ?? 1 }));
      const battles = ids.map(running);
      assert.equal(
        defaultStage(event({ stages: told(shuffled), battles })),
        defaultStage(event({ stages: told(sideBySide), battles })),
      );
    }),
  );
});

const moments: [what: string, facts: Partial<TournamentFacts>, expected: string | null][] = [
  ['nothing has begun', {}, 'swiss'],
  ['a bracket is drawn up without anybody in it', { matches: [match('knockout', 1, 1, [])] }, 'swiss'],
  ['only one player of a match is known', { matches: [match('knockout', 1, 1, ['a'])] }, 'swiss'],
  ['a match is known', { matches: [match('knockout', 1, 1, ['a', 'b'])] }, 'knockout'],
  ['a battle runs', { battles: [running('placement-swiss')] }, 'placement-swiss'],
  ['two stages run side by side', { battles: [running('placement-swiss'), running('knockout')] }, 'knockout'],
  ['a bye is given', { byes: [{ ...bye, stage: 'placement-swiss' }] }, 'placement-swiss'],
  ['a later phase has begun', { battles: [running('placement-3'), running('knockout')] }, 'placement-3'],
  ['there are no stages', { stages: [] }, null],
];
for (const [what, facts, expected] of moments) {
  test(`shown by default when ${what}: ${expected}`, () =>
    assert.equal(defaultStage(event(facts)), expected));
}
