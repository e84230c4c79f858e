import assert from 'node:assert/strict';
import { test } from 'node:test';
import { battle, participant, result, side, stage, tournament } from '../../../../test/support/facts.ts';
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
