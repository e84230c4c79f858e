import assert from 'node:assert/strict';
import { byName, fieldRules } from './fields.ts';
import { rule } from './rule.ts';
import { type Row, startWorld } from './world.ts';
import { eventually } from '../../harness/support/eventually.ts';

// Tests the fields of tournaments and stages.

const world = await startWorld();
const tournaments = byName(await world.all('/tournaments'), ({ slug }) => String(slug));
const stagesOf = (slug: string) => (tournaments.get(slug)?.['stages'] ?? []) as Row[];

const tournament = 'Tournament';
fieldRules(tournament, tournaments, {
  slug: { 'grand-muster': 'grand-muster', 'league-07': 'league-07' },
  name: { 'grand-muster': 'Grand Muster 2026', 'some-day': 'Some Day' },
  status: { 'spring-plan': 'planned', 'group-cup': 'ongoing', 'grand-muster': 'finished' },
  startDate: { 'grand-muster': '2026-03-14', 'some-day': null },
  endDate: { 'grand-muster': '2026-03-15', 'group-cup': null },
  description: { 'grand-muster': 'Two days & one cup.\n<b>No</b> markup.', 'group-cup': '' },
  city: { 'grand-muster': 'Aveiro', 'group-cup': null },
  country: { 'grand-muster': 'Portugal', 'group-cup': null },
  players: { 'grand-muster': 14, 'group-cup': 6, 'spring-plan': 3, 'full-house': 24, 'some-day': 0 },
  rounds: { 'grand-muster': 2 + 3 + 1 + 1 + 2, 'winter-cut': 1 + 2 + 1, 'group-cup': 3, 'some-day': 0 },
  battleSize: { 'grand-muster': 2000, 'group-cup': 1500 },
  battlePack: { 'grand-muster': "Warden's Almanac 2025", 'winter-cut': null },
  organizer: { 'grand-muster': 'lantern-street', 'spring-plan': 'north-gate', 'winter-cut': null },
  tournamentOrganizers: {
    'grand-muster': [
      { name: 'Ágnes Tóth', playerId: 'to-2' },
      { name: 'Duarte Pinho', playerId: 'to-3' },
      { name: 'Odile Kerbrat', playerId: 'to-1' },
    ],
    'winter-cut': [{ name: 'Odile Kerbrat', playerId: 'to-1' }],
    'group-cup': [],
  },
  stages: {
    'grand-muster': [
      { id: 'swiss', name: 'Swiss Stage', type: 'board', rounds: 2 },
      { id: 'knockout', name: 'Top Cut', type: 'bracket', rounds: 3, players: 8 },
      { id: 'placement-swiss', name: 'Consolation', type: 'board', rounds: 1 },
      { id: 'placement-3', name: 'Bronze', type: 'bracket', rounds: 1 },
      { id: 'placement-5-8', name: 'Places 5 to 8', type: 'bracket', rounds: 2 },
      { id: 'standings', name: 'Final Standings', type: 'board' },
    ],
    'some-day': [],
  },
  url: { 'grand-muster': 'https://wartable.example/tournaments/grand-muster' },
});
rule(tournament, '`slug` is used wherever an endpoint asks for {slug}', async () => {
  for (const slug of ['grand-muster', 'group-cup', 'spring-plan', 'league-07']) {
    for (const path of ['', '/standings', '/participants', '/battles']) {
      assert.equal((await world.get(`/tournaments/${slug}${path}`)).status, 200);
    }
  }
});
rule(tournament, '`organizer` is usable with the club endpoints', async () => {
  for (const { slug, organizer } of tournaments.values()) {
    if (typeof organizer !== 'string') continue;
    for (const path of ['', '/battles']) {
      assert.equal((await world.get(`/clubs/${organizer}${path}`)).status, 200);
    }
    const run = await world.all(`/clubs/${organizer}/tournaments`);
    assert.ok(run.some((each) => each['slug'] === slug));
  }
});
rule(tournament, '`tournamentOrganizers`: playerId is the public player id', async () => {
  const people = [...tournaments.values()].flatMap((each) => each['tournamentOrganizers'] as Row[]);
  assert.ok(people.length > 3);
  for (const { playerId } of people) {
    assert.equal((await world.get(`/users/${String(playerId)}/battles`)).status, 200);
  }
});

const stage = 'Stage';
const stages = new Map(
  [...tournaments.keys()].flatMap((slug) =>
    stagesOf(slug).map((each) => [`${slug} ${String(each['id'])}`, each]),
  ),
);
fieldRules(stage, stages, {
  id: { 'group-cup swiss': 'swiss', 'grand-muster placement-5-8': 'placement-5-8' },
  name: {
    'grand-muster swiss': 'Swiss Stage',
    'grand-muster knockout': 'Top Cut',
    'winter-cut swiss': 'Qualifier',
  },
  type: {
    'grand-muster swiss': 'board',
    'grand-muster knockout': 'bracket',
    'grand-muster placement-swiss': 'board',
    'grand-muster placement-3': 'bracket',
    'grand-muster placement-5-8': 'bracket',
    'grand-muster standings': 'board',
  },
  rounds: {
    'grand-muster swiss': 2,
    'grand-muster knockout': 3,
    'grand-muster standings': undefined,
    'old-guard standings': undefined,
  },
  players: {
    'grand-muster knockout': 8,
    'winter-cut knockout': 4,
    'spring-plan knockout': undefined,
    'grand-muster swiss': undefined,
    'grand-muster placement-swiss': undefined,
    'grand-muster placement-3': undefined,
    'grand-muster standings': undefined,
  },
});
rule(stage, '`id` is passed as the `stage` query parameter of the standings endpoint', async () => {
  for (const [name, { id }] of stages) {
    const [slug = ''] = name.split(' ');
    assert.equal((await world.standings(slug, String(id))).stage['id'], id, name);
  }
});
rule(stage, '`id` never changes: not with the label, not when the tournament goes on', async () => {
  const cup = { kind: 'tournament', slug: 'spring-plan' } as const;
  const swiss = { id: 'swiss', label: 'Saturday', type: 'board', rounds: 4 } as const;
  await world.tell({ ...cup, status: 'ongoing', stages: [swiss] });
  // The server receives the change a moment after the commit.
  await eventually(async () => {
    const { stages: shown } = await world.item('/tournaments/spring-plan');
    assert.deepEqual(shown, [{ id: 'swiss', name: 'Saturday', type: 'board', rounds: 4 }]);
  });
});
rule(stage, '`name` is not derived from the id: the same id carries different names', () => {
  const named = (id: string) =>
    Object.fromEntries(
      ['grand-muster', 'group-cup', 'winter-cut', 'old-guard'].map((slug) => [
        slug,
        stages.get(`${slug} ${id}`)?.['name'],
      ]),
    );
  assert.deepEqual(named('swiss'), {
    'grand-muster': 'Swiss Stage',
    'group-cup': 'Group Stage',
    'winter-cut': 'Qualifier',
    'old-guard': 'Group Stage',
  });
  assert.deepEqual(named('standings'), {
    'grand-muster': 'Final Standings',
    'group-cup': undefined,
    'winter-cut': undefined,
    'old-guard': 'Roll of Honour',
  });
});
rule(stage, '`name`: a scoped board can carry its own label', () => {
  assert.equal(stages.get('grand-muster placement-swiss')?.['name'], 'Consolation');
  assert.equal(stages.get('winter-cut placement-swiss')?.['name'], 'Sunday Swiss');
});

/**
 * Returns the players of a board from the top, or the winners of the matches in a bracket, one after the
 * other.
 */
const namesOn = async (id: string) => {
  const { stage: shown, data } = await world.standings('grand-muster', id);
  const field = shown['type'] === 'board' ? 'player' : 'winner';
  return data.map((row) => (row[field] as string | null) ?? 'nobody').join(', ');
};
const stageIds: [id: string, meaning: string, names: string[]][] = [
  [
    'standings',
    'final standings, everything merged into one table',
    [
      'Chidi Eze, Ana Quiroga, Łucja Baran, Mara Silva',
      'Zoë Marsh, Émile Dubois, bjørn Aas, Erik Voss',
      'Luka Horvat, nobody, Nils Øst, gwen Harte, Tomás Reis, Pia Roth',
    ],
  ],
  [
    'swiss',
    'the main Swiss rounds',
    [
      'Ana Quiroga, Łucja Baran, Chidi Eze, Émile Dubois, Mara Silva, Zoë Marsh, bjørn Aas',
      'Erik Voss, Luka Horvat, Tomás Reis, Nils Øst, nobody, gwen Harte, Pia Roth',
    ],
  ],
  [
    'knockout',
    'the knockout bracket',
    ['Ana Quiroga, Mara Silva, Łucja Baran, Chidi Eze', 'Ana Quiroga, Chidi Eze', 'Chidi Eze'],
  ],
  [
    'placement-swiss',
    'the Swiss board played by everyone outside the knockout',
    ['Luka Horvat, nobody, Nils Øst, gwen Harte'],
  ],
  ['placement-3', 'a small bracket settling the third place', ['Łucja Baran']],
  [
    'placement-5-8',
    'a small bracket settling the places of its band',
    ['Émile Dubois, Zoë Marsh', 'Zoë Marsh, bjørn Aas'],
  ],
];
for (const [id, meaning, names] of stageIds) {
  rule(stage, `The stage id \`${id}\`: ${meaning}`, async () => {
    assert.equal(await namesOn(id), names.join(', '));
  });
}
rule(stage, 'The stage id `standings` exists only once the tournament has finished', () => {
  for (const [slug, { status }] of tournaments) {
    assert.equal(stages.has(`${slug} standings`), status === 'finished', slug);
  }
});
rule(stage, 'A tournament has only the stages it is set up for', () => {
  const ids = (slug: string) => stagesOf(slug).map(({ id }) => id);
  assert.deepEqual(ids('winter-cut'), ['swiss', 'knockout', 'placement-swiss']);
  assert.deepEqual(ids('group-cup'), ['swiss']);
  assert.deepEqual(ids('old-guard'), ['swiss', 'standings']);
  assert.deepEqual(ids('some-day'), []);
});
