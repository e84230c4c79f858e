import assert from 'node:assert/strict';
import { test } from 'node:test';
import { publishBacklog } from '../../src/publish/publisher.ts';
import type { FeedRecord } from '../../src/record/feed/records.ts';
import { erasePerson } from '../../src/record/people/erase-person.ts';
import { NamePattern } from '../../src/record/people/name-pattern.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { importLines } from '../../harness/support/feed.ts';
import { bearer, createTestKey, startTestServer } from '../../harness/support/server.ts';

// After a thing has been renamed, the old address of its page leads to the newest name, as long as that is
// shown.

const database = await createTestDatabase();
const server = await startTestServer(await database.loginAs('wartable_serve'));

const event = (slug: string, more: object = {}): FeedRecord => ({
  kind: 'tournament',
  slug,
  name: 'Cup',
  published: true,
  status: 'ongoing',
  battleSize: 2000,
  stages: [{ id: 'swiss', label: 'Swiss', type: 'board', rounds: 3 }],
  participants: [
    { id: 'a', player: 'ann' },
    { id: 'b', name: 'Bea' },
  ],
  battles: [battle],
  ...more,
});
const battle = { id: 'one', stage: 'swiss', round: 1, sides: [{ participant: 'a' }, { participant: 'b' }] };

await feed([
  { kind: 'player', id: 'ann', name: 'Ann' },
  { kind: 'player', id: 'cid', name: 'Cid' },
  { kind: 'club', slug: 'home', name: 'Home' },
  event('cup'),
]);

test('a rename: the new one whole, then the old one removed, then moved', async () => {
  await feed([
    event('cup-2025'),
    { kind: 'remove', of: 'tournament', id: 'cup' },
    { kind: 'moved', of: 'tournament', id: 'cup', to: 'cup-2025' },
  ]);
  assert.deepEqual(await asked('/tournaments/cup'), [308, '/tournaments/cup-2025']);
  assert.deepEqual(await asked('/tournaments/cup/participants?x=1'), [
    308,
    '/tournaments/cup-2025/participants?x=1',
  ]);
  assert.deepEqual(await asked('/tournaments/cup/rounds?player=ann'), [
    308,
    '/tournaments/cup-2025/rounds?player=ann',
  ]);
  assert.deepEqual(await asked('/tournaments/cup-2025/rounds?player=ann'), [
    308,
    '/tournaments/cup-2025/players/a',
  ]);
  // This also applies to frames in other sites' pages.
  assert.deepEqual(await asked('/tournaments/cup/players/p1'), [308, '/tournaments/cup-2025/players/p1']);
  assert.deepEqual(await asked('/embed/tournaments/cup?stage=swiss'), [
    308,
    '/embed/tournaments/cup-2025?stage=swiss',
  ]);
  assert.deepEqual(await asked('/tournaments/cup-2025'), [200, null]);
  const { pool } = database;
  const answer = await server.get('/api/v1/tournaments/cup', bearer((await createTestKey(database)).key));
  assert.equal(answer.status, 404);
  const { rows } = await pool.query('select tournament from published.battle');
  assert.deepEqual(rows, [{ tournament: 'cup-2025' }]);
});

test('a second rename, and the way back: always the last name, and no circle', async () => {
  await feed([
    event('cup-25'),
    { kind: 'remove', of: 'tournament', id: 'cup-2025' },
    { kind: 'moved', of: 'tournament', id: 'cup-2025', to: 'cup-25' },
  ]);
  for (const old of ['cup', 'cup-2025'])
    assert.deepEqual(await asked(`/tournaments/${old}`), [308, '/tournaments/cup-25']);
  await feed([
    event('cup'),
    { kind: 'remove', of: 'tournament', id: 'cup-25' },
    { kind: 'moved', of: 'tournament', id: 'cup-25', to: 'cup' },
  ]);
  assert.deepEqual(await asked('/tournaments/cup'), [200, null]);
  for (const old of ['cup-2025', 'cup-25'])
    assert.deepEqual(await asked(`/tournaments/${old}`), [308, '/tournaments/cup']);
});

test('a draft and an erased player have no way to them', async () => {
  await feed([{ kind: 'tournament', slug: 'cup', published: false }]);
  assert.deepEqual(await asked('/tournaments/cup-25'), [404, null]);
  await feed([{ kind: 'tournament', slug: 'cup', published: true }]);
  // A merge: everything that refers to the old id is sent again, and then the old one is removed.
  await feed([
    event('cup', {
      participants: [
        { id: 'a', player: 'cid' },
        { id: 'b', name: 'Bea' },
      ],
    }),
    { kind: 'remove', of: 'player', id: 'ann' },
    { kind: 'moved', of: 'player', id: 'ann', to: 'cid' },
    { kind: 'club', slug: 'home-2', name: 'Home' },
    { kind: 'remove', of: 'club', id: 'home' },
    { kind: 'moved', of: 'club', id: 'home', to: 'home-2' },
  ]);
  assert.deepEqual(await asked('/players/ann'), [308, '/players/cid']);
  assert.deepEqual(await asked('/clubs/home'), [308, '/clubs/home-2']);
  await feed([{ kind: 'player', id: 'cid', erased: true }]);
  assert.deepEqual(await asked('/players/ann'), [404, null]);
});

test('a guest who was erased stays erased when the tournament gets another name', async () => {
  const people = {
    participants: [
      { id: 'a', player: 'dora' },
      { id: 'b', name: 'Secret' },
    ],
  };
  const guests = (slug: string) => event(slug, { ...people, battles: [{ ...battle, id: 'kept' }] });
  await feed([{ kind: 'player', id: 'dora', name: 'Dora' }, guests('before')]);
  await erasePerson(database.pool, { guest: new NamePattern('Secret'), tournament: undefined });
  const moved: FeedRecord[] = [
    { kind: 'remove', of: 'tournament', id: 'before' },
    { kind: 'moved', of: 'tournament', id: 'before', to: 'after' },
  ];
  // The platform still has the name.
  await feed([guests('after'), ...moved]);
  const names = async () => {
    const { rows } = await database.pool.query<{ name: string }>(
      `select p.name from record.participant p join record.tournament t on t.id = p.tournament_id
        where t.slug = 'after' and p.name is not null`,
    );
    return rows.map(({ name }) => name);
  };
  assert.deepEqual(await names(), ['']);
  assert.doesNotMatch(await (await fetch(`${server.siteUrl}/tournaments/after`)).text(), /Secret/);
  await feed([guests('after')]);
  assert.deepEqual(await names(), ['']);
});

test('what is not recorded, and the same name, are refused', async () => {
  const [unknown, same] = await refusals([
    { kind: 'moved', of: 'club', id: 'home', to: 'nowhere' },
    { kind: 'moved', of: 'club', id: 'home-2', to: 'home-2' },
  ]);
  assert.equal(unknown, 'feed:1: to: expected a recorded club, found "nowhere"');
  assert.equal(same, 'feed:2: to: expected another name than the old one, found "home-2"');
});

test('a casual battle becomes one of a tournament; a battle of other people is not taken', async () => {
  await feed([{ kind: 'player', id: 'dan', name: 'Dan' }]);
  const sides = [{ player: 'dan' }, { name: 'Bea' }];
  await feed([{ kind: 'battle', id: 'duel', battleSize: 1000, sides }]);
  const own = { ...battle, id: 'duel' };
  const cup = event('duels', {
    participants: [
      { id: 'a', player: 'dan' },
      { id: 'b', name: 'Bea' },
    ],
    battles: [own],
  });
  await feed([cup]);
  const { rows } = await database.pool.query(`select tournament from published.battle where id = 'duel'`);
  assert.deepEqual(rows, [{ tournament: 'duels' }]);
  const others = [
    { id: 'a', name: 'Eve' },
    { id: 'b', name: 'Bea' },
  ];
  assert.deepEqual(await refusals([event('other', { participants: others, battles: [own] })]), [
    'feed:1: battles[0].id: expected an id that no other battle has, found "duel", which tournament "duels" has',
  ]);
  // The battle moves by a small record, and back to a casual one.
  await feed([
    event('other', {
      participants: [
        { id: 'x', player: 'dan' },
        { id: 'y', name: 'Bea' },
      ],
      battles: [],
    }),
  ]);
  const small = { ...own, sides: [{ participant: 'y' }, { participant: 'x' }] };
  await feed([{ kind: 'battle', tournament: 'other', ...small }]);
  await feed([{ kind: 'battle', id: 'duel', battleSize: 1000, sides }]);
  const { rows: last } = await database.pool.query(
    `select tournament from published.battle where id = 'duel'`,
  );
  assert.deepEqual(last, [{ tournament: null }]);
});

async function asked(path: string): Promise<[number, string | null]> {
  const { status, headers } = await fetch(`${server.siteUrl}${path}`, { redirect: 'manual' });
  return [status, headers.get('location')];
}

async function refusals(records: FeedRecord[]): Promise<string[]> {
  const client = await database.pool.connect();
  try {
    return (await importLines(client, records)).refusals;
  } finally {
    client.release();
  }
}

async function feed(records: FeedRecord[]): Promise<void> {
  assert.deepEqual(await refusals(records), []);
  assert.deepEqual((await publishBacklog(database.pool)).failed, []);
}
