import assert from 'node:assert/strict';
import { armyList } from './feed/grand-muster.ts';
import { rule } from './rule.ts';
import { type Row, startWorld } from './world.ts';

// Tests the endpoints about tournaments.

const world = await startWorld();
const valuesOf = (rows: Row[], field: string) => rows.map((row) => row[field]);
const slugs = async (path: string) => valuesOf(await world.all(path), 'slug');

const leagues = Array.from({ length: 22 }, (_, i) => `league-${String(22 - i).padStart(2, '0')}`);
const finished = ['grand-muster', ...leagues, 'old-guard'];

const list = 'List tournaments';
rule(list, '`GET /api/v1/tournaments` returns { data: Tournament[], next }', async () => {
  const { data } = await world.page('/tournaments?limit=100');
  for (const each of data) assert.deepEqual(await world.item(`/tournaments/${String(each['slug'])}`), each);
});
rule(list, 'Published tournaments, newest start date first', async () => {
  assert.deepEqual(await slugs('/tournaments'), [
    'spring-plan',
    'winter-cut',
    'group-cup',
    'grand-muster',
    ...leagues,
    'full-house',
    'old-guard',
    'some-day',
  ]);
});
rule(list, 'Without a date range the most recent tournaments are returned', async () => {
  const { data } = await world.page('/tournaments?limit=3');
  assert.deepEqual(valuesOf(data, 'slug'), ['spring-plan', 'winter-cut', 'group-cup']);
});
rule(list, '`from`: starting on or after', async () => {
  assert.deepEqual(await slugs('/tournaments?from=2026-03-14'), [
    'spring-plan',
    'winter-cut',
    'group-cup',
    'grand-muster',
  ]);
  // It ends on that day, but only the start counts.
  assert.ok(!(await slugs('/tournaments?from=2026-03-15')).includes('grand-muster'));
});
rule(list, '`to`: starting on or before', async () => {
  assert.deepEqual(await slugs('/tournaments?to=2024-06-01'), ['full-house', 'old-guard']);
  assert.deepEqual(await slugs('/tournaments?from=2026-03-01&to=2026-03-14'), ['grand-muster']);
});
const byStatus: Record<string, string[]> = {
  planned: ['spring-plan', 'some-day'],
  ongoing: ['winter-cut', 'group-cup', 'full-house'],
  finished,
};
for (const [status, expected] of Object.entries(byStatus)) {
  rule(list, `\`status\`: ${status}`, async () => {
    assert.deepEqual(await slugs(`/tournaments?status=${status}`), expected);
  });
}
rule(list, '`status`: one of "planned", "ongoing", "finished"', async () => {
  assert.deepEqual(await world.refusal('/tournaments?status=over'), {
    status: 400,
    message: 'status must be one of planned, ongoing, finished',
    code: 'BAD_REQUEST',
  });
});
rule(list, '`status` and a date range together', async () => {
  assert.deepEqual(await slugs('/tournaments?status=ongoing&from=2026-01-01'), ['winter-cut', 'group-cup']);
});

const one = 'Get one tournament';
rule(one, '`GET /api/v1/tournaments/{slug}` returns { data: Tournament }', async () => {
  assert.equal((await world.item('/tournaments/grand-muster'))['name'], 'Grand Muster 2026');
});
rule(one, 'Same shape as a list element', async () => {
  const listed = (await world.all('/tournaments')).find(({ slug }) => slug === 'grand-muster');
  assert.deepEqual(await world.item('/tournaments/grand-muster'), listed);
});
rule(one, '404 when the tournament does not exist or is not published', async () => {
  for (const slug of ['nobody', 'hidden-cup']) {
    assert.equal((await world.get(`/tournaments/${slug}`)).status, 404);
  }
});

const standings = 'Tournament standings';
const byDefault = async (slug: string) => (await world.standings(slug)).stage['id'];
rule(
  standings,
  '`GET /api/v1/tournaments/{slug}/standings` returns { stage: { id, name, type }, data }',
  async () => {
    const body = await world.standings('grand-muster', 'knockout');
    assert.deepEqual(Object.keys(body), ['stage', 'data']);
    assert.deepEqual(body.stage, { id: 'knockout', name: 'Top Cut', type: 'bracket' });
  },
);
rule(standings, '`stage`: the stage id', async () => {
  for (const stage of ['swiss', 'knockout', 'placement-swiss', 'placement-3', 'placement-5-8', 'standings']) {
    assert.equal((await world.standings('grand-muster', stage)).stage['id'], stage);
  }
});
rule(standings, '`stage` omitted: the final standings once the tournament has finished', async () => {
  for (const slug of finished) assert.equal(await byDefault(slug), 'standings', slug);
  const { text } = await world.get('/tournaments/grand-muster/standings');
  assert.equal(text, (await world.get('/tournaments/grand-muster/standings?stage=standings')).text);
});
rule(standings, '`stage` omitted: otherwise the stage furthest along', async () => {
  assert.equal(await byDefault('winter-cut'), 'knockout', 'begun after the Swiss stage');
  assert.equal(await byDefault('group-cup'), 'swiss', 'the only one');
  assert.equal(await byDefault('spring-plan'), 'swiss', 'the first, when none has begun');
});
rule(standings, "Stage ids are read from the tournament's stages", async () => {
  for (const slug of ['grand-muster', 'group-cup', 'winter-cut', 'spring-plan', 'old-guard']) {
    const { stages } = (await world.item(`/tournaments/${slug}`)) as { stages: Row[] };
    for (const { id, name, type } of stages) {
      assert.deepEqual((await world.standings(slug, String(id))).stage, { id, name, type });
    }
  }
});
rule(standings, 'Not paginated: the whole standings come in one response', async () => {
  assert.equal((await world.standings('full-house')).data.length, 24);
  const { data } = (await world.get('/tournaments/full-house/standings?limit=1')).json as { data: Row[] };
  assert.equal(data.length, 24);
});
rule(standings, 'When type is "board": data is an array of board rows, ranked', async () => {
  const { stage, data } = await world.standings('grand-muster', 'placement-swiss');
  assert.equal(stage['type'], 'board');
  assert.deepEqual(
    data.map((row) => [row['rank'], row['player'], row['battlePoints']]),
    [
      [1, 'Luka Horvat', 3],
      [2, null, 2],
      [3, 'Nils Øst', 1],
      [4, 'gwen Harte', 0],
    ],
  );
});
rule(
  standings,
  'When type is "bracket": data is an array of bracket matches, earliest round first',
  async () => {
    const { stage, data } = await world.standings('grand-muster', 'knockout');
    assert.equal(stage['type'], 'bracket');
    assert.deepEqual(valuesOf(data, 'round'), [
      ...Array.from({ length: 4 }, () => 'Last Eight'),
      'Semi-final',
      'Semi-final',
      'Final',
    ]);
  },
);
rule(
  standings,
  'Groups: every group at once, ordered by group and then by position within the group',
  async () => {
    const { data } = await world.standings('group-cup');
    assert.equal(
      valuesOf(data, 'player').join(', '),
      'Chidi Eze, Ana Quiroga, Luka Horvat, Mara Silva, bjørn Aas, Zoë Marsh',
    );
  },
);
rule(standings, 'Groups: each row has group', async () => {
  const { data } = await world.standings('group-cup');
  assert.equal(valuesOf(data, 'group').join(', '), 'Group A, Group A, Group A, Group B, Group B, Group B');
});
rule(standings, 'Groups: rank restarts at 1 in each group', async () => {
  assert.deepEqual(valuesOf((await world.standings('group-cup')).data, 'rank'), [1, 2, 3, 1, 2, 3]);
  assert.deepEqual(valuesOf((await world.standings('old-guard', 'swiss')).data, 'rank'), [1, 2, 1, 2]);
});
rule(standings, 'Groups: the stage is named "Group Stage" (id still swiss)', async () => {
  for (const slug of ['group-cup', 'old-guard']) {
    const { stage } = await world.standings(slug, 'swiss');
    assert.deepEqual(stage, { id: 'swiss', name: 'Group Stage', type: 'board' });
  }
});
rule(standings, 'On an ordinary Swiss board group is absent', async () => {
  const { data } = await world.standings('grand-muster', 'swiss');
  assert.equal(data.length, 14);
  for (const row of data) assert.ok(!('group' in row));
});
rule(standings, 'Unknown stage: 404 with a message listing the stage ids the tournament has', async () => {
  assert.deepEqual(await world.refusal('/tournaments/winter-cut/standings?stage=final'), {
    status: 404,
    message: 'Unknown stage. Stages of this tournament: swiss, knockout, placement-swiss',
    code: 'NOT_FOUND',
  });
});

const participants = 'Tournament participants';
rule(
  participants,
  '`GET /api/v1/tournaments/{slug}/participants` returns { data: Participant[], next }',
  async () => {
    const { data, next } = await world.page('/tournaments/spring-plan/participants');
    assert.deepEqual(valuesOf(data, 'player'), ['Ana Quiroga', 'Ben Ito', 'Zoë Marsh']);
    assert.equal(next, null);
  },
);
rule(participants, 'Everybody taking part, in alphabetical order', async () => {
  // The order ignores case and handles accents and special letters. It includes those who dropped out or
  // never came.
  assert.deepEqual(valuesOf(await world.all('/tournaments/grand-muster/participants'), 'player'), [
    'Ana Quiroga',
    'bjørn Aas',
    'Chidi Eze',
    'Deleted player',
    'Émile Dubois',
    'Erik Voss',
    'gwen Harte',
    'Łucja Baran',
    'Luka Horvat',
    'Mara Silva',
    'Nils Øst',
    'Pia Roth',
    'Tomás Reis',
    'Zoë Marsh',
  ]);
});
rule(
  participants,
  "Each with the submitted army list; same data as the organiser's army list export",
  async () => {
    const rows = await world.all('/tournaments/grand-muster/participants');
    const submitted = rows.filter(({ list: army }) => army !== null);
    assert.deepEqual(
      submitted.map((row) => [row['player'], row['list']]),
      [['Ana Quiroga', armyList]],
    );
  },
);

const battles = 'Tournament battles';
rule(battles, '`GET /api/v1/tournaments/{slug}/battles` returns { data: Battle[], next }', async () => {
  const { data, next } = await world.page('/tournaments/old-guard/battles');
  assert.deepEqual([valuesOf(data, 'id'), next], [['og-2', 'og-1'], null]);
});
rule(battles, 'Every battle played in the tournament, newest first', async () => {
  // The order is by date, then by stage, round and id. The undated battle comes last, and the archived one is
  // included.
  const ids = valuesOf(await world.all('/tournaments/grand-muster/battles'), 'id');
  const sunday = [
    'gm-fifth-4 gm-fifth-3 gm-fifth-2 gm-fifth-1 gm-bronze gm-rest-2 gm-rest-1',
    'gm-final gm-semi-2 gm-semi-1 gm-quarter-3 gm-quarter-2 gm-quarter-1',
  ];
  const saturday = [
    'gm-r2-5 gm-r2-4 gm-r2-3 gm-r2-2 gm-r2-1',
    'gm-r1-6 gm-r1-5 gm-r1-4 gm-r1-3 gm-r1-2 gm-r1-1',
  ];
  assert.equal(ids.join(' '), [...sunday, ...saturday, 'gm-r2-6'].join(' '));
});
rule(battles, 'Players without list and rounds', async () => {
  for (const { players } of await world.all('/tournaments/grand-muster/battles')) {
    for (const player of players as Row[]) assert.ok(!('list' in player) && !('rounds' in player));
  }
});
