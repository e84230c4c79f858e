import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  battle,
  match,
  participant,
  ranked,
  result,
  side,
  stage,
  tournament,
} from '../../../harness/support/facts.ts';
import type { TournamentFacts } from '../../record/facts/facts.ts';
import { tournamentDocuments } from './documents.ts';
import {
  type BoardView,
  type MatchView,
  pairingsOf,
  type RowView,
  type SeatView,
  standingsView,
  type TournamentView,
} from '../../published/views.ts';

const ids = ['a', 'b', 'c', 'd'];
const people = ids.map((id, lot) => participant(id, { lot }));
const swiss = stage('swiss', ids, { label: 'Swiss Stage', rounds: 3 });
const bye = (round: number, id: string) => ({
  stage: 'swiss',
  round,
  participant: id,
  win: true,
  battlePoints: 3,
  victoryPoints: 0,
  victoryPointsDiff: 0,
});

/** The rows of a board, or the matches of a bracket. */
interface Beside {
  rows: RowView[];
  matches: MatchView[];
}

function shown(facts: Partial<TournamentFacts>) {
  const { view, standings } = tournamentDocuments(
    tournament({ stages: [swiss], participants: people, ...facts, tieBreaks: ['battlePoints'] }),
  );
  const own = standings.map((each) => standingsView(each.document, each.view) as unknown as Beside);
  const pairings = standings.map((each) => (each.pairings === null ? null : pairingsOf(each.pairings)));
  return { event: JSON.parse(view) as TournamentView, own, pairings, standings };
}

const seat = (each: SeatView) => ('player' in each ? `${each.entry} ${each.outcome}` : each.from);

const first = [
  result(['a', 3, 20], ['b', 0, 10], { round: 1 }),
  result(['c', 2, 20], ['d', 0, 10], { round: 1 }),
];

test('a row has the result of each round, adjustments, the rank after complete rounds, and who plays where', () => {
  const { event, own } = shown({
    adjustments: [
      {
        stage: 'swiss',
        participant: 'd',
        battlePoints: -1,
        victoryPoints: 0,
        victoryPointsDiff: 0,
        reason: 'late list',
      },
    ],
    battles: [
      ...first,
      result(['c', 3, 20], ['a', 0, 10], { round: 2 }),
      battle({ round: 2, table: 4, finished: false, sides: [side('b'), side('d')] }),
    ],
  });
  assert.deepEqual(
    own[0]?.rows.map(({ entry, path, ranks, playing }) => [entry, path, ranks, playing]),
    [
      ['c', 'WW', [2], undefined],
      ['a', 'WL', [1], undefined],
      ['b', 'L', [3], { table: 4, opponent: 3 }],
      ['d', 'L', [4], { table: 4, opponent: 2 }],
    ],
  );
  assert.deepEqual(own[0]?.rows[3]?.adjustments, [{ battlePoints: -1, reason: 'late list' }]);
  // A participant who is ahead while a round is being played has led nothing yet.
  assert.deepEqual(
    event.stages[0]?.complete?.map(({ round, leaders }) => [round, leaders.map((each) => each.entry)]),
    [[1, ['a']]],
  );
  assert.deepEqual(event.stages[0]?.complete?.[0]?.leaders[0]?.wins, 1);
});

test('a correction of an earlier round changes the ranks after it', () => {
  const next = battle({ round: 2, finished: false, sides: [side('a'), side('c')] });
  const ranksOf = (battles: TournamentFacts['battles']) =>
    Object.fromEntries(shown({ battles }).own[0]?.rows.map(({ entry, ranks }) => [entry, ranks]) ?? []);
  assert.deepEqual(ranksOf([...first, next]), { a: [1], c: [2], b: [3], d: [4] });
  const corrected = result(['a', 0, 10], ['b', 3, 20], { round: 1 });
  assert.deepEqual(ranksOf([corrected, ...first.slice(1), next]), { b: [1], c: [2], a: [3], d: [4] });
});

test('nobody leads and nobody has a rank before the first complete round; byes, no-shows and drop-outs are told', () => {
  const { event, own } = shown({
    participants: people.map((each) => ({ ...each, noShow: each.id === 'd', dropped: each.id === 'c' })),
    byes: [bye(1, 'c')],
    battles: [battle({ round: 1, finished: false, sides: [side('a'), side('b')] })],
  });
  assert.equal(event.stages[0]?.complete, undefined);
  assert.deepEqual(
    own[0]?.rows.map(({ entry, path, ranks, isDropped, isNoShow }) => [
      entry,
      path,
      ranks,
      isDropped,
      isNoShow,
    ]),
    [
      ['c', 'B', undefined, true, undefined],
      ['a', '', undefined, undefined, undefined],
      ['b', '', undefined, undefined, undefined],
      ['d', '', undefined, undefined, true],
    ],
  );
});

test('groups that are out of step have each their own complete rounds', () => {
  const { event, own } = shown({
    groups: ['North', 'South'],
    stages: [{ ...swiss, grouped: true }],
    participants: people.map((each) => ({ ...each, group: each.id > 'b' ? 'South' : 'North' })),
    battles: [
      ...first,
      result(['b', 3, 20], ['a', 0, 10], { round: 2 }),
      battle({ round: 2, finished: false, sides: [side('c'), side('d')] }),
    ],
  });
  assert.deepEqual(
    event.stages[0]?.complete?.map(({ group, round }) => `${group} ${round}`),
    ['North 2', 'South 1'],
  );
  assert.deepEqual(
    own[0]?.rows.map(({ entry, ranks }) => `${entry} ${ranks?.join()}`),
    ['a 1,1', 'b 2,2', 'c 1', 'd 2'],
  );
});

test('whoever has a bye in the first round of the knockout went through, too', () => {
  const through = (knockout: ReturnType<typeof stage>, matches: TournamentFacts['matches']) =>
    shown({ stages: [swiss, knockout], battles: first, matches })
      .own[0]?.rows.filter(({ isThrough }) => isThrough)
      .map(({ entry }) => entry);
  const cut = (...members: string[]) => stage('knockout', members, { rounds: 2 });
  const matches = [match('knockout', 1, 1, ['b', 'c'])];
  assert.deepEqual(through(cut('a', 'b', 'c'), matches), ['a', 'c', 'b']);
  assert.deepEqual(through(cut('a', 'b', 'c'), [match('knockout', 1, 1, [])]), []);
  // If the feed lists nobody, the matches show who went through, including those that wait for a second player.
  const everybody = stage('knockout', ids, { rounds: 2, everybody: true });
  assert.deepEqual(through(everybody, [...matches, match('knockout', 2, 1, ['a'])]), ['a', 'c', 'b']);
});

test('two of one name, and two who are erased: the facts tell who won, in the bracket and in what is played', () => {
  const knockout = stage('knockout', ids, { label: 'Top 4', rounds: 2 });
  const matches = [
    match('knockout', 1, 1, ['a', 'b'], 'b'),
    match('knockout', 1, 2, ['c', 'd'], 'd'),
    match('knockout', 2, 1, ['d', 'b']),
  ];
  for (const named of [{ name: 'Ann' }, { name: null, erased: true }]) {
    const { own, pairings, standings } = shown({
      stages: [knockout],
      matches,
      participants: people.map((each) => ({ ...each, ...named })),
    });
    const entry = (id: string) => ('erased' in named ? undefined : id);
    assert.deepEqual(
      own[0]?.matches.map(({ sides }) => sides.map(seat)),
      [
        [`${entry('a')} loss`, `${entry('b')} win`],
        [`${entry('c')} loss`, `${entry('d')} win`],
        // The winner of the upper match stands first. The answer of the API keeps the order of the facts.
        [`${entry('b')} undefined`, `${entry('d')} undefined`],
      ],
    );
    const open = pairings[0]?.flatMap((round) => round.open.map(({ sides }) => sides.map(seat)));
    assert.deepEqual(open, [[`${entry('d')} undefined`, `${entry('b')} undefined`]]);
    assert.deepEqual(standings[0]?.entries, 'erased' in named ? [] : ids);
  }
});

test('stages and rounds have kinds, unless an organiser named them', () => {
  const knockout = stage('knockout', ids, { label: 'Top 4', rounds: 2 });
  const { event, own } = shown({
    stages: [
      { ...swiss, label: 'Swiss' },
      knockout,
      stage('placement-5-8', [], { label: 'Places 5–8', rounds: 2 }),
    ],
    matches: [
      { ...match('knockout', 1, 1, ['a', 'b']), name: 'Semi-finals' },
      { ...match('knockout', 1, 2, ['c', 'd']), name: 'Grudge match' },
      match('knockout', 2, 1, []),
      match('placement-5-8', 1, 1, []),
      match('placement-5-8', 2, 2, []),
    ],
  });
  assert.deepEqual(
    event.stages.map(({ kind }) => kind),
    [undefined, { top: 4 }, { first: 5, last: 8 }],
  );
  assert.deepEqual(
    own.slice(1).map(({ matches }) => matches.map(({ title: { name, kind } }) => [name, kind])),
    [
      [
        ['Semi-finals', { field: 4 }],
        ['Grudge match', undefined],
        ['Final', { field: 2 }],
      ],
      [
        ['5th–8th semi-final', { field: 4, first: 5, last: 8 }],
        ['7th-place match', { place: 7 }],
      ],
    ],
  );
});

test('the results that arrived last come first, and only finished ones', () => {
  const at = (minute: number) => `2026-03-14T14:${minute}:00Z`;
  const battles = Array.from({ length: 12 }, (_, index) =>
    battle({
      id: `b${index}`,
      finished: index !== 11,
      arrived: index === 0 ? null : at(10 + index),
      sides: [side('a'), side('b')],
    }),
  );
  const { event } = shown({ battles });
  assert.deepEqual(
    event.latest.map((each) => `${each.battle} ${each.arrived.slice(14, 16)}`),
    ['b10 20', 'b9 19', 'b8 18', 'b7 17'],
  );
});

test('the final table says which round the ranking of the Swiss stage is from, unless placements are recorded', () => {
  const facts = tournament({ status: 'finished', stages: [swiss], participants: people, battles: first });
  const later = result(['c', 3, 20], ['a', 0, 10], { round: 2 });
  const before = ranked(facts, ['swiss', 1, ['a', 'c', 'd', 'b']]);
  const placed = people.map((each, index) => ({ ...each, finalPlacement: index + 1 }));
  const orderOf = (given: TournamentFacts) => {
    const view = JSON.parse(
      tournamentDocuments(given).standings.find((each) => each.stage === 'standings')?.view ?? '',
    ) as BoardView;
    return [view.isRecorded, view.isSwissRecorded, view.rankingAsOf];
  };
  assert.deepEqual(orderOf(before), [undefined, true, undefined]);
  assert.deepEqual(orderOf({ ...before, battles: [...first, later] }), [undefined, true, 1]);
  assert.deepEqual(orderOf({ ...before, battles: [...first, later], participants: placed }), [
    true,
    undefined,
    undefined,
  ]);
});

test('the players of a match have their factions before it has a battle', () => {
  const armies = people.map((each) => ({ ...each, faction: `Army ${each.id}` }));
  const { own } = shown({
    participants: armies,
    stages: [stage('knockout', ids, { type: 'bracket', rounds: 2 })],
    matches: [
      match('knockout', 1, 1, ['a', 'b'], 'a'),
      match('knockout', 1, 2, ['c', 'd']),
      match('knockout', 2, 1, []),
    ],
  });
  const factions = own[0]?.matches.map(({ sides }) =>
    sides.map((each) => ('player' in each ? each.faction : each.from)),
  );
  assert.deepEqual(factions, [
    ['Army a', 'Army b'],
    ['Army c', 'Army d'],
    ['Army a', 'winner'],
  ]);
});
