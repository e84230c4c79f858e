import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { createPool } from '../../src/database/pool.ts';
import { markEverything } from '../../src/publish/mark-all.ts';
import { publishAlongside } from '../../src/publish/publish-alongside.ts';
import { publishStale } from '../../src/publish/publisher.ts';
import type { FeedRecord, TournamentRecord } from '../../src/record/feed/records.ts';
import { dayOf } from '../../src/world/dates.ts';
import { eventSeries } from '../../src/world/one-event.ts';
import { world } from '../../src/world/world.ts';
import { atEnd } from '../support/at-end.ts';
import { wartable } from '../support/command.ts';
import { createTestDatabase } from '../support/database.ts';
import { importLines } from '../support/feed.ts';
import { changedScopes, publishedRows, readScopes } from '../support/published.ts';

// A small world on a real database; each test changes it and looks at what was published of the change.
const database = await createTestDatabase();
const client = new pg.Client({ connectionString: database.url });
await client.connect();
atEnd(() => client.end());
const publish = () => publishStale(database.pool);

const records = [
  ...world({ seed: 11, battles: 1_200, from: dayOf('2025-01-01'), today: dayOf('2025-12-31') }),
];
assert.deepEqual((await importLines(client, records)).refusals, []);
await publish();

const notices: string[] = [];
client.on('notification', ({ payload }) => notices.push(payload ?? ''));
await client.query('listen wartable_published');

/** A tournament with plenty in it, as the feed told it. */
const cup = records
  .filter((record): record is TournamentRecord => record.kind === 'tournament' && record.published !== false)
  .filter(({ status, organizer }) => status === 'finished' && organizer)
  .toSorted((a, b) => (b.battles?.length ?? 0) - (a.battles?.length ?? 0))[1];
assert.ok(cup?.participants && cup.battles && cup.battles.length > 10);
const [firstBattle] = cup.battles;
const regular = cup.participants.find(({ player }) => player)?.player ?? '';
assert.ok(firstBattle && regular);

test('publishing everything anew writes nothing, moves nothing and tells nobody', async () => {
  const before = await readScopes(client);
  const rows = await publishedRows(client);
  notices.length = 0;
  await markEverything(database.pool);
  const published = await publish();
  assert.deepEqual({ rows: published.rows, failed: published.failed }, { rows: 0, failed: [] });
  assert.deepEqual(await readScopes(client), before);
  assert.deepEqual(await publishedRows(client), rows);
  await client.query('select 1');
  assert.deepEqual(notices, []);
});

const withCut: TournamentRecord = {
  kind: 'tournament',
  slug: 'with-cut',
  published: true,
  name: 'With Cut',
  status: 'ongoing',
  battleSize: 1000,
  organizer: cup.organizer ?? null,
  stages: [
    { id: 'swiss', label: 'Swiss', type: 'board', rounds: 1 },
    { id: 'knockout', label: 'Cut', type: 'bracket', rounds: 1 },
  ],
  participants: [
    { id: 'a', name: 'A' },
    { id: 'b', name: 'B' },
  ],
};

/** What happens, and the records that tell it. */
const changes: [what: string, records: FeedRecord[]][] = [
  [
    'a battle gets another scenario',
    [{ kind: 'battle', tournament: cup.slug, ...firstBattle, scenario: 'Elsewhere' }],
  ],
  ['a battle is archived', [{ kind: 'battle', tournament: cup.slug, ...firstBattle, archived: true }]],
  [
    'a battle moves to another day',
    [{ kind: 'battle', tournament: cup.slug, ...firstBattle, date: '2025-06-01' }],
  ],
  ['a player is renamed', [{ kind: 'player', id: regular, name: 'Somebody Else' }]],
  ['a tournament is renamed', [{ kind: 'tournament', slug: cup.slug, name: 'Another Name' }]],
  [
    'a tournament moves to another day',
    [{ kind: 'tournament', slug: cup.slug, startDate: '2025-02-02', endDate: null }],
  ],
  [
    'only the list of a participant changes',
    [{ kind: 'tournament', slug: cup.slug, participants: withOtherList() }],
  ],
  ['an organizer loses the event', [{ kind: 'tournament', slug: cup.slug, organizer: null }]],
  ['a club is renamed', [{ kind: 'club', slug: cup.organizer ?? '', name: 'The Renamed' }]],
  ['a tournament loses its adjustments', [{ kind: 'tournament', slug: cup.slug, adjustments: [] }]],
  ['a club appears', [{ kind: 'club', slug: 'brand-new', name: 'Brand New' }]],
  ['a player appears', [{ kind: 'player', id: 'brand-new', name: 'Brand New' }]],
  ['a casual battle appears', [casual(regular)]],
  ['a casual battle goes', [{ kind: 'remove', of: 'battle', id: 'casual-one' }]],
  ['a tournament is hidden', [{ kind: 'tournament', slug: cup.slug, published: false }]],
  ['a tournament comes back', [{ kind: 'tournament', slug: cup.slug, published: true }]],
  ['a player is erased', [{ kind: 'remove', of: 'player', id: regular }]],
  ['a player comes back', [{ kind: 'player', id: regular, name: 'Back Again', erased: false }]],
  ['a tournament is removed', [{ kind: 'remove', of: 'tournament', id: cup.slug }]],
  ['a tournament is told again', [cup]],
  ['the same is told again', [cup]],
  ['an event with a cut is told', [withCut]],
  [
    'its cut begins, and is what is shown unasked',
    [
      {
        kind: 'match',
        tournament: withCut.slug,
        stage: 'knockout',
        round: 1,
        position: 1,
        table: 1,
        players: ['a', 'b'],
      },
    ],
  ],
];

for (const [what, told] of changes) {
  test(`when ${what}, exactly the revisions under which an answer changed move, and the notices say so`, async () => {
    const before = await readScopes(client);
    notices.length = 0;
    assert.deepEqual((await importLines(client, told)).refusals, []);
    const { failed } = await publish();
    assert.deepEqual(failed, []);
    const after = await readScopes(client);
    const { answers, revisions } = changedScopes(before, after);
    assert.deepEqual(revisions, answers);
    for (const [name, { revision }] of after) {
      const previous = before.get(name)?.revision;
      if (previous !== undefined && revisions.includes(name))
        assert.ok(BigInt(revision) > BigInt(previous), name);
    }
    await client.query('select 1');
    assert.deepEqual(heard(), new Set(revisions));
    // And the narrow way has led to the same rows as the long way round.
    const rows = await publishedRows(client);
    await markEverything(database.pool);
    await publish();
    assert.deepEqual(await publishedRows(client), rows);
  });
}

test('an event followed by small records is published, at every moment, as if it had been told whole', async () => {
  const series = eventSeries({
    seed: 5,
    players: 12,
    format: 'swiss+knockout',
    rounds: 3,
    start: dayOf('2025-05-03'),
  });
  for (let at = 0; at < series.length; at += 25) {
    const told = series.slice(at, at + 25).map((moment) => moment.record);
    assert.deepEqual((await importLines(client, told)).refusals, []);
    await publish();
    const rows = await publishedRows(client);
    await markEverything(database.pool);
    assert.equal((await publish()).rows, 0, `after record ${at}`);
    assert.deepEqual(await publishedRows(client), rows);
  }
});

test('500 results arriving at once cause at most 20 publishes of the event', async () => {
  const battles = cup.battles ?? [];
  await importLines(client, [cup]);
  await publish();
  notices.length = 0;
  const recording = new pg.Client({ connectionString: database.url });
  await recording.connect();
  const results = Array.from({ length: 500 }, (_, i): FeedRecord => {
    const battle = battles[i % battles.length] ?? firstBattle;
    return { kind: 'battle', tournament: cup.slug, ...battle, scenario: `Scenario ${i}` };
  });
  const importing = importLines(recording, results);
  await publishAlongside(database.pool, {}, importing);
  assert.equal((await importing).records, 500);
  await recording.end();
  await client.query('select 1');
  const publishes = notices.filter((payload) => payload.includes(`"tournament":{"${cup.slug}"`)).length;
  assert.ok(publishes >= 1 && publishes <= 20, `${publishes} publishes`);
});

test('unpublishing leaves no byte of a tournament in schema published', async () => {
  const marker = 'Zzyzx';
  const slug = 'zzyzx-open';
  const players: FeedRecord[] = [1, 2].map((n) => ({
    kind: 'player',
    id: `${marker}${n}`,
    name: `${marker} Player ${n}`,
  }));
  const secret: FeedRecord = {
    kind: 'tournament',
    slug,
    published: true,
    name: `${marker} Open`,
    status: 'ongoing',
    battleSize: 1000,
    organizer: cup.organizer ?? null,
    stages: [{ id: 'swiss', label: `${marker} Swiss`, type: 'board', rounds: 1 }],
    participants: [
      { id: 'a', name: `${marker} Guest`, club: cup.organizer ?? null },
      { id: 'b', name: `${marker} Other`, faction: marker },
    ],
    battles: [
      {
        id: `${marker}-battle`,
        stage: 'swiss',
        round: 1,
        sides: [{ participant: 'a' }, { participant: 'b' }],
      },
    ],
  };
  await importLines(client, [...players, secret]);
  await publish();
  assert.ok((await occurrences(marker, slug)) >= 6);
  await importLines(client, [
    { kind: 'remove', of: 'player', id: `${marker}1` },
    { kind: 'remove', of: 'player', id: `${marker}2` },
  ]);
  await publish();
  const run = await wartable(['tournaments', 'unpublish', slug], {
    DATABASE_URL: database.url,
  });
  assert.deepEqual(run, { code: 0, stdout: `Tournament ${slug} is not published.\n`, stderr: '' });
  assert.equal(await occurrences(marker, slug), 0);

  const again = await wartable(['tournaments', 'publish', slug], {
    DATABASE_URL: database.url,
  });
  assert.equal(again.code, 0);
  assert.ok((await occurrences(marker, slug)) >= 4);
  const unknown = await wartable(['tournaments', 'unpublish', 'nobody'], { DATABASE_URL: database.url });
  assert.deepEqual([unknown.code, unknown.stderr], [1, 'wartable: There is no tournament nobody.\n']);
});

test('a document that does not fit the contract keeps the whole tournament as it was, and its mark says why', async () => {
  await importLines(client, [cup]);
  await publish();
  const before = await readScopes(client);
  // No feed can bring this about: the fact is forged past the importer and past the table.
  await client.query('alter table record.stage drop constraint stage_rounds_check');
  await client.query(
    'update record.stage set rounds = -1 where tournament_id = (select id from record.tournament where slug = $1)',
    [cup.slug],
  );
  await client.query("insert into record.stale (kind, key) values ('tournament', $1), ('club', $2)", [
    cup.slug,
    cup.organizer,
  ]);
  const run = await wartable(['publish'], { DATABASE_URL: database.url });
  assert.equal(run.code, 1);
  assert.match(run.stderr, new RegExp(`tournament ${cup.slug} could not be published: .*rounds`));
  assert.deepEqual(await readScopes(client), before);
  const { rows } = await client.query('select key, reason from record.stale');
  assert.equal(rows.length, 1);
  assert.match(rows[0].reason, /rounds/);
  await client.query('update record.stage set rounds = 3 where rounds = -1');
  assert.deepEqual((await publish()).failed, []);
  const { rows: left } = await client.query('select from record.stale');
  assert.equal(left.length, 0);
});

test('a club or casual battle that does not fit keeps nobody else from being published', async () => {
  const clubs: FeedRecord[] = ['aa', 'bb', 'cc'].map((slug) => ({ kind: 'club', slug, name: slug }));
  await importLines(client, clubs);
  await client.query("update record.club set website = 'not an address' where slug = 'bb'");
  const { failed } = await publish();
  assert.deepEqual(
    failed.map(({ kind, key }) => [kind, key]),
    [['club', 'bb']],
  );
  const { rows } = await client.query(
    "select slug from published.club where slug in ('aa', 'bb', 'cc') order by slug",
  );
  assert.deepEqual(rows, [{ slug: 'aa' }, { slug: 'cc' }]);
  await client.query("update record.club set website = null where slug = 'bb'");
  assert.deepEqual((await publish()).failed, []);
});

test('documents of an older version of the derivations are made anew by the next publish', async () => {
  await client.query('update published.tournament set derivation = 0, document = $1 where slug = $2', [
    '{}',
    cup.slug,
  ]);
  await client.query('update published.derivation set version = 0');
  const run = await wartable(['publish'], { DATABASE_URL: database.url });
  assert.equal(run.code, 0);
  const { rows } = await client.query('select document from published.tournament where slug = $1', [
    cup.slug,
  ]);
  assert.ok(rows[0].document.includes(cup.slug));
  assert.match((await wartable(['publish'], { DATABASE_URL: database.url })).stdout, /^0 published, 0 rows/);
});

function withOtherList(): NonNullable<TournamentRecord['participants']> {
  const [changed, ...rest] = (cup?.participants ?? []).toSorted((a) => (a.list ? -1 : 1));
  assert.ok(changed?.list);
  return [{ ...changed, list: { ...changed.list, text: 'Another list' } }, ...rest];
}

function casual(player: string): FeedRecord {
  return {
    kind: 'battle',
    id: 'casual-one',
    battleSize: 750,
    date: '2025-03-03',
    sides: [{ player }, { name: 'A Guest' }],
  };
}

/** What the notices named, in the words of readScopes. */
function heard(): Set<string> {
  const names = new Set<string>();
  for (const payload of notices) {
    const { moved } = JSON.parse(payload) as { moved: Record<string, Record<string, string> | string> };
    for (const [kind, things] of Object.entries(moved)) {
      if (typeof things === 'string') names.add(kind);
      else for (const key of Object.keys(things)) names.add(`${kind} ${key}`);
    }
  }
  return names;
}

/** Rows of schema published that hold one of the texts, in any column of any table. */
async function occurrences(...texts: string[]): Promise<number> {
  const { rows: tables } = await client.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'published'",
  );
  let found = 0;
  for (const { name } of tables) {
    const { rows } = await client.query<{ found: number }>(
      `select count(*)::integer as found from published.${name} t where t::text ~* $1`,
      [texts.join('|')],
    );
    found += rows[0]?.found ?? 0;
  }
  return found;
}
test('four publishers side by side give the same rows as one, without a deadlock', async () => {
  const expected = await publishedRows(client);
  await client.query(
    'truncate published.tournament, published.standings, published.participant, published.battle, published.battle_detail, published.club, published.player, published.player_battle, published.club_battle',
  );
  await markEverything(database.pool);
  const pools = Array.from({ length: 4 }, () =>
    createPool(database.url, { applicationName: 'four', size: 8 }),
  );
  const runs = await Promise.all(pools.map((pool) => publishStale(pool, { mostBattles: 50 })));
  await Promise.all(pools.map((pool) => pool.end()));
  assert.ok(
    runs.every(({ things, failed }) => things > 0 && failed.length === 0),
    'not all of them had work',
  );
  const { rows: deadlocks } = await client.query(
    'select deadlocks::integer from pg_stat_database where datname = current_database()',
  );
  assert.deepEqual(deadlocks, [{ deadlocks: 0 }]);
  assert.deepEqual(await publishedRows(client), expected);
});
