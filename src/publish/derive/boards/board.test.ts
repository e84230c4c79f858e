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
import type { BoardRow } from '../../../contract/standings.ts';
import type { TournamentFacts } from '../../../record/facts/facts.ts';
import { boardRows, boards } from './board.ts';
import { rowFactions } from '../factions/faction.ts';

function rows(facts: TournamentFacts, id = 'swiss'): BoardRow[] {
  const board = boards(facts).get(id);
  assert.ok(board);
  const grouped = facts.stages.find((each) => each.id === id)?.grouped ?? false;
  return boardRows(board, rowFactions(facts), grouped);
}

const ranks = (facts: TournamentFacts, id?: string): string =>
  rows(facts, id)
    .map(({ rank, player }) => `${rank ?? '-'} ${player ?? '(erased)'}`)
    .join(', ');

const bye = { stage: 'swiss', round: 1, win: true, battlePoints: 0, victoryPoints: 0, victoryPointsDiff: 0 };
const adjustment = { stage: 'swiss', battlePoints: 0, victoryPoints: 0, victoryPointsDiff: 0, reason: null };
const people = (...ids: string[]) => ids.map((id) => participant(id));

test('a row adds up finished battles, byes and adjustments of its stage', () => {
  const facts = tournament({
    stages: [stage('swiss', ['a', 'b'], { rounds: 4 }), stage('knockout', ['a', 'b'])],
    participants: people('a', 'b'),
    battles: [
      result(['a', 1.1, 10.1], ['b', 0.7, 5.2]),
      result(['a', 2.2, 7], ['b', 2.2, 7]),
      result(['a', 9, 90], ['b', 9, 1], { finished: false, winner: null }),
      result(['a', 9, 90], ['b', 9, 1], { stage: 'knockout' }),
    ],
    byes: [{ ...bye, participant: 'a', battlePoints: 3, victoryPoints: 20, victoryPointsDiff: 4 }],
    adjustments: [{ ...adjustment, participant: 'a', battlePoints: -0.3, victoryPoints: -1 }],
  });
  assert.deepEqual(rows(facts)[0], {
    rank: 1,
    player: 'A',
    playerId: 'player-a',
    faction: null,
    battlePoints: 6,
    wins: 2,
    draws: 1,
    losses: 0,
    victoryPoints: 36.1,
    victoryPointsDiff: 8.9,
  });
});

test('a bye that is not a win is not a draw or a loss either', () => {
  const facts = tournament({
    stages: [stage('swiss', ['a'])],
    participants: people('a'),
    byes: [{ ...bye, participant: 'a', win: false, battlePoints: 1 }],
  });
  const [row] = rows(facts);
  assert.deepEqual([row?.rank, row?.wins, row?.draws, row?.losses, row?.battlePoints], [1, 0, 0, 0, 1]);
});

test('before any result the rows are unranked and by name, no-shows last', () => {
  const facts = tournament({
    stages: [stage('swiss', ['c', 'b', 'a', 'd'])],
    participants: [
      participant('a', { noShow: true }),
      participant('b', { name: 'Öde', lot: 1 }),
      participant('c', { name: 'oda', lot: 2 }),
      participant('d', { name: null, erased: true }),
    ],
    adjustments: [{ ...adjustment, participant: 'b', battlePoints: 5 }],
    battles: [battle({ finished: false, sides: [side('b', { victoryPoints: 9 }), side('c')] })],
  });
  assert.equal(ranks(facts), '- (erased), - oda, - Öde, - A');
});

test('a no-show is last without rank for any points; a player who dropped keeps the place', () => {
  const facts = tournament({
    stages: [stage('swiss', ['a', 'b', 'c'])],
    participants: [participant('a', { noShow: true }), participant('b', { dropped: true }), participant('c')],
    battles: [result(['b', 3, 9], ['c', 0, 1])],
    byes: [{ ...bye, participant: 'a', battlePoints: 99 }],
  });
  assert.equal(ranks(facts), '1 B, 2 C, - A');
});

test('groups come in their own order, and ranks restart in each', () => {
  const facts = tournament({
    groups: ['Zebra', 'Ant'],
    stages: [stage('swiss', ['a', 'b', 'c', 'd'], { grouped: true })],
    participants: ['a', 'b', 'c', 'd'].map((id) => participant(id, { group: id < 'c' ? 'Ant' : 'Zebra' })),
    battles: [result(['b', 3, 9], ['a', 0, 1])],
  });
  const shown = rows(facts).map(({ group, rank, player }) => `${group} ${rank} ${player}`);
  assert.deepEqual(shown, ['Zebra 1 C', 'Zebra 2 D', 'Ant 1 B', 'Ant 2 A']);
  assert.deepEqual(Object.keys(rows(facts)[0] ?? {}).slice(0, 3), ['rank', 'group', 'player']);
});

test('rows of a board without groups have no group, even if the participants have one', () => {
  const facts = tournament({
    stages: [stage('swiss', ['a'])],
    participants: [participant('a', { group: 'Ant' })],
  });
  assert.ok(!('group' in (rows(facts)[0] ?? {})));
});

const later = (carriesOver: string | null): TournamentFacts =>
  tournament({
    tieBreaks: ['battlePoints'],
    stages: [
      stage('swiss', ['a', 'b', 'c']),
      stage('knockout', ['a']),
      stage('placement-swiss', ['b', 'c'], { carriesOver }),
    ],
    participants: [participant('a'), participant('b', { lot: 1 }), participant('c', { lot: 2 })],
    battles: [
      result(['a', 0, 1], ['c', 2, 5]),
      result(['b', 2, 4], ['c', 2, 4], { stage: 'placement-swiss' }),
    ],
    byes: [{ ...bye, participant: 'b', battlePoints: 1 }],
    adjustments: [{ ...adjustment, participant: 'c', battlePoints: 0.5 }],
  });

test('placement-swiss has its own people and battles, ranks from 1, and the earlier rank before the lot', () => {
  assert.equal(ranks(later(null), 'placement-swiss'), '1 C, 2 B');
  assert.deepEqual(
    rows(later(null), 'placement-swiss').map(({ battlePoints, wins, draws }) => [battlePoints, wins, draws]),
    [
      [2, 0, 1],
      [2, 0, 1],
    ],
  );
});

test('when a stage carries over, battles, byes and adjustments of the earlier stage count, too', () => {
  assert.deepEqual(
    rows(later('swiss'), 'placement-swiss').map((row) => [row.player, row.battlePoints, row.wins, row.draws]),
    [
      ['C', 4.5, 1, 1],
      ['B', 3, 1, 1],
    ],
  );
  assert.equal(rows(later('swiss')).length, 3);
});

test("a faction is the participant's, else the list's, else that of the latest finished battle that has one", () => {
  const list = { faction: 'Of the list', subFaction: '', points: 0, battleTacticCards: [], text: '' };
  const played = (faction: string | null, round: number, finished = true, date: string | null = null) =>
    battle({ round, finished, date, sides: [side('c', { faction }), side('d')] });
  const facts = tournament({
    stages: [stage('swiss', ['a', 'b', 'c', 'd', 'e'])],
    participants: [
      participant('a', { faction: 'Own', list }),
      participant('b', { list }),
      ...people('c', 'd', 'e'),
    ],
    battles: [
      battle({ sides: [side('a', { faction: 'Played' }), side('b', { faction: 'Played' })] }),
      played('Early', 9),
      played('Latest', 1, true, '2026-01-02'),
      played(null, 2, true, '2026-01-02'),
      played('Running', 3, false, '2026-01-03'),
      battle({ sides: [side('e', { list }), side('d')] }),
    ],
  });
  const shown = new Map(rows(facts).map(({ player, faction }) => [player, faction]));
  assert.deepEqual(
    ['A', 'B', 'C', 'D', 'E'].map((player) => shown.get(player)),
    ['Own', 'Of the list', 'Latest', null, 'Of the list'],
  );
});

const five = tournament({
  stages: [stage('swiss', ['a', 'b', 'c', 'd', 'e'], { rounds: 3 })],
  participants: [...people('a', 'b', 'c', 'd'), participant('e', { noShow: true })],
  battles: [result(['a', 3, 20], ['b', 0, 10]), result(['c', 3, 15], ['d', 0, 10])],
});

test('a recorded ranking decides ranks and order, and the sums stay those of the battles', () => {
  assert.equal(ranks(five), '1 A, 2 C, 3 D, 4 B, - E');
  const facts = ranked(five, ['swiss', 1, ['b', 'e', 'c', 'a', 'd']]);
  assert.equal(ranks(facts), '1 B, 2 E, 3 C, 4 A, 5 D');
  assert.deepEqual(
    rows(facts).map(({ battlePoints }) => battlePoints),
    [0, 0, 3, 3, 0],
  );
});

test('the ranking after the highest round decides, in whatever order they come', () => {
  const rankings: Parameters<typeof ranked>[1][] = [
    ['swiss', 2, ['d', 'c', 'b', 'a']],
    ['swiss', 1, ['a', 'b', 'c', 'd']],
  ];
  for (const each of [rankings, rankings.toReversed()])
    assert.equal(ranks(ranked(five, ...each)), '1 D, 2 C, 3 B, 4 A, - E');
});

test('rows of one rank follow the tie-breaks, and whoever has no rank comes last by name', () => {
  const facts = ranked(five, ['swiss', 1, [['d', 'c']]]);
  assert.equal(ranks(facts), '1 C, 1 D, - A, - B, - E');
  assert.equal(
    ranks(ranked({ ...five, tieBreaks: ['painting'] }, ['swiss', 1, [['d', 'c'], 'a']])),
    '1 C, 1 D, 3 A, - B, - E',
  );
  assert.equal(ranks(ranked(five, ['swiss', 0, []])), '- A, - B, - C, - D, - E');
  // A recorded ranking counts even before the first result.
  assert.equal(ranks(ranked({ ...five, battles: [] }, ['swiss', 0, ['d']])), '1 D, - A, - B, - C, - E');
});

test('an id that every object has is an id like any other', () => {
  const facts = tournament({
    stages: [stage('swiss', ['a', 'constructor'])],
    participants: people('a', 'constructor'),
  });
  assert.equal(ranks(ranked(facts, ['swiss', 0, ['a']])), '1 A, - CONSTRUCTOR');
});

test('in groups, each group has ranks of its own', () => {
  const facts = tournament({
    groups: ['Y', 'X'],
    stages: [stage('swiss', ['a', 'b', 'c', 'd'], { grouped: true })],
    participants: ['a', 'b', 'c', 'd'].map((id, at) => participant(id, { group: at < 2 ? 'X' : 'Y' })),
  });
  const rankings = [{ stage: 'swiss', afterRound: 1, ranks: { a: 2, b: 1, d: 1 }, results: '' }];
  assert.equal(ranks({ ...facts, rankings }), '1 D, - C, 1 B, 2 A');
});

test('a board that carries over has a ranking of its own, or the recorded one before breaks its ties', () => {
  const facts = {
    ...five,
    battles: [],
    stages: [
      stage('swiss', ['a', 'b', 'c', 'd'], { rounds: 3 }),
      stage('placement-swiss', ['a', 'b', 'c'], { carriesOver: 'swiss' }),
    ],
    byes: [{ ...bye, participant: 'd' }],
  };
  const before: Parameters<typeof ranked>[1] = ['swiss', 3, ['d', 'c', 'a', 'b']];
  assert.equal(ranks(ranked(facts, before), 'placement-swiss'), '1 C, 2 A, 3 B');
  const own: Parameters<typeof ranked>[1] = ['placement-swiss', 1, ['b', ['a', 'c']]];
  assert.equal(ranks(ranked(facts, before, own), 'placement-swiss'), '1 B, 2 C, 2 A');
});

test('an erased player keeps the recorded rank without a name', () => {
  const erased = participant('a', { erased: true, name: null, playerId: null });
  const facts = { ...five, participants: [erased, ...five.participants.slice(1)] };
  assert.equal(ranks(ranked(facts, ['swiss', 1, ['c', 'a', 'b', 'd']])), '1 C, 2 (erased), 3 B, 4 D, - E');
});
