import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { ImportOptions } from '../../src/record/import.ts';
import { warningLine } from '../../src/record/feed/warning.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { emptyFacts, importLines } from '../../harness/support/feed.ts';

// A participant plays only once in a round of a stage. A sheet with two people of the same name may say
// otherwise.

const database = await createTestDatabase();
const client = await database.pool.connect();
atEnd(async () => client.release());
beforeEach(() => emptyFacts(client));

/** Returns the warnings, then the refusals. */
async function told(lines: (object | string)[], options: Partial<ImportOptions> = {}): Promise<string[]> {
  const printed: string[] = [];
  const remarks: ImportOptions['remarks'] = {
    onWarnings: (file, line, warnings) =>
      printed.push(...warnings.map((warning) => warningLine(file, line, warning))),
    onTournamentWarnings: () => assert.fail('the tournament is not finished'),
    onTournaments: () => {},
  };
  const { refusals } = await importLines(client, lines as string[], { ...options, remarks });
  return [...printed, ...refusals.map((refusal) => `refused ${refusal}`)];
}

const battle = (id: string, round: number, first: string, second: string, stage = 'swiss') => ({
  id,
  stage,
  round,
  sides: [{ participant: first }, { participant: second }],
});
const bye = (round: number, participant: string, stage = 'swiss') => ({
  stage,
  round,
  participant,
  win: true,
});
const cup = {
  kind: 'tournament',
  slug: 'cup',
  name: 'Cup',
  status: 'ongoing',
  battleSize: 1,
  published: true,
  stages: [
    { id: 'swiss', label: 'Swiss', type: 'board', rounds: 3 },
    { id: 'knockout', label: 'Cut', type: 'bracket', rounds: 2 },
  ],
  participants: ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id, name: id.toUpperCase() })),
};
const parts = (more: object) => ({ kind: 'tournament', slug: 'cup', ...more });
const smallBattle = (...given: Parameters<typeof battle>) => ({
  kind: 'battle',
  tournament: 'cup',
  ...battle(...given),
});
const smallBye = (...given: Parameters<typeof bye>) => ({ kind: 'bye', tournament: 'cup', ...bye(...given) });

const warning = (line: number, path: string, who: string, found: string, where = 'round 1 of swiss') =>
  `feed:${line}: warning: ${path}: expected one battle or bye of "${who}" in ${where}, found ${found}`;
const asRefusals = (warnings: string[]) => warnings.map((each) => `refused ${each.replace('warning: ', '')}`);

const sound = [battle('b1', 1, 'a', 'b'), battle('b2', 1, 'c', 'd'), battle('b3', 2, 'a', 'c')];

test('each round of each stage once is no warning, and the same feed again is none', async () => {
  const whole = {
    ...cup,
    battles: [...sound, battle('k1', 1, 'a', 'b', 'knockout'), battle('k2', 2, 'a', 'c', 'knockout')],
    byes: [bye(1, 'e'), bye(2, 'b'), bye(1, 'c', 'knockout')],
  };
  for (let time = 0; time < 2; time += 1) assert.deepEqual(await told([whole], { strict: true }), []);
  const small = [
    smallBattle('b1', 1, 'a', 'b'),
    smallBye(1, 'e'),
    smallBattle('k1', 1, 'a', 'b', 'knockout'),
  ];
  for (let time = 0; time < 2; time += 1) assert.deepEqual(await told(small, { strict: true }), []);
  // Casual battles have no rounds.
  const casual = (id: string) => ({
    kind: 'battle',
    id,
    battleSize: 1,
    sides: [{ name: 'A' }, { name: 'B' }],
  });
  assert.deepEqual(await told([casual('c1'), casual('c2')], { strict: true }), []);
});

const wholes: [string, object, string[]][] = [
  [
    'two battles',
    { battles: [...sound, battle('b4', 1, 'e', 'a')] },
    [warning(1, 'battles[3].sides[1].participant', 'a', 'battle "b1" and battle "b4"')],
  ],
  [
    'a battle and a bye',
    { battles: sound, byes: [bye(1, 'd')] },
    [warning(1, 'byes[0].participant', 'd', 'battle "b2" and a bye')],
  ],
  [
    'one battle twice, under two ids',
    { battles: [...sound, battle('b5', 1, 'b', 'a')] },
    [warning(1, 'battles[3].sides[0].participant', 'b', 'battle "b1" and battle "b5"')],
  ],
  [
    'both sides in other battles',
    { battles: [...sound, battle('b4', 1, 'a', 'd')] },
    [
      warning(1, 'battles[3].sides[0].participant', 'a', 'battle "b1" and battle "b4"'),
      warning(1, 'battles[3].sides[1].participant', 'd', 'battle "b2" and battle "b4"'),
    ],
  ],
  [
    'a bracket',
    { battles: [battle('k1', 1, 'a', 'b', 'knockout')], byes: [bye(1, 'b', 'knockout')] },
    [warning(1, 'byes[0].participant', 'b', 'battle "k1" and a bye', 'round 1 of knockout')],
  ],
];
for (const [what, more, warnings] of wholes) {
  test(`${what} in one record: a warning, with --strict a refusal`, async () => {
    assert.deepEqual(await told([{ ...cup, ...more }]), warnings);
    await emptyFacts(client);
    assert.deepEqual(await told([{ ...cup, ...more }], { strict: true }), asRefusals(warnings));
  });
}

for (const batchBytes of [1, 1_000_000]) {
  test(`small records of one feed, in batches of ${batchBytes} bytes`, async () => {
    const feed = [
      cup,
      smallBattle('b1', 1, 'a', 'b'),
      smallBattle('b2', 1, 'c', 'a'),
      smallBattle('b3', 1, 'c', 'd'),
      smallBye(1, 'd'),
      smallBye(1, 'e'),
      smallBattle('b4', 1, 'e', 'b'),
    ];
    assert.deepEqual(await told(feed, { batchBytes }), [
      warning(3, 'sides[1].participant', 'a', 'battle "b1" and battle "b2"'),
      warning(4, 'sides[0].participant', 'c', 'battle "b2" and battle "b3"'),
      warning(5, 'participant', 'd', 'battle "b3" and a bye'),
      warning(7, 'sides[0].participant', 'e', 'a bye and battle "b4"'),
      warning(7, 'sides[1].participant', 'b', 'battle "b1" and battle "b4"'),
    ]);
    await emptyFacts(client);
    // A refused record does not count as played.
    assert.deepEqual(await told(feed, { batchBytes, strict: true }), [
      ...asRefusals([
        warning(3, 'sides[1].participant', 'a', 'battle "b1" and battle "b2"'),
        warning(5, 'participant', 'd', 'battle "b3" and a bye'),
        warning(7, 'sides[0].participant', 'e', 'a bye and battle "b4"'),
        warning(7, 'sides[1].participant', 'b', 'battle "b1" and battle "b4"'),
      ]),
    ]);
    const { rows } = await client.query('select id from record.battle order by id');
    assert.deepEqual(
      rows.map(({ id }) => id),
      ['b1', 'b3'],
    );
  });

  test(`a battle that moves to another round leaves its place, in batches of ${batchBytes} bytes`, async () => {
    await told([{ ...cup, battles: [battle('b1', 1, 'a', 'b')] }]);
    const feed = [
      smallBattle('b1', 2, 'a', 'b'),
      smallBattle('b2', 1, 'a', 'c'),
      smallBattle('b3', 2, 'b', 'd'),
    ];
    assert.deepEqual(await told(feed, { batchBytes }), [
      warning(3, 'sides[0].participant', 'b', 'battle "b1" and battle "b3"', 'round 2 of swiss'),
    ]);
  });
}

test('what an earlier import recorded counts, unless the record replaces it', async () => {
  await told([{ ...cup, battles: sound, byes: [bye(1, 'e')] }]);
  assert.deepEqual(await told([smallBattle('b9', 1, 'e', 'b')], { strict: true }), [
    ...asRefusals([
      warning(1, 'sides[0].participant', 'e', 'a bye and battle "b9"'),
      warning(1, 'sides[1].participant', 'b', 'battle "b1" and battle "b9"'),
    ]),
  ]);
  assert.deepEqual(await told([parts({ byes: [bye(1, 'd')] })], { strict: true }), [
    ...asRefusals([warning(1, 'byes[0].participant', 'd', 'battle "b2" and a bye')]),
  ]);
  assert.deepEqual(await told([parts({ battles: [battle('n1', 1, 'e', 'b')] })], { strict: true }), [
    ...asRefusals([warning(1, 'battles[0].sides[0].participant', 'e', 'a bye and battle "n1"')]),
  ]);
  // These replace the battles, the byes, or both.
  assert.deepEqual(await told([parts({ battles: [battle('n1', 1, 'a', 'b')] })], { strict: true }), []);
  assert.deepEqual(await told([parts({ byes: [bye(1, 'd')] })], { strict: true }), []);
  const both = parts({ battles: [battle('n2', 1, 'd', 'b')], byes: [bye(1, 'a')] });
  assert.deepEqual(await told([both], { strict: true }), []);
});
