import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { createPool } from '../../src/database/pool.ts';
import { markEverything, markOutdated } from '../../src/publish/mark-all.ts';
import { publishBacklog } from '../../src/publish/publisher.ts';
import type { FeedRecord, TournamentRecord } from '../../src/record/feed/records.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { importLines } from '../../harness/support/feed.ts';
import { publishFeed } from '../../harness/support/publish-feed.ts';
import { publishedRows } from '../../harness/support/published.ts';

// Tests what only the pages show. Whatever happens, the rows equal those of a database that is published from
// scratch.
const database = await createTestDatabase();
const client = new pg.Client({ connectionString: database.url });
await client.connect();
atEnd(() => client.end());

const event = (slug: string, players: string[], facts: Partial<TournamentRecord> = {}): TournamentRecord => ({
  kind: 'tournament',
  slug,
  published: true,
  name: `The ${slug}`,
  status: 'ongoing',
  battleSize: 1000,
  stages: [{ id: 'swiss', label: 'Swiss', type: 'board', rounds: 3 }],
  participants: players.map((player) => ({ id: player, player })),
  ...facts,
});
const casual = (id: string, player: string, facts: object = {}): FeedRecord => ({
  kind: 'battle',
  id,
  battleSize: 750,
  sides: [{ player }, { name: 'A Guest' }],
  ...facts,
});
const paired: FeedRecord = {
  kind: 'battle',
  tournament: 'open',
  id: 'first',
  stage: 'swiss',
  round: 1,
  table: 4,
  sides: [{ participant: 'ann' }, { participant: 'bob' }],
};
const won = {
  ...paired,
  finished: true,
  winner: 'ann',
  sides: [{ participant: 'ann', faction: 'Moths' }, { participant: 'bob' }],
};

/** Steps, and after each the names, the search rows of players, their tournaments and their battles. */
const steps: [what: string, records: FeedRecord[], shown: string[]][] = [
  [
    'players are only recorded',
    ['ann', 'bob', 'cleo'].map((id) => ({ kind: 'player', id, name: `${id} name` })),
    [],
  ],
  [
    'a tournament names two, and one more runs it',
    [event('open', ['ann', 'bob'], { startDate: '2025-05-01', tournamentOrganizers: ['cleo'] })],
    [
      'ann name: ann name, name ann; open 2025-05-01 plays',
      'bob name: bob name, name bob; open 2025-05-01 plays',
      'cleo name: cleo name, name cleo; open 2025-05-01 organizes',
    ],
  ],
  [
    'they are paired',
    [paired],
    [
      'ann name: ann name, name ann; open 2025-05-01 plays; first',
      'bob name: bob name, name bob; open 2025-05-01 plays; first',
      'cleo name: cleo name, name cleo; open 2025-05-01 organizes',
    ],
  ],
  [
    'the result comes',
    [won],
    [
      'ann name: ann name, name ann; open 2025-05-01 plays Moths; first Moths win',
      'bob name: bob name, name bob; open 2025-05-01 plays; first loss',
      'cleo name: cleo name, name cleo; open 2025-05-01 organizes',
    ],
  ],
  [
    'the battle is archived, and its faction still counts',
    [{ ...won, archived: true }],
    [
      'ann name: ann name, name ann; open 2025-05-01 plays Moths',
      'bob name: bob name, name bob; open 2025-05-01 plays',
      'cleo name: cleo name, name cleo; open 2025-05-01 organizes',
    ],
  ],
  [
    'the archived battle goes, and the faction with it',
    [{ kind: 'remove', of: 'battle', id: 'first' }],
    [
      'ann name: ann name, name ann; open 2025-05-01 plays',
      'bob name: bob name, name bob; open 2025-05-01 plays',
      'cleo name: cleo name, name cleo; open 2025-05-01 organizes',
    ],
  ],
  [
    'one is renamed, and the date moves',
    [
      { kind: 'player', id: 'bob', name: 'Björn' },
      { kind: 'tournament', slug: 'open', startDate: null },
    ],
    [
      'Björn: bjorn; open -infinity plays',
      'ann name: ann name, name ann; open -infinity plays',
      'cleo name: cleo name, name cleo; open -infinity organizes',
    ],
  ],
  [
    'it ends, with places',
    [
      {
        ...event('open', [], { status: 'finished', startDate: null }),
        participants: [
          { id: 'ann', player: 'ann', finalPlacement: 2, faction: 'Owls' },
          { id: 'bob', player: 'bob', finalPlacement: 1 },
        ],
        tournamentOrganizers: ['ann'],
      },
    ],
    [
      'Björn: bjorn; open -infinity plays 1',
      'ann name: ann name, name ann; open -infinity plays organizes 2 Owls',
    ],
  ],
  ['it is hidden', [{ kind: 'tournament', slug: 'open', published: false }], []],
  ['a casual battle names one of them', [casual('c', 'ann')], ['ann name: ann name, name ann; c']],
  ['the casual battle is archived', [casual('c', 'ann', { archived: true })], []],
  ['it returns with another player', [casual('c', 'cleo')], ['cleo name: cleo name, name cleo; c']],
  ['it goes', [{ kind: 'remove', of: 'battle', id: 'c' }], []],
  [
    'the tournament returns',
    [{ kind: 'tournament', slug: 'open', published: true }],
    [
      'Björn: bjorn; open -infinity plays 1',
      'ann name: ann name, name ann; open -infinity plays organizes 2 Owls',
    ],
  ],
  ['one is erased', [{ kind: 'remove', of: 'player', id: 'ann' }], ['Björn: bjorn; open -infinity plays 1']],
  [
    'and returns under another name',
    [{ kind: 'player', id: 'ann', name: 'Ann Again', erased: false }],
    [
      'Ann Again: again ann, ann again; open -infinity plays organizes 2 Owls',
      'Björn: bjorn; open -infinity plays 1',
    ],
  ],
  ['the tournament is removed', [{ kind: 'remove', of: 'tournament', id: 'open' }], []],
];

test('a player has a name and search rows while something published names them', async (t) => {
  for (const [index, [what, records, shown]] of steps.entries()) {
    await t.test(what, async () => {
      await publishFeed(database.pool, records);
      assert.deepEqual(await playersShown(), shown);
      if (index % 4 === 3) await isAsIfPublishedAnew();
    });
  }
});

test('rows that an older version of the derivations made become those of a new database', async () => {
  await publishFeed(database.pool, [
    { kind: 'club', slug: 'owls', name: 'Owl Club' },
    event('open', ['ann', 'bob'], { organizer: 'owls' }),
    won,
    casual('finished', 'bob', { finished: true }),
    casual('not-begun', 'cleo'),
  ]);
  const rows = await publishedRows(client);
  assert.equal(rows.filter((row) => row.startsWith('player ') && row.includes(',')).length, 3);
  await client.query(`
    truncate published.player_tournament, published.search;
    update published.player set name = null;
    update published.player_battle set faction = null, outcome = null;
    update published.battle set table_number = null, first_entry = null, second_entry = null;
    update published.standings set view = '{}', entries = '{}', rounds = '{}', pairings = null;
    update published.tournament set view = '{}', derivation = 0, battle_derivation = 0;
    update published.derivation set version = 0`);
  await markOutdated(database.pool);
  await publishBacklog(database.pool);
  assert.deepEqual(await publishedRows(client), rows);
});

test('two publishers that give and take the last row of a player agree about the name', async () => {
  const pools = [1, 2].map(() => createPool(database.url, { applicationName: 'race', size: 4 }));
  const holder = new pg.Client({ connectionString: database.url });
  await holder.connect();
  await publishFeed(database.pool, [
    { kind: 'player', id: 'dana', name: 'Dana 0' },
    event('one', ['dana']),
    event('two', ['dana'], { published: false }),
  ]);
  for (const turn of [1, 2, 3, 4]) {
    const odd = turn % 2 === 1;
    // Both have written their rows by the time they reach the player's row.
    await holder.query("begin; select from published.player where id = 'dana' for update");
    const runs = [];
    for (const [index, slug] of ['one', 'two'].entries()) {
      const record: FeedRecord = { kind: 'tournament', slug, published: (slug === 'two') === odd };
      assert.deepEqual((await importLines(client, [record])).refusals, []);
      const pool = pools[odd ? index : 1 - index];
      assert.ok(pool);
      runs.push(publishBacklog(pool));
      await waiters(index + 1);
    }
    // The facts that they have read do not contain the rename.
    if (turn > 2) await importLines(client, [{ kind: 'player', id: 'dana', name: `Dana ${turn}` }]);
    await holder.query('commit');
    await Promise.all(runs);
    await publishBacklog(database.pool);
    const name = `Dana ${turn > 2 ? turn : 0}`;
    const where = odd ? 'two' : 'one';
    const [folded] = [name.toLowerCase()];
    assert.deepEqual(
      (await playersShown()).filter((line) => line.startsWith('Dana')),
      [`${name}: ${folded.split(' ').toReversed().join(' ')}, ${folded}; ${where} -infinity plays`],
    );
  }
  await Promise.all(pools.map((pool) => pool.end()));
  await holder.end();
  await isAsIfPublishedAnew();
});

async function isAsIfPublishedAnew(): Promise<void> {
  const rows = await publishedRows(client);
  const { rows: tables } = await client.query<{ list: string }>(
    `select string_agg('published.' || tablename, ', ') as list from pg_tables
      where schemaname = 'published' and tablename not in ('derivation', 'list_revision')`,
  );
  await client.query(`truncate ${tables[0]?.list}`);
  await markEverything(database.pool);
  await publishBacklog(database.pool);
  assert.deepEqual(await publishedRows(client), rows);
}

/** Waits until that many transactions wait for a lock. */
async function waiters(many: number): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ waiting: number }>(
      `select count(*)::integer as waiting from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`,
    );
    if ((rows[0]?.waiting ?? 0) >= many) return;
  }
}

/** Returns every player who has a name, by name, with search rows, tournaments and battles. */
async function playersShown(): Promise<string[]> {
  const { rows } = await client.query<{ line: string }>(`
    select concat(name, ': ',
      (select string_agg(folded, ', ' order by folded) from published.search s where kind = 'player' and key = p.id),
      (select string_agg(concat_ws(' ', '; ' || tournament, start_date, case when plays then 'plays' end,
        case when organizes then 'organizes' end, placement, faction), '' order by start_date, tournament)
        from published.player_tournament t where t.player = p.id),
      (select string_agg(concat_ws(' ', '; ' || battle, faction, outcome), '' order by battle)
        from published.player_battle b where b.player = p.id)) as line
    from published.player p where name is not null
    union all
    select 'stray ' || s::text from published.search s where kind = 'player'
      and not exists (select from published.player p where p.id = s.key and p.name = s.label)
    order by 1`);
  return rows.map(({ line }) => line).toSorted();
}
