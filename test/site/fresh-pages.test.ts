import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { startPostgres } from '../../harness/support/postgres.ts';
import { migrate } from '../../src/database/migrate.ts';
import { createPool } from '../../src/database/pool.ts';
import type { FeedRecord } from '../../src/record/feed/records.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { createLogin, loginUrl } from '../../harness/support/on-server.ts';
import { publishFeed } from '../../harness/support/publish-feed.ts';
import { eventually, startTestServer, type TestServer } from '../../harness/support/server.ts';

/** A battle that has not been played yet. */
const second = {
  kind: 'battle',
  tournament: 'cup',
  id: 'b2',
  stage: 'swiss',
  round: 2,
  sides: [
    { participant: 'cleo', battlePoints: 9 },
    { participant: 'bob', battlePoints: 0 },
  ],
} satisfies FeedRecord;

// There are a primary, and a standby whose replay is paused while things change. Servers that read from the
// standby must show the same as a server that reads from the primary.
const postgres = await startPostgres();
atEnd(() => postgres.remove());
await migrate(postgres.url);
const filling = createPool(postgres.url, { applicationName: 'test', size: 4 });
await publishFeed(filling, world());
await createLogin(postgres.url, 'serving', 'in role wartable_serve');
await filling.end();
const standby = await postgres.startStandby();
const primary = createPool(postgres.url, { applicationName: 'test', size: 4 });
const replica = createPool(standby.url, { applicationName: 'test', size: 1 });
atEnd(() => Promise.all([primary.end(), replica.end()]));

const asServing = (url: string) => loginUrl(url, 'serving');
const start = (cacheMegabytes: number, readUrls: string[]) =>
  startTestServer(asServing(postgres.url), {
    cacheMegabytes,
    readUrls: readUrls.map(asServing),
    apiUrl: 'https://api.wartable.example',
  });
const truth = await start(0, []);
const cold = await start(0, [standby.url]);
const keeping = await start(64, [standby.url]);

let named = 0;
const listener = new pg.Client({ connectionString: postgres.url });
listener.on('notification', ({ payload }) => (named += revisionsIn(payload ?? '')));
await listener.connect();
await listener.query('listen wartable_published');
// The connection ends with its server, too.
listener.on('error', () => {});
atEnd(() => listener.end().catch(() => {}));

const pages = [
  '/',
  '/tournaments',
  '/tournaments?status=ongoing',
  '/tournaments.ics',
  '/tournaments.atom',
  '/now',
  '/clubs',
  '/search?q=ann',
  '/search?q=old',
  '/search?q=gus',
  '/tournaments/cup',
  '/tournaments/cup/followed?entry=guest',
  '/tournaments/cup/names',
  '/tournaments/cup/players/guest',
  '/tournaments/cup/players/dora',
  '/tournaments/cup?stage=swiss',
  '/tournaments/cup/rounds',
  '/tournaments/cup/rounds?by=player',
  '/embed/tournaments/cup',
  '/embed/tournaments/done',
  '/tournaments/cup/participants',
  '/tournaments/cup/standings.csv',
  '/tournaments/cup/participants.csv',
  '/tournaments/cup/battles.csv',
  '/tournaments/cup/calendar.ics',
  '/tournaments/done',
  '/battles/b1',
  '/battles/b3',
  '/battles/c1',
  '/players/ann',
  '/players/bob',
  '/players/dora',
  '/clubs/lions',
  '/clubs/larks',
  '/clubs/lions/tournaments.ics',
  '/factions',
  '/factions.csv?table=matrix',
  '/factions/Ash',
  '/sitemap.xml',
  '/sitemaps/tournaments-2025.xml',
  '/sitemaps/clubs.xml',
];

test('pages are read from the standby, and it stands still', async () => {
  const before = await readsOfStandby();
  await eventually(async () => {
    await pageOf(cold, '/tournaments/cup');
    assert.ok((await readsOfStandby()) > before);
  });
  for (const path of pages) {
    assertSame(await pageOf(keeping, path), await pageOf(truth, path), path);
  }
  assert.match(await pageOf(truth, '/clubs/lions/tournaments.ics'), /SUMMARY:Cup/);
  await replica.query('select pg_wal_replay_pause()');
  await eventually(async () => {
    const { rows } = await replica.query('select pg_get_wal_replay_pause_state() as state');
    assert.equal(rows[0].state, 'paused');
  });
});

/**
 * Changes: what happens, how often each page is asked for, the page that shows it, and what that page shows
 * afterwards. The order matters: once the thing that a page is about has changed, the page comes from the
 * primary anyway.
 */
const changes: [what: string, records: FeedRecord[], times: number, path: string, shown: RegExp][] = [
  [
    'an erased guest',
    [{ kind: 'participant', tournament: 'cup', id: 'guest', erased: true }],
    20,
    '/search?q=gus',
    /We found no name that contains/,
  ],
  [
    'a new name of a club',
    [{ kind: 'club', slug: 'lions', name: 'Lynx Club' }],
    10,
    '/tournaments/cup',
    /Lynx/,
  ],
  [
    'a new name of another club',
    [{ kind: 'club', slug: 'owls', name: 'Oriole Club' }],
    10,
    '/tournaments/cup/participants',
    /Oriole/,
  ],
  [
    'a change of leader',
    [{ ...second, finished: true, winner: 'cleo' }],
    20,
    '/',
    /Leader after round 2: <bdi>Cleo Clear/,
  ],
  [
    'an erasure',
    [{ kind: 'remove', of: 'player', id: 'ann' }],
    20,
    '/search?q=ann',
    /We found no name that contains/,
  ],
  [
    'a name that is out of the top places',
    [{ kind: 'tournament', slug: 'done', description: 'Long ago.' }],
    10,
    '/factions/Ash',
    /Old Days.*Deleted player/s,
  ],
  [
    'new names of tournaments',
    [
      { kind: 'tournament', slug: 'cup', name: 'Mug' },
      { kind: 'tournament', slug: 'done', name: 'Old Times' },
    ],
    10,
    '/players/dora',
    /Old Times.*Mug/s,
  ],
  [
    'a new name of a player',
    [{ kind: 'player', id: 'bob', name: 'Old Bob' }],
    10,
    '/search?q=old',
    /Old Bob/,
  ],
  ['one more club', [{ kind: 'club', slug: 'hawks', name: 'Hawk Club' }], 10, '/sitemaps/clubs.xml', /hawks/],
  [
    'a hidden tournament',
    [{ kind: 'tournament', slug: 'done', published: false }],
    10,
    '/tournaments',
    /^(?!.*Old Times)/s,
  ],
];

for (const [what, records, times, path, shown] of changes) {
  test(`${what}: ${times} requests for every page show nothing from before`, async () => {
    await publishAndTell(records);
    assert.match(await pageOf(truth, path), shown);
    for (const each of pages) {
      const expected = await pageOf(truth, each);
      for (let i = 0; i < times; i += 10) {
        const asked = [cold, cold, cold, cold, cold, keeping, keeping, keeping, keeping, keeping];
        for (const page of await Promise.all(asked.map((server) => pageOf(server, each))))
          assertSame(page, expected, each);
      }
    }
    const { rows } = await replica.query(`(select label from published.search where key = 'ann' limit 1)
      union all select label from published.search where is_guest`);
    assert.deepEqual(rows, [{ label: 'Ann Old' }, { label: 'Gus' }], 'the standby still has what was erased');
  });
}

test('while the primary is away, the old copy is sent and not kept', async () => {
  await postgres.stop('immediate');
  // What was kept before is used for 5 s more.
  await eventually(async () => assert.match(await pageOf(keeping, '/search?q=old'), /Ann Old/));
  assert.match(await pageOf(keeping, '/'), /Leader after round 1: <bdi>Ann Old/);
  await replica.query('select pg_wal_replay_resume()');
  await eventually(async () => {
    const { rows } = await replica.query("select from published.search where key = 'ann'");
    assert.equal(rows.length, 0);
  });
  assert.doesNotMatch(await pageOf(keeping, '/search?q=old'), /Ann Old/);
  assert.doesNotMatch(await pageOf(keeping, '/'), /Ann Old/);
});

function world(): FeedRecord[] {
  const event = { published: true, battleSize: 1000 } as const;
  return [
    { kind: 'club', slug: 'lions', name: 'Lion Club' },
    { kind: 'club', slug: 'owls', name: 'Owl Club' },
    { kind: 'club', slug: 'larks', name: 'Lark Club' },
    { kind: 'player', id: 'ann', name: 'Ann Old' },
    { kind: 'player', id: 'bob', name: 'Bob Bright' },
    { kind: 'player', id: 'cleo', name: 'Cleo Clear' },
    { kind: 'player', id: 'dora', name: 'Dora Dim' },
    {
      ...event,
      kind: 'tournament',
      slug: 'cup',
      name: 'Cup',
      status: 'ongoing',
      // Today's date, so that calendars show it.
      startDate: new Date().toISOString().slice(0, 10),
      organizer: 'lions',
      stages: [{ id: 'swiss', label: 'Swiss', type: 'board', rounds: 3 }],
      participants: [
        { id: 'ann', player: 'ann', club: 'owls' },
        { id: 'bob', player: 'bob', club: 'owls' },
        { id: 'cleo', player: 'cleo' },
        { id: 'dora', player: 'dora', club: 'larks' },
        { id: 'guest', name: 'Gus' },
      ],
    },
    {
      kind: 'battle',
      tournament: 'cup',
      id: 'b1',
      stage: 'swiss',
      round: 1,
      finished: true,
      winner: 'ann',
      sides: [
        { participant: 'ann', battlePoints: 3 },
        { participant: 'bob', battlePoints: 0 },
      ],
    },
    second,
    {
      kind: 'battle',
      tournament: 'cup',
      id: 'b3',
      stage: 'swiss',
      round: 3,
      date: '2026-03-14',
      sides: [{ participant: 'dora' }, { participant: 'guest' }],
    },
    {
      ...event,
      kind: 'tournament',
      slug: 'done',
      name: 'Old Days',
      status: 'finished',
      startDate: '2025-05-01',
      participants: [
        { id: 'ann', player: 'ann', faction: 'Ash', finalPlacement: 1 },
        { id: 'dora', player: 'dora', finalPlacement: 2 },
      ],
    },
    {
      kind: 'battle',
      id: 'c1',
      battleSize: 750,
      club: 'lions',
      date: '2025-06-01',
      sides: [{ player: 'ann' }, { player: 'bob' }],
    },
  ];
}

async function pageOf({ siteUrl }: TestServer, path: string): Promise<string> {
  const answer = await fetch(`${siteUrl}${path}`);
  const text = await answer.text();
  assert.ok([200, 404].includes(answer.status), `${path}: ${answer.status}`);
  // PostgreSQL updates these estimates whenever it likes.
  const exact = text.replace(/<dl class="stats">.*?<\/dl>/s, '');
  // A result changes this line, but calendars show no results, so it may be a minute old.
  return exact.replaceAll(/^DTSTAMP:.*$/gm, '');
}

/** Reports only the first line that differs, because a whole page says little. */
function assertSame(page: string, expected: string, path: string): void {
  if (page === expected) return;
  const wanted = expected.split('\n');
  const line = page.split('\n').find((each, index) => each !== wanted[index]);
  assert.fail(`${path} shows ${line ?? 'less'}`);
}

/** Publishes, and waits until the servers have received everything. */
async function publishAndTell(records: FeedRecord[]): Promise<void> {
  const before = await Promise.all([cold, keeping].map(heardBy));
  named = 0;
  await publishFeed(primary, records);
  // The answer arrives after the notices.
  await listener.query('select 1');
  assert.ok(named > 0);
  await eventually(async () => {
    const after = await Promise.all([cold, keeping].map(heardBy));
    assert.deepEqual(
      after,
      before.map((count) => count + named),
    );
  });
}

function revisionsIn(payload: string): number {
  const { moved } = JSON.parse(payload) as { moved: Record<string, object | string> };
  return Object.values(moved).reduce(
    (sum, things) => sum + (typeof things === 'string' ? 1 : Object.keys(things).length),
    0,
  );
}

async function heardBy({ opsUrl }: TestServer): Promise<number> {
  const metrics = await (await fetch(`${opsUrl}/metrics`)).text();
  return Number(/^wartable_revisions_heard_total (\d+)$/m.exec(metrics)?.[1]);
}

async function readsOfStandby(): Promise<number> {
  const { rows } = await replica.query<{ count: number }>(
    "select coalesce(sum(idx_scan + seq_scan), 0)::integer as count from pg_stat_user_tables where schemaname = 'published'",
  );
  return rows[0]?.count ?? 0;
}
