import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { FeedRecord } from '../../src/record/feed/records.ts';
import { NamePattern } from '../../src/record/people/name-pattern.ts';
import { dataOf, findGuests } from '../../src/record/people/person.ts';
import { knownTieBreaks } from '../../src/record/feed/tournament-records.ts';
import { warningLine } from '../../src/record/feed/warning.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { emptyFacts, importLines, rowVersions } from '../../harness/support/feed.ts';
import { compared, equal, exported, whole } from '../../harness/support/in-step.ts';

// Tests rankings that the organiser records: how a feed sends them, which are refused, and what becomes of
// them.

const database = await createTestDatabase();
const client = await database.pool.connect();
atEnd(async () => client.release());

const ids = ['p1', 'p2', 'p3', 'p4'];
const swiss = { id: 'swiss', label: 'Swiss', type: 'board', rounds: 3 };
const cup = {
  kind: 'tournament',
  slug: 'cup',
  published: true,
  name: 'Cup',
  status: 'ongoing',
  battleSize: 2000,
  stages: [swiss],
  participants: ids.map((id) => ({ id, name: id.toUpperCase() })),
};
const ranksOf = (...order: string[]) => order.map((participant, index) => ({ participant, rank: index + 1 }));
const ranking = (afterRound: number, ranks: object[], stage = 'swiss') => ({
  kind: 'ranking',
  tournament: 'cup',
  stage,
  afterRound,
  ranks,
});
const stages = (...given: object[]) => ({ kind: 'tournament', slug: 'cup', stages: given });
const result = (id: string, round: number, [first, second]: string[], change: object = {}) => ({
  kind: 'battle',
  tournament: 'cup',
  id,
  stage: 'swiss',
  round,
  finished: true,
  winner: first,
  sides: [
    { participant: first, battlePoints: 3, victoryPoints: 10 },
    { participant: second, battlePoints: 0, victoryPoints: 5 },
  ],
  ...change,
});
const roundOne = [result('b1', 1, ['p1', 'p2']), result('b2', 1, ['p3', 'p4'])];

beforeEach(async () => {
  await emptyFacts(client);
  assert.deepEqual((await importLines(client, [cup])).refusals, []);
});

async function recorded(): Promise<string[]> {
  const { rows } = await client.query<{ line: string }>(
    `select stage || ' ' || after_round || ' ' || ranks as line from record.ranking order by stage, after_round`,
  );
  return rows.map(({ line }) => line);
}

async function take(...records: object[]): Promise<void> {
  assert.deepEqual((await importLines(client, records as FeedRecord[])).refusals, []);
}

async function marks(): Promise<string[]> {
  const { rows } = await client.query<{ mark: string }>(
    `with gone as (delete from record.mark returning *)
      select concat_ws(' ', kind, key, coalesce('part "' || part || '"', 'all')) as mark from gone order by id`,
  );
  return rows.map(({ mark }) => mark);
}

test('one ranking is kept for each stage and round, and the same again writes nothing', async () => {
  await marks();
  await take(ranking(1, ranksOf('p1', 'p2')));
  assert.deepEqual(await marks(), ['tournament cup part ""'], 'a narrow mark');
  await take(ranking(2, ranksOf('p2', 'p1')), ranking(1, ranksOf('p3')));
  assert.deepEqual(await recorded(), ['swiss 1 {"p3": 1}', 'swiss 2 {"p1": 2, "p2": 1}']);
  await marks();
  const versions = await rowVersions(client);
  const again = await importLines(client, [
    ranking(2, ranksOf('p2', 'p1').toReversed()),
    stages({ ...swiss, ranking: { afterRound: 2, ranks: ranksOf('p2', 'p1') } }),
  ]);
  assert.deepEqual([again.refusals, again.changed], [[], 0]);
  assert.deepEqual([await rowVersions(client), await marks()], [versions, []]);
});

test('the ranking of a stage is the newest: later ones go, earlier ones stay, and null removes all', async () => {
  await take(ranking(1, ranksOf('p1')), ranking(2, ranksOf('p2')), ranking(3, ranksOf('p3')));
  await take(stages(swiss));
  assert.equal((await recorded()).length, 3, 'a stage without the member leaves them as they are');
  await take(stages({ ...swiss, ranking: { afterRound: 2, ranks: [] } }));
  assert.deepEqual(await recorded(), ['swiss 1 {"p1": 1}', 'swiss 2 {}']);
  await marks();
  await take(stages({ ...swiss, ranking: null }));
  assert.deepEqual([await recorded(), await marks()], [[], ['tournament cup part ""']]);
});

test('a ranking is removed alone, with its stage, and with its tournament', async () => {
  const both = [swiss, { id: 'placement-swiss', label: 'Rest', type: 'board', rounds: 1 }];
  await take(stages(...both), ranking(1, ranksOf('p1')), ranking(1, ranksOf('p2'), 'placement-swiss'));
  await take({ kind: 'remove', of: 'ranking', tournament: 'cup', stage: 'swiss', afterRound: 1 });
  assert.deepEqual(await recorded(), ['placement-swiss 1 {"p2": 1}']);
  await take(stages(swiss), ranking(1, ranksOf('p1')));
  assert.deepEqual(await recorded(), ['swiss 1 {"p1": 1}']);
  await take({ kind: 'remove', of: 'tournament', id: 'cup' });
  assert.deepEqual(await recorded(), []);
});

const grouped = { ...swiss, label: 'Group Stage', grouped: true };
const inGroups = {
  kind: 'tournament',
  slug: 'cup',
  groups: ['A', 'B'],
  participants: cup.participants.map((each, index) => ({ ...each, group: index < 2 ? 'A' : 'B' })),
};
test('whoever leaves a tournament or a board leaves its rankings, and nobody is missing in first place', async () => {
  await take(ranking(1, ranksOf('p1', 'p2', 'p3', 'p4')), ranking(2, []));
  await take({ kind: 'remove', of: 'participant', tournament: 'cup', id: 'p2' });
  assert.deepEqual(await recorded(), ['swiss 1 {"p1": 1, "p3": 3, "p4": 4}', 'swiss 2 {}']);
  await take({ kind: 'tournament', slug: 'cup', participants: cup.participants.slice(2) });
  assert.deepEqual(await recorded(), ['swiss 1 {"p3": 1, "p4": 2}', 'swiss 2 {}']);
  await take(stages({ ...swiss, members: [{ participant: 'p4' }] }));
  assert.deepEqual(await recorded(), ['swiss 1 {"p4": 1}', 'swiss 2 {}']);
  await take({ kind: 'remove', of: 'ranking', tournament: 'cup', stage: 'swiss', afterRound: 2 });
  await assertReimportable();
});

test('without a ranking, nobody looks for those who have left one', async (context) => {
  const asked = context.mock.method(client, 'query');
  const fits = () =>
    asked.mock.calls.filter(({ arguments: [given] }) =>
      /update record\.ranking r set ranks/.test(JSON.stringify(given)),
    ).length;
  await take({ kind: 'tournament', slug: 'cup', participants: cup.participants.slice(2) }, stages(swiss));
  assert.equal(fits(), 0);
  await take(ranking(1, ranksOf('p3', 'p4')), { ...cup, participants: cup.participants.slice(3) });
  assert.equal(fits(), 1);
  assert.deepEqual(await recorded(), ['swiss 1 {"p4": 1}']);
});

test('when groups change, the ranks of each group still start at 1', async () => {
  await take({ ...inGroups, stages: [grouped] });
  await take(
    ranking(1, [...ranksOf('p1', 'p2'), { participant: 'p3', rank: 1 }, { participant: 'p4', rank: 2 }]),
  );
  await take({ kind: 'participant', tournament: 'cup', ...inGroups.participants[2], group: 'A' });
  assert.deepEqual(await recorded(), ['swiss 1 {"p1": 1, "p2": 2, "p3": 1, "p4": 1}']);
  await assertReimportable();
});

async function assertReimportable(): Promise<void> {
  const feed = await exported(client);
  await emptyFacts(client);
  await take(...feed);
  assert.deepEqual(await exported(client), feed);
}

const cut = (...members: object[]) => ({ id: 'knockout', label: 'Cut', type: 'bracket', rounds: 1, members });
const shared = [
  { participant: 'p1', rank: 1 },
  ...['p2', 'p3'].map((participant) => ({ participant, rank: 2 })),
];
const known = `one of ${knownTieBreaks.join(', ')}, or a ranking of every board (stages[].ranking)`;

const refused: [what: string, records: object[], problem: string][] = [
  [
    'somebody unknown',
    [ranking(1, ranksOf('p9'))],
    'ranks[0].participant: expected a participant of the tournament, found "p9"',
  ],
  [
    'somebody else in the stage of a tournament record',
    [stages({ ...swiss, ranking: { afterRound: 1, ranks: ranksOf('p1', 'p9') } })],
    'stages[0].ranking.ranks[1].participant: expected a participant of the tournament, found "p9"',
  ],
  [
    'somebody who is not in the stage',
    [stages({ ...swiss, members: [{ participant: 'p1' }] }), ranking(1, ranksOf('p1', 'p2'))],
    'ranks[1].participant: expected a member of swiss, found "p2"',
  ],
  [
    'a rank that is no positive whole number',
    [ranking(1, [{ participant: 'p1', rank: 0 }])],
    'ranks[0].rank: expected a whole number between 1 and 10000, found 0',
  ],
  [
    'a round that the stage does not have',
    [ranking(4, ranksOf('p1'))],
    'afterRound: expected at most 3, the rounds of swiss, found 4',
  ],
  [
    'somebody twice',
    [ranking(1, [...ranksOf('p1'), ...ranksOf('p1')])],
    'ranks[1]: expected each once, found "p1" again (first at ranks[0])',
  ],
  ['a bracket', [ranking(1, [], 'knockout')], 'stage: expected a board, found "knockout"'],
  [
    'a bracket in a tournament record',
    [stages(swiss, { ...cut(), ranking: { afterRound: 1, ranks: [] } })],
    'stages[1].ranking: expected none for a bracket, found an object',
  ],
  [
    'fewer rounds than the newest ranking is about',
    [ranking(3, ranksOf('p1')), stages({ ...swiss, rounds: 2 })],
    'stages[0].rounds: expected at least 3, because a ranking after round 3 is recorded, found 2',
  ],
  [
    'a stage that the tournament does not have',
    [ranking(1, [], 'placement-swiss')],
    'stage: expected one of swiss, found "placement-swiss"',
  ],
  [
    'ranks that do not start at 1',
    [ranking(1, [{ participant: 'p1', rank: 2 }])],
    'ranks: expected ranks that start at 1, found 2',
  ],
  [
    'ranks of all groups together',
    [{ ...inGroups, stages: [grouped] }, ranking(1, ranksOf('p1', 'p2', 'p3', 'p4'))],
    'ranks: expected ranks that start at 1 in "B", found 3',
  ],
  [
    'a tie-break that we do not know, without a ranking',
    [{ kind: 'tournament', slug: 'cup', tieBreaks: ['wins', 'painting'] }],
    `tieBreaks[1]: expected ${known}, found "painting"`,
  ],
  [
    'a second board without a ranking beside such a tie-break',
    [
      { ...stages({ ...swiss, ranking: { afterRound: 0, ranks: [] } }), tieBreaks: ['painting'] },
      stages(swiss, { id: 'placement-swiss', label: 'Rest', type: 'board', rounds: 1 }),
    ],
    `stages: expected ${known}, found "painting"`,
  ],
  [
    'the removal of the only ranking beside such a tie-break',
    [
      { ...stages({ ...swiss, ranking: { afterRound: 0, ranks: [] } }), tieBreaks: ['painting'] },
      { kind: 'remove', of: 'ranking', tournament: 'cup', stage: 'swiss', afterRound: 0 },
    ],
    'afterRound: expected a ranking that no tie-break needs, found "swiss 0", which the tie-break "painting" refers to',
  ],
  [
    'a rank on both sides of the cut without a seed',
    [ranking(1, shared), stages(swiss, cut({ participant: 'p1' }, { participant: 'p2' }))],
    'stages[1].members: expected a seed for "p2", because "p3", who is not in knockout, has rank 2, too, found none',
  ],
  [
    'the same in a ranking that comes after the cut',
    [stages(swiss, cut({ participant: 'p1' }, { participant: 'p2' })), ranking(1, shared)],
    'ranks: expected a seed for "p2", because "p3", who is not in knockout, has rank 2, too, found none',
  ],
];

for (const [what, records, problem] of refused) {
  test(`refused: ${what}`, async () => {
    const { refusals } = await importLines(client, records as FeedRecord[]);
    assert.deepEqual(refusals, [`feed:${records.length}: ${problem}`]);
  });
}

test('a rank on both sides of the cut is no question with seeds, or in two groups', async () => {
  await take(ranking(1, shared), stages(swiss, cut({ participant: 'p1' }, { participant: 'p2', seed: 2 })));
  const inEach = [
    { participant: 'p1', rank: 1 },
    { participant: 'p3', rank: 1 },
  ];
  await take({ ...inGroups, stages: [grouped, cut({ participant: 'p1' })] }, ranking(2, inEach));
  // The ranking of an earlier round, with other participants, does not raise it again either.
  await take(ranking(1, ranksOf('p2')));
});

test('a rank on both sides of the cut is no question once the other one or the board is gone', async () => {
  const knockout = cut({ participant: 'p1' }, { participant: 'p2' });
  await take(ranking(1, shared));
  const participants = cup.participants.filter(({ id }) => id !== 'p3');
  await take({ ...stages(swiss, knockout), participants });
  await take({ ...stages(swiss), participants: cup.participants }, ranking(1, shared), stages(knockout));
  assert.deepEqual(await recorded(), []);
});

test('a rank on both sides of the cut is no question once placements are recorded, also in an export', async () => {
  await take(ranking(1, shared), ranking(2, shared));
  const participants = cup.participants.map((each, index) => ({ ...each, finalPlacement: index + 1 }));
  const finished = stages(swiss, cut({ participant: 'p1' }, { participant: 'p2' }));
  await take({ ...finished, status: 'finished', participants });
  assert.equal((await recorded()).length, 2, 'the rankings of the Swiss rounds stay');
  await assertReimportable();
});

test('with a ranking on every board, tie-breaks have any name', async () => {
  await take({
    ...stages({ ...swiss, ranking: { afterRound: 0, ranks: [] } }),
    tieBreaks: ['Strength of schedule', 'painting'],
  });
  await take(ranking(1, ranksOf('p1')), { kind: 'tournament', slug: 'cup', name: 'Still the cup' });
  const { rows } = await client.query('select tie_breaks, name from record.tournament');
  assert.deepEqual(rows, [{ tie_breaks: ['Strength of schedule', 'painting'], name: 'Still the cup' }]);
});

test('a digest says which results a ranking is about', async () => {
  const digests = async () => {
    const { rows } = await client.query<{ results: string }>(
      'select results from record.ranking order by after_round',
    );
    return rows.map(({ results }) => results);
  };
  await take(...roundOne, ranking(1, ranksOf('p1', 'p3', 'p2', 'p4')));
  const [first] = await digests();
  assert.match(first ?? '', /^[0-9a-f]{32}$/);
  // Neither a later result nor a change that is not a score affects it, and a changed result does so once the
  // ranking is sent again.
  await take(
    result('b3', 2, ['p1', 'p3']),
    result('b1', 1, ['p1', 'p2'], { table: 7 }),
    ranking(1, ranksOf('p1', 'p3', 'p2', 'p4')),
  );
  assert.deepEqual(await digests(), [first]);
  await take(result('b1', 1, ['p2', 'p1']));
  assert.deepEqual(await digests(), [first]);
  await marks();
  const again = await importLines(client, [ranking(1, ranksOf('p1', 'p3', 'p2', 'p4'))]);
  assert.equal(again.changed, 1);
  assert.deepEqual(await marks(), ['tournament cup part ""']);
  const [second] = await digests();
  assert.notEqual(second, first);
  // Totals and the same values round by round are the same results.
  const sides = [
    { participant: 'p2', battlePoints: 3, rounds: [{ round: 1, victoryPoints: 10 }] },
    { participant: 'p1', battlePoints: 0, rounds: [{ round: 1, victoryPoints: 5 }] },
  ];
  await take(result('b1', 1, ['p2', 'p1'], { sides }), ranking(1, ranksOf('p1', 'p3', 'p2', 'p4')));
  assert.deepEqual(await digests(), [second]);
});

async function warned(records: object[]): Promise<string[]> {
  const lines: string[] = [];
  await importLines(client, records as FeedRecord[], {
    remarks: {
      onWarnings: (file, line, warnings) =>
        lines.push(...warnings.map((each) => warningLine(file, line, each))),
      onTournamentWarnings: () => undefined,
      onTournaments: () => undefined,
    },
  });
  return lines;
}

test('a warning names a board whose ranks contradict its battle points', async () => {
  const contradiction =
    'expected ranks in the order of the battle points, found rank 1 of "p2" with 0 battle points and rank 2 of "p1" with 3 battle points: if they are ordered by something else, say so in tieBreaks';
  assert.deepEqual(await warned([...roundOne, ranking(1, ranksOf('p2', 'p1', 'p3'))]), [
    `feed:3: warning: ranks: ${contradiction}`,
  ]);
  const ranked = { ...swiss, ranking: { afterRound: 1, ranks: ranksOf('p2', 'p1') } };
  assert.deepEqual(await warned([stages(ranked)]), [
    `feed:1: warning: stages[0].ranking.ranks: ${contradiction}`,
  ]);
  const strict = await importLines(
    client,
    [ranking(2, ranksOf('p2', 'p1')), ranking(3, [])] as FeedRecord[],
    {
      strict: true,
    },
  );
  assert.deepEqual(strict.refusals, [`feed:1: ranks: ${contradiction}`]);
  assert.equal(strict.records, 1);
});

test('no warning: equal points, equal ranks, a later round, other groups, who left, or another order that is told', async () => {
  const lines = await warned([
    ...roundOne,
    ranking(1, ranksOf('p3', 'p1', 'p4', 'p2')),
    ranking(1, [...ranksOf('p2'), { participant: 'p1', rank: 1 }]),
    result('b3', 2, ['p2', 'p1'], { sides: [{ participant: 'p2', battlePoints: 9 }, { participant: 'p1' }] }),
    ranking(1, ranksOf('p1', 'p2')),
    { kind: 'participant', tournament: 'cup', id: 'p1', name: 'P1', dropped: true },
    ranking(1, ranksOf('p3', 'p2', 'p1')),
    { kind: 'participant', tournament: 'cup', id: 'p1', name: 'P1' },
    { kind: 'tournament', slug: 'cup', tieBreaks: ['wins'] },
    ranking(2, ranksOf('p4', 'p3', 'p2', 'p1')),
    { ...inGroups, tieBreaks: ['battlePoints'], stages: [grouped] },
    ranking(3, [
      { participant: 'p2', rank: 1 },
      { participant: 'p1', rank: 2 },
      { participant: 'p3', rank: 1 },
    ]),
  ]);
  assert.deepEqual(lines, []);
});

test('an export has every ranking, and a feed with the newest one is equal', async () => {
  await take(...roundOne, ranking(1, ranksOf('p1', 'p3')), ranking(2, ranksOf('p3', 'p1')));
  const feed = await exported(client);
  assert.deepEqual(
    feed.map(({ kind }) => kind),
    ['tournament', 'ranking'],
  );
  assert.deepEqual(await compared(client, whole(feed)), equal);
  assert.deepEqual(await compared(client, whole(feed.slice(0, 1))), equal);
  const [event, earlier] = structuredClone(feed);
  assert.ok(event?.kind === 'tournament' && earlier?.kind === 'ranking');
  const newest = event.stages?.[0]?.ranking;
  assert.ok(newest);
  earlier.ranks.reverse();
  newest.ranks.reverse();
  assert.deepEqual(await compared(client, whole([event, earlier])), equal, 'the order of ranks says nothing');
  earlier.ranks = ranksOf('p3');
  assert.deepEqual((await compared(client, whole([event, earlier]))).differ, [
    'tournament cup: ranking of swiss after round 1',
  ]);
  newest.ranks = ranksOf('p1', 'p3');
  assert.deepEqual((await compared(client, whole([event]))).differ, [
    'tournament cup: stages[swiss].ranking.ranks',
  ]);
  newest.afterRound = 3;
  assert.deepEqual((await compared(client, whole([event]))).differ, [
    'tournament cup: stages[swiss].ranking',
  ]);
  await emptyFacts(client);
  await take(...feed);
  assert.deepEqual(await exported(client), feed);
});

test('what is recorded about a person has their ranks, and nobody else', async () => {
  await take(ranking(1, ranksOf('p2', 'p1')), ranking(2, ranksOf('p2')));
  const guests = await findGuests(client, new NamePattern('P1'), 'cup');
  const places = (await dataOf(client, guests)).filter(({ table }) => table === 'record.ranking');
  assert.deepEqual(places, [
    {
      table: 'record.ranking',
      key: { tournament: 'cup', stage: 'swiss', after_round: 1 },
      values: { rank: 2 },
    },
  ]);
});
