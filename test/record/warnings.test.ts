import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { importFeed, type ImportOptions } from '../../src/record/import.ts';
import { tournamentWarningLine, warningLine } from '../../src/record/feed/warning.ts';
import type { TournamentSummary } from '../../src/record/touched-tournaments.ts';
import { dayNumber } from '../../src/world/dates.ts';
import { world } from '../../src/world/world.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { eventually } from '../../harness/support/eventually.ts';
import { emptyFacts, exampleFeed, importLines } from '../../harness/support/feed.ts';

const database = await createTestDatabase();
const client = await database.pool.connect();
atEnd(async () => client.release());
beforeEach(() => emptyFacts(client));

interface Remarks {
  lines: string[];
  tournaments: TournamentSummary[];
  more: number;
  refusals: string[];
}

/**
 * Returns the remarks on these lines. It must not matter how many records are in one batch, so `options` may
 * ask for small batches.
 */
async function remarksOn(lines: (object | string)[], options: Partial<ImportOptions> = {}): Promise<Remarks> {
  const all: Remarks = { lines: [], tournaments: [], more: 0, refusals: [] };
  const { refusals } = await importLines(client, lines as string[], { ...options, remarks: into(all) });
  return { ...all, refusals };
}

const into = (all: Remarks): NonNullable<ImportOptions['remarks']> => ({
  onWarnings: (file, line, warnings) =>
    all.lines.push(...warnings.map((warning) => warningLine(file, line, warning))),
  onTournamentWarnings: (slug, warnings) =>
    all.lines.push(...warnings.map((warning) => tournamentWarningLine(slug, warning))),
  onTournaments: (summaries, more) => {
    all.tournaments = summaries;
    all.more = more;
  },
});

const side = (participant: string, victoryPoints: number) => ({ participant, victoryPoints });
const battle = (id: string, round: number, winner: string, first: object, second: object) => ({
  id,
  stage: 'swiss',
  round,
  finished: true,
  winner,
  sides: [first, second],
});
const participants = ['a', 'b', 'c', 'd'].map((id) => ({ id, name: id.toUpperCase() }));
const swiss = { id: 'swiss', label: 'Swiss', type: 'board', rounds: 2 };
const knockout = { id: 'knockout', label: 'Cut', type: 'bracket', rounds: 2 };
const battles = [
  battle('b1', 1, 'a', side('a', 9), side('b', 5)),
  battle('b2', 1, 'c', side('c', 9), side('d', 5)),
  battle('b3', 2, 'a', side('a', 9), side('c', 5)),
];
const header = {
  kind: 'tournament',
  slug: 'cup',
  name: 'Cup',
  status: 'finished',
  battleSize: 1,
  published: true,
};
const cup = { ...header, stages: [swiss], participants, byes: [], battles, matches: [] };

type Told = Omit<typeof cup, 'participants' | 'byes' | 'battles' | 'matches'> &
  Record<'participants' | 'byes' | 'battles' | 'matches', object[]>;

/** Returns the same tournament in small records, of which the last one finishes it. */
function inParts({ participants: people, byes, battles: played, matches, ...whole }: Told): object[] {
  const small = (kind: string) => (entry: object) => ({ kind, tournament: 'cup', ...entry });
  return [
    { ...whole, status: 'ongoing' },
    ...people.map(small('participant')),
    ...byes.map(small('bye')),
    ...played.map(small('battle')),
    ...matches.map(small('match')),
    { kind: 'tournament', slug: 'cup', status: 'finished' },
  ];
}

const cases: [string, Told, string[]][] = [
  ['a sound one', cup, []],
  [
    'an unfinished battle',
    {
      ...cup,
      battles: battles.map((each, at) => (at === 2 ? { ...each, finished: false, winner: null } : each)),
    },
    ['battles: expected every battle finished, found 1 of 3 unfinished'],
  ],
  [
    'participants without battle or bye',
    {
      ...cup,
      participants: [
        ...participants,
        ...['e', 'f', 'g', 'h'].map((id) => ({ id, name: `Idle ${id}` })),
        { id: 'absent', name: 'Absent', noShow: true },
        { id: 'lucky', name: 'Lucky' },
      ],
      byes: [{ stage: 'swiss', round: 1, participant: 'lucky', win: true }],
    },
    [
      'participants: expected a battle or bye for each participant except no-shows, found none for "Idle e", "Idle f", "Idle g" and 1 more',
    ],
  ],
  [
    'a knockout without a final',
    {
      ...cup,
      stages: [swiss, knockout],
      matches: [1, 2].map((position) => ({
        stage: 'knockout',
        round: 1,
        position,
        table: 1,
        players: position === 1 ? ['a', 'b'] : ['c', 'd'],
        winner: position === 1 ? 'a' : 'c',
      })),
    },
    ['matches: expected a final of the knockout with a winner, found none'],
  ],
  [
    'two participants of one name',
    {
      ...cup,
      participants: participants.map((each) => ({ ...each, name: each.id < 'c' ? 'Same' : each.name })),
    },
    ['participants: expected each name once, found "Same" more than once'],
  ],
  [
    'no battles at all',
    { ...cup, battles: [] },
    ['battles: expected battles in a finished tournament, found none'],
  ],
];

for (const [what, told, wanted] of cases) {
  const lines = wanted.map((line) => `tournament cup: warning: ${line}`);
  test(`${what}: a finished tournament is judged once, told whole or in parts`, async () => {
    assert.deepEqual((await remarksOn([told])).lines, lines);
    await emptyFacts(client);
    assert.deepEqual((await remarksOn(inParts(told), { batchBytes: 1 })).lines, lines);
    // A dry run judges what it would record.
    await emptyFacts(client);
    assert.deepEqual((await remarksOn(inParts(told), { dryRun: true })).lines, lines);
    // An ongoing tournament is not judged.
    await emptyFacts(client);
    assert.deepEqual((await remarksOn(inParts(told).slice(0, -1))).lines, []);
  });

  test(`${what}: strict refuses it only where one record tells it`, async () => {
    const strict = await remarksOn([told], { strict: true });
    assert.deepEqual(
      strict.refusals,
      wanted.map((line) => `feed:1: ${line}`),
    );
    await emptyFacts(client);
    // A new tournament has no byes and matches other than those in its record.
    const { byes, matches, ...rest } = told;
    const brief = byes.length + matches.length > 0 ? told : rest;
    assert.deepEqual((await remarksOn([brief], { strict: true })).refusals, strict.refusals);
    await emptyFacts(client);
    const parts = await remarksOn(inParts(told), { strict: true });
    assert.deepEqual([parts.refusals, parts.lines], [[], lines]);
  });
}

test('registered players of one name are warned about; strict leaves them, because a record does not tell their names', async () => {
  const players = ['x', 'y'].map((id) => ({ kind: 'player', id, name: 'Kim' }));
  const people = participants.map((each) =>
    each.id < 'c' ? { id: each.id, player: each.id === 'a' ? 'x' : 'y' } : each,
  );
  const { lines, refusals } = await remarksOn([...players, { ...cup, participants: people }], {
    strict: true,
  });
  assert.deepEqual(refusals, []);
  assert.deepEqual(lines, [
    'tournament cup: warning: participants: expected each name once, found "Kim" more than once',
  ]);
});

test('later records count: what they complete or remove is no warning at the end', async () => {
  const small = { tournament: 'cup' };
  const open = { ...battles[2], finished: false, winner: null };
  const before = { ...cup, battles: [battles[0], battles[1], open] };
  const closes = { kind: 'battle', ...small, ...battles[2] };
  assert.deepEqual((await remarksOn([before, closes])).lines, []);
  await emptyFacts(client);
  assert.deepEqual((await remarksOn([before, { kind: 'remove', of: 'battle', id: 'b3' }])).lines, []);
  await emptyFacts(client);
  // The header comes first and is finished, and the parts still follow.
  const [, ...rest] = inParts(cup);
  assert.deepEqual((await remarksOn([{ ...header, stages: [swiss] }, ...rest], { batchBytes: 1 })).lines, []);
  await emptyFacts(client);
  const gone = await remarksOn([before, { kind: 'remove', of: 'tournament', id: 'cup' }]);
  assert.deepEqual([gone.lines, gone.tournaments, gone.refusals], [[], [], []]);
});

test('a record that leaves out byes and matches is judged with the recorded ones', async () => {
  const people = [...participants, { id: 'lucky', name: 'Lucky' }];
  const bye = { stage: 'swiss', round: 1, participant: 'lucky', win: true };
  assert.deepEqual((await remarksOn([{ ...cup, participants: people, byes: [bye] }])).lines, []);
  const { byes: _b, matches: _m, ...again } = { ...cup, participants: people };
  for (const strict of [false, true]) {
    const { lines, refusals } = await remarksOn([again], { strict });
    assert.deepEqual([lines, refusals], [[], []]);
  }
});

test('a live input is judged when a record finishes the tournament, and not again at its end', async () => {
  const all: Remarks = { lines: [], tournaments: [], more: 0, refusals: [] };
  const seen: string[][] = [];
  const told = inParts({ ...cup, participants: [...participants, { id: 'e', name: 'E' }] });
  async function* chunks(): AsyncGenerator<Buffer> {
    for (const record of [...told, { ...battles[2], kind: 'battle', tournament: 'cup', table: 7 }]) {
      yield Buffer.from(`${JSON.stringify(record)}\n`);
      await sleep(150);
      // A busy machine needs longer for the record that finishes the tournament.
      if (record === told.at(-1)) await eventually(() => assert.ok(all.lines.length > 0));
      seen.push([...all.lines]);
    }
  }
  const options = { remarks: into(all), onRefusal: () => assert.fail('refused') };
  await importFeed(client, [{ name: 'pipe', chunks: chunks(), live: true }], options);
  assert.deepEqual(seen.at(-3), []);
  assert.equal(seen.at(-2)?.length, 1);
  assert.match(all.lines.join('\n'), /^tournament cup: warning: participants: [^\n]+found none for "E"$/);
});

test('a round is compared with the stage in the record, else with the recorded stage', async () => {
  const line = (at: number, path: string) =>
    `feed:${at}: warning: ${path}round: expected at most 2, the rounds of swiss, found 3`;
  const late = battle('b4', 3, 'b', side('b', 9), side('d', 5));
  const small = { kind: 'battle', tournament: 'cup', ...late };
  const ongoing = { ...cup, status: 'ongoing' };
  const bye = { kind: 'bye', tournament: 'cup', stage: 'swiss', round: 3, participant: 'c', win: true };
  for (const options of [{}, { batchBytes: 1 }]) {
    await emptyFacts(client);
    const { lines } = await remarksOn([{ ...ongoing, battles: [...battles, late] }, small, bye], options);
    assert.deepEqual(lines, [line(1, 'battles[3].'), line(2, ''), line(3, '')]);
  }
  const again = await remarksOn([{ kind: 'tournament', slug: 'cup', battles: [...battles, late] }]);
  assert.deepEqual(again.lines, [line(1, 'battles[3].')]);
});

test("a side is compared with the participant's list in the record, else with the recorded one", async () => {
  const line = (at: number, path: string) =>
    `feed:${at}: warning: ${path}sides[0].subFaction: expected the list's sub-faction ("Wick Guard"), found "Long Vigil"`;
  const list = {
    faction: 'Lanternsworn',
    subFaction: 'Wick Guard',
    points: 1,
    battleTacticCards: [],
    text: 'x',
  };
  const listed = participants.map((each) => (each.id === 'a' ? { ...each, list } : each));
  const other = battle('b1', 1, 'a', { ...side('a', 9), subFaction: 'Long Vigil' }, side('b', 5));
  const ongoing = { ...cup, status: 'ongoing', participants: listed };
  const small = { kind: 'battle', tournament: 'cup', ...other };
  for (const options of [{}, { batchBytes: 1 }]) {
    await emptyFacts(client);
    const { lines } = await remarksOn([{ ...ongoing, battles: [other] }, small], options);
    assert.deepEqual(lines, [line(1, 'battles[0].'), line(2, '')]);
  }
  const alone = { kind: 'participant', tournament: 'cup', ...participants[0], list: { subFaction: '' } };
  assert.deepEqual((await remarksOn([alone, small])).lines, []);
});

test('strict refuses the warnings about a record and records the other records', async () => {
  const wrong = battle('b4', 2, 'b', side('b', 4), side('d', 5));
  const late = battle('b5', 3, 'b', side('b', 9), side('d', 5));
  const small = { kind: 'battle', tournament: 'cup' };
  const { refusals, lines } = await remarksOn([cup, { ...small, ...wrong }, { ...small, ...late }], {
    strict: true,
  });
  assert.deepEqual(refusals, [
    'feed:2: winner: expected the side with more points (4 to 5 victory points), found "b"',
    'feed:3: round: expected at most 2, the rounds of swiss, found 3',
  ]);
  assert.deepEqual(lines, []);
  const { rows } = await client.query('select id from record.battle order by id');
  assert.deepEqual(
    rows.map(({ id }) => id),
    ['b1', 'b2', 'b3'],
  );
});

test('the warnings of a refused record are not told', async () => {
  const wrong = {
    ...battle('b4', 9, 'b', side('b', 4), side('nobody', 5)),
    kind: 'battle',
    tournament: 'cup',
  };
  const { lines, refusals } = await remarksOn([cup, wrong]);
  assert.deepEqual(lines, []);
  assert.equal(refusals.length, 1);
});

test('the example causes no warning, and its tournaments are summed up', async () => {
  const { lines, tournaments, more } = await remarksOn(exampleFeed().trim().split('\n'));
  assert.deepEqual(lines, []);
  assert.equal(more, 0);
  assert.deepEqual(tournaments, [
    {
      slug: 'tidewatch-open-2025',
      isPublished: true,
      participants: 3,
      rounds: 2,
      plannedRounds: 2,
      knockoutRounds: 1,
      plannedKnockoutRounds: 1,
      champion: 'Ana Quiroga',
    },
    {
      slug: 'lantern-league',
      isPublished: true,
      participants: 3,
      rounds: 1,
      plannedRounds: 3,
      knockoutRounds: 0,
      plannedKnockoutRounds: null,
      champion: null,
    },
  ]);
});

test('the champion is the first placement, else the winner of the final, else unknown', async () => {
  const final = { stage: 'knockout', round: 1, position: 1, table: 1, players: ['a', 'c'], winner: 'c' };
  const cut = { ...cup, stages: [swiss, { ...knockout, rounds: 1 }], matches: [final] };
  const placed = participants.map((each, at) => ({ ...each, finalPlacement: at + 1 }));
  const champions: (string | null | undefined)[] = [];
  for (const told of [cup, cut, { ...cut, participants: placed }, { ...cut, status: 'ongoing' }]) {
    await emptyFacts(client);
    champions.push((await remarksOn([told])).tournaments[0]?.champion);
  }
  assert.deepEqual(champions, [null, 'C', 'A', null]);
});

test('the world causes warnings only where it repeats names, removes players, or takes a mistake back', async () => {
  const days = { from: dayNumber('2022-01-01'), today: dayNumber('2026-11-14') };
  const records = [...world({ seed: 1, battles: 2000, ...days })];
  const { lines } = await remarksOn(records);
  const meant =
    /^tournament .*: expected each name once, |: id: expected a player that nothing published names,/;
  const about = lines.filter((line) => !meant.test(line));
  const [twice = [], others = []] = [true, false].map((is) =>
    about.filter((line) => line.includes(': expected one battle or bye of ') === is),
  );
  assert.deepEqual(others, []);
  assert.ok(twice.length > 0);
  for (const line of twice) {
    const at = Number(/^feed:(\d+): /.exec(line)?.[1]);
    const { kind, ...entry } = records[at - 1] as { kind: string } & Record<string, unknown>;
    const isTakenBack = records.slice(at).some((later) => {
      const { kind: _, of, ...identity } = later as { of?: string } & typeof later;
      const same = Object.entries(identity).every(([key, value]) => entry[key] === value);
      return later.kind === 'remove' && of === kind && same;
    });
    assert.ok(isTakenBack, line);
  }
});
