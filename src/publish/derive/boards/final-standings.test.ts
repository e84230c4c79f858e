import assert from 'node:assert/strict';
import { test } from 'node:test';
import { match, participant, ranking, result, stage, tournament } from '../../../../harness/support/facts.ts';
import type {
  MatchFacts,
  ParticipantFacts,
  StageFacts,
  TournamentFacts,
} from '../../../record/facts/facts.ts';
import { boards } from './board.ts';
import { finalStandings } from './final-standings.ts';
import { Tallies } from './tally.ts';

function order(facts: Partial<TournamentFacts>): string {
  const finished = tournament({ status: 'finished', ...facts });
  const merged = new Tallies(finished, new Set(finished.stages.map(({ id }) => id)));
  return finalStandings(finished, boards(finished), merged)
    .map(({ participant: { id }, rank }) => `${rank ?? '-'}${id}`)
    .join(' ');
}

const letters = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
/** The lots are in alphabetical order, so that a Swiss board of equal players is alphabetical, too. */
const people = (ids: string[], facts: Record<string, Partial<ParticipantFacts>> = {}): ParticipantFacts[] =>
  ids.map((id, index) => participant(id, { lot: index, ...facts[id] }));
const knockout = (ids: string[], seeds: (number | null)[] = []): StageFacts =>
  stage('knockout', [], {
    rounds: 3,
    members: ids.map((id, index) => ({ participant: id, seed: seeds[index] ?? null })),
  });

// b, d, f and h lose in the first round, then c and g, then e. a wins.
const eight: MatchFacts[] = [
  match('knockout', 1, 1, ['a', 'b'], 'a'),
  match('knockout', 1, 2, ['c', 'd'], 'c'),
  match('knockout', 1, 3, ['e', 'f'], 'e'),
  match('knockout', 1, 4, ['g', 'h'], 'g'),
  match('knockout', 2, 1, ['a', 'c'], 'a'),
  match('knockout', 2, 2, ['e', 'g'], 'e'),
  match('knockout', 3, 1, ['a', 'e'], 'a'),
];

test('by round reached; out in the same round: by seed', () => {
  const stages = [stage('swiss', letters), knockout(letters, [1, 8, 7, 3, 2, 4, 6, 5])];
  assert.equal(order({ stages, participants: people(letters), matches: eight }), '1a 2e 3g 4c 5d 6f 7h 8b');
});

test('out in the same round without seeds: by Swiss rank', () => {
  const stages = [stage('swiss', letters), knockout(letters)];
  const battles = [result(['h', 9, 20], ['b', 0, 1]), result(['g', 9, 20], ['c', 0, 19])];
  assert.equal(
    order({ stages, participants: people(letters), matches: eight, battles }),
    '1a 2e 3g 4c 5h 6d 7f 8b',
  );
});

test('out in the same round: by the placement bracket of their band before any seed', () => {
  const stages = [
    stage('swiss', letters),
    knockout(letters, [1, 2, 3, 4, 5, 6, 7, 8]),
    stage('placement-3', ['c', 'g']),
    stage('placement-5-8', ['b', 'd', 'f', 'h'], { rounds: 2 }),
  ];
  const matches = [
    ...eight,
    match('placement-3', 1, 1, ['c', 'g'], 'g'),
    match('placement-5-8', 1, 1, ['b', 'd'], 'd'),
    match('placement-5-8', 1, 2, ['f', 'h'], 'h'),
    match('placement-5-8', 2, 1, ['d', 'h'], 'h'),
    match('placement-5-8', 2, 2, ['b', 'f'], 'b'),
  ];
  assert.equal(order({ stages, participants: people(letters), matches }), '1a 2e 3g 4c 5h 6d 7b 8f');
  // Half of it was played. Those who lost first come last, and seeds decide the rest.
  assert.equal(
    order({ stages, participants: people(letters), matches: matches.slice(0, 10) }),
    '1a 2e 3g 4c 5d 6h 7b 8f',
  );
});

test('a band may be split over several brackets', () => {
  const stages = [
    knockout(letters, [1, 2, 3, 4, 5, 6, 7, 8]),
    stage('placement-5-8', []),
    stage('placement-5', []),
    stage('placement-7', []),
  ];
  const matches = [
    ...eight,
    match('placement-5-8', 1, 1, ['b', 'd'], 'd'),
    match('placement-5-8', 1, 2, ['f', 'h'], 'h'),
    match('placement-5', 1, 1, ['d', 'h'], 'h'),
    match('placement-7', 1, 1, ['b', 'f'], 'f'),
  ];
  assert.equal(order({ stages, participants: people(letters), matches }), '1a 2e 3c 4g 5h 6d 7f 8b');
});

test('a bracket for the end of a band leaves its beginning to those outside', () => {
  const stages = [knockout(letters, [1, 2, 3, 4, 5, 6, 7, 8]), stage('placement-7', [])];
  const matches = [...eight, match('placement-7', 1, 1, ['b', 'd'], 'd')];
  assert.equal(order({ stages, participants: people(letters), matches }), '1a 2e 3c 4g 5f 6h 7d 8b');
});

test('a bracket of another band settles nothing', () => {
  const stages = [knockout(letters, [1, 2, 3, 4, 5, 6, 7, 8]), stage('placement-3', [])];
  const matches = [...eight, match('placement-3', 1, 1, ['b', 'd'], 'd')];
  assert.equal(order({ stages, participants: people(letters), matches }), '1a 2e 3c 4g 5b 6d 7f 8h');
});

test('a bye reaches the next round, and a third-place match inside the knockout lifts no player', () => {
  const stages = [knockout(['a', 'b', 'c', 'd'])];
  const bye = {
    stage: 'knockout',
    round: 1,
    participant: 'd',
    win: true,
    battlePoints: 0,
    victoryPoints: 0,
    victoryPointsDiff: 0,
  };
  const matches = [
    match('knockout', 1, 1, ['a', 'b'], 'a'),
    match('knockout', 2, 1, ['a', 'c'], 'c'),
    match('knockout', 2, 2, ['b', 'a'], 'b'),
  ];
  assert.equal(
    order({ stages, participants: people(['a', 'b', 'c', 'd']), matches, byes: [bye] }),
    '1c 2a 3d 4b',
  );
});

test('then placement-swiss, then the rest in Swiss order, then no-shows without rank', () => {
  const ids = ['a', 'b', 'c', 'd', 'e', 'x', 'w'];
  const stages = [stage('swiss', ids), knockout(['e', 'w']), stage('placement-swiss', ['c', 'd'])];
  const battles = [
    result(['b', 3, 9], ['a', 0, 1]),
    result(['d', 3, 9], ['c', 0, 1], { stage: 'placement-swiss' }),
  ];
  const participants = people(ids, { x: { noShow: true, name: 'Zed' }, w: { noShow: true, name: 'Yan' } });
  const matches = [match('knockout', 1, 1, ['e', 'w'], 'e')];
  assert.equal(order({ stages, participants, battles, matches }), '1e 2d 3c 4b 5a -w -x');
  // Everybody is in the knockout. Those without a match come last in it, unless they are in placement-swiss.
  const everybody = stages.with(1, knockout(ids));
  assert.equal(order({ stages: everybody, participants, battles, matches }), '1e 2b 3a 4d 5c -w -x');
});

test('groups: the rank in the group first, then the tie-break list across groups', () => {
  const ids = ['a', 'b', 'c', 'd'];
  const facts: Partial<TournamentFacts> = {
    groups: ['One', 'Two'],
    stages: [stage('swiss', ids, { grouped: true })],
    participants: people(ids, {
      a: { group: 'One' },
      b: { group: 'One' },
      c: { group: 'Two' },
      d: { group: 'Two' },
    }),
    // b is second in its group, with more points than the first of the other group.
    battles: [result(['a', 9, 20], ['b', 8, 19]), result(['c', 2, 5], ['d', 1, 4])],
  };
  assert.equal(order(facts), '1a 2c 3b 4d');
});

test('recorded placements are the ranks; a participant without one has no rank', () => {
  const ids = ['a', 'b', 'c', 'd'];
  const facts: Partial<TournamentFacts> = {
    stages: [stage('swiss', ids)],
    battles: [result(['a', 9, 20], ['b', 8, 19])],
    participants: people(ids, {
      a: { finalPlacement: 7 },
      c: { finalPlacement: 1 },
      d: { finalPlacement: 1, noShow: true },
    }),
  };
  assert.equal(order(facts), '1c 1d 7a -b');
  assert.equal(order({ ...facts, placementsRecorded: false }), '1a 2b 3c -d');
});

test('finished without any result: no ranks, sorted by name', () => {
  const participants = people(['b', 'a', 'c'], { b: { noShow: true } });
  assert.equal(order({ stages: [stage('swiss', ['a', 'b', 'c'])], participants }), '-a -c -b');
});

test('a participant in no stage is in the final standings, too', () => {
  const facts = { stages: [stage('swiss', ['a', 'b'])], battles: [result(['b', 3, 9], ['a', 0, 1])] };
  assert.equal(order({ ...facts, participants: people(['z', 'a', 'b']) }), '1b 2a 3z');
});

test('a board without results is merged by merit and lot, not by name', () => {
  const swiss = stage('swiss', ['ann', 'zoe']);
  const played = result(['zoe', 3, 20], ['ann', 0, 10]);
  const [ann, zoe] = [participant('ann', { lot: 1 }), participant('zoe', { lot: 2 })];
  const second = stage('placement-swiss', ['ann', 'zoe']);
  assert.equal(order({ participants: [ann, zoe], stages: [swiss, second], battles: [played] }), '1zoe 2ann');

  const late = { ...ann, lot: 9 };
  const final = [match('knockout', 1, 1, ['k', 'l'], 'k')];
  const finalists = [participant('k', { lot: 3 }), participant('l', { lot: 4 })];
  assert.equal(
    order({
      participants: [late, zoe, ...finalists],
      stages: [stage('swiss', ['ann', 'zoe', 'k', 'l']), knockout(['k', 'l'])],
      matches: final,
    }),
    '1k 2l 3zoe 4ann',
  );
});

const recorded = (
  facts: Partial<TournamentFacts>,
  ...given: [string, number, (string | string[])[]][]
): string => {
  const all = tournament(facts);
  return order({ ...facts, rankings: given.map((each) => ranking(all, ...each)) });
};

test('a recorded ranking places those whom its board places, with shared places and without', () => {
  const stages = [stage('swiss', letters)];
  const participants = people(letters, { h: { noShow: true } });
  assert.equal(
    recorded({ stages, participants }, ['swiss', 3, ['c', ['a', 'b'], 'g', 'h']]),
    '1c 2a 2b 4g -d -e -f -h',
  );
  assert.equal(recorded({ stages, participants }, ['swiss', 3, []]), '-a -b -c -d -e -f -g -h');
  // Recorded placements take precedence over everything else.
  const placed = people(letters).map((each, index) => ({ ...each, finalPlacement: index + 1 }));
  assert.equal(
    recorded({ stages, participants: placed }, ['swiss', 3, ['c', 'a']]),
    '1a 2b 3c 4d 5e 6f 7g 8h',
  );
});

test('a knockout comes before the recorded ranking, which orders those who went out together', () => {
  const stages = [stage('swiss', letters), knockout(['a', 'b', 'c', 'd'])];
  const matches = [
    match('knockout', 2, 1, ['a', 'b'], 'b'),
    match('knockout', 2, 2, ['c', 'd'], 'd'),
    match('knockout', 3, 1, ['b', 'd'], 'b'),
  ];
  const participants = people(letters);
  assert.equal(
    recorded({ stages, participants, matches }, ['swiss', 3, ['c', 'a', ['g', 'h'], 'b', 'd', 'e']]),
    '1b 2d 3c 4a 5g 5h 7e -f',
  );
});

test('a placement Swiss with a ranking: its ranks, then those of the Swiss', () => {
  const some = letters.slice(0, 5);
  const stages = [stage('swiss', some), stage('placement-swiss', ['d', 'e'])];
  assert.equal(
    recorded(
      { stages, participants: people(some) },
      ['placement-swiss', 1, [['e', 'd']]],
      ['swiss', 1, ['b', 'a']],
    ),
    '1d 1e 3b 4a -c',
  );
});

test('recorded ranks of groups: all first ones by the tie-breaks, then the second ones', () => {
  const some = ['a', 'b', 'c', 'd', 'e'];
  const participants = people(some).map((each, index) => ({ ...each, group: index < 2 ? 'X' : 'Y' }));
  const facts = {
    groups: ['X', 'Y'],
    stages: [stage('swiss', some, { grouped: true })],
    participants,
    rankings: [{ stage: 'swiss', afterRound: 1, ranks: { b: 1, a: 2, d: 1, c: 1 }, results: '' }],
  };
  assert.equal(order(facts), '1b 2c 3d 4a -e');
});
