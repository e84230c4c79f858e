import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { createPool, type Pool } from '../../src/database/pool.ts';
import { markEverything, markOutdated } from '../../src/publish/mark-all.ts';
import { publishAlongside } from '../../src/publish/publish-alongside.ts';
import { publishNow } from '../../src/publish/publish-now.ts';
import { publishBacklog } from '../../src/publish/publisher.ts';
import { Debounce } from '../../src/publish/debounce.ts';
import type { BattleEntry, ParticipantEntry } from '../../src/record/feed/tournament-records.ts';
import type { FeedRecord, TournamentRecord } from '../../src/record/feed/records.ts';
import { setPublished } from '../../src/record/write/set-published.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { eventually } from '../../harness/support/eventually.ts';
import { importLines } from '../../harness/support/feed.ts';
import { changedScopes, publishedRows, readScopes } from '../../harness/support/published.ts';

// Tests publishers that run at the same time, and things that have to wait for each other.
const database = await createTestDatabase();
const client = await connect();
const publish = (maxBattles = 2_000) => publishBacklog(database.pool, { maxBattles });
await tell(
  { kind: 'club', slug: 'tidewatch', name: 'Tidewatch' },
  { kind: 'player', id: 'ana', name: 'Ana' },
);

test('a battle that changes hands is published by its new owner once the old one has let it go', async () => {
  const owner = async () => {
    const { rows } = await client.query<{ tournament: string | null }>(
      "select tournament from published.battle where id = 'h1'",
    );
    return rows.map(({ tournament }) => tournament);
  };
  const steps: [FeedRecord[], (string | null)[]][] = [
    [[event('hands-z', ['h1']), event('hands-a', [])], ['hands-z']],
    [[{ kind: 'remove', of: 'battle', id: 'h1' }, casual('h1')], [null]],
    [[{ kind: 'remove', of: 'battle', id: 'h1' }, event('hands-z', ['h1'])], ['hands-z']],
    [[event('hands-z', []), event('hands-a', ['h1'])], ['hands-a']],
    [[event('hands-a', []), event('hands-z', ['h1'])], ['hands-z']],
    [[event('hands-z', [])], []],
  ];
  for (const maxBattles of [1, 2_000]) {
    for (const [told, expected] of steps) {
      const before = await readScopes(client);
      assert.deepEqual((await importLines(client, told)).refusals, []);
      assert.deepEqual((await publishBacklog(database.pool, { maxBattles })).failed, []);
      assert.deepEqual(await owner(), expected);
      const { answers, revisions } = changedScopes(before, await readScopes(client));
      assert.deepEqual(
        answers.filter((name) => !revisions.includes(name)),
        [],
      );
      const rows = await publishedRows(client);
      await markEverything(database.pool);
      await publish();
      assert.deepEqual(await publishedRows(client), rows);
    }
  }
});

test('two events that exchange battles are published, though no batch holds both', async () => {
  await tell(event('left', ['x']), event('right', ['y']));
  assert.deepEqual((await publish(1)).failed, []);
  await tell(event('left', []), event('right', ['x']), event('left', ['y']));
  assert.deepEqual((await publish(1)).failed, []);
  assert.deepEqual(await owners(), { x: 'right', y: 'left' });
  assert.deepEqual(await marks(), []);
});

test("what was a casual battle for a moment, and is a tournament's again, leaves nothing to wait for", async () => {
  await tell(event('again', ['z']));
  await publish();
  await tell(
    event('again', []),
    casual('z'),
    { kind: 'remove', of: 'battle', id: 'z' },
    event('again', ['z']),
  );
  const published = await publish();
  assert.deepEqual([published.failed, await marks()], [[], []]);
  assert.equal((await owners())['z'], 'again');
});

test('what has to wait for something that cannot be published says so on its mark', async () => {
  await tell(event('stuck', ['w']), event('waiting', []));
  await publish();
  await tell(event('stuck', []), event('waiting', ['w']));
  // No feed can cause this, so the fact is forged behind the importer's back and in spite of the table's
  // constraints.
  await client.query('alter table record.stage drop constraint stage_rounds_check');
  const forge = (rounds: number) =>
    client.query(
      `update record.stage set rounds = $1
        where tournament_id = (select id from record.tournament where slug = 'stuck')`,
      [rounds],
    );
  await forge(-1);
  const { failed } = await publish();
  const [stuck, waiting] = failed.toSorted((a, b) => a.key.localeCompare(b.key));
  assert.deepEqual([failed.length, stuck?.key], [2, 'stuck']);
  assert.match(stuck?.reason ?? '', /does not fit the contract at/);
  const reason = `battle w is still published with tournament stuck, which cannot be published: ${stuck?.reason}`;
  assert.deepEqual(waiting, { kind: 'tournament', key: 'waiting', reason });
  const { rows } = await client.query("select reason from record.mark where key = 'waiting'");
  assert.deepEqual(rows, [{ reason }]);
  await forge(1);
  assert.deepEqual((await publish()).failed, []);
  assert.equal((await owners())['w'], 'waiting');
});

test('what the database refuses does not keep the rest of its batch from being published', async () => {
  await tell(event('refused', ['r1']), event('fine', ['r2']));
  await publish();
  await client.query("alter table published.battle add constraint planted check (id <> 'r3')");
  await tell(event('refused', ['r1', 'r3']), event('fine', ['r2', 'r4']));
  const { failed } = await publish();
  assert.deepEqual(
    failed.map(({ key, reason }) => `${key}: ${reason}`),
    ['refused: new row for relation "battle" violates check constraint "planted"'],
  );
  assert.deepEqual([(await owners())['r3'], (await owners())['r4']], [undefined, 'fine']);
  await client.query('alter table published.battle drop constraint planted');
  assert.deepEqual((await publish()).failed, []);
  assert.equal((await owners())['r3'], 'refused');
});

test('a result beside a new name is published with the name everywhere', async () => {
  const participants = [{ id: 'a', player: 'ana' }, guest('b')];
  await tell(event('named', ['n1', 'n2'], { participants }));
  await publish();
  await tell(
    { kind: 'player', id: 'ana', name: 'Ana the Second' },
    { kind: 'battle', tournament: 'named', ...battle('n1'), finished: true, winner: 'a' },
  );
  // Like a publisher that has already passed the players.
  assert.deepEqual(await publishNow(database.pool, [{ kind: 'tournament', key: 'named' }]), []);
  const { rows } = await client.query<{ document: string }>(`
    select document from published.participant where tournament = 'named' and id = 'a'
    union all select document from published.standings where tournament = 'named'
    union all select document from published.battle where tournament = 'named'`);
  assert.equal(rows.length, 4);
  for (const { document } of rows) assert.match(document, /"Ana the Second"/);
  assert.deepEqual((await publish()).failed, []);
});

test('what changed is published before what is only made anew', async () => {
  await tell(...Array.from({ length: 30 }, (_, i) => event(`backlog-${i}`, [`backlog-${i}`])));
  await publish();
  await markEverything(database.pool);
  await tell({ kind: 'tournament', slug: 'backlog-9', name: 'Just Renamed' });
  let things = 0;
  await publishBacklog(database.pool, {
    maxBattles: 1,
    onProgress: ({ rows, things: so }) => {
      if (rows === 0) things = so;
    },
  });
  assert.equal(things, 0, 'something came before it');

  await markEverything(database.pool);
  await tell(event('backlog-8', ['backlog-8'], { published: false }));
  assert.deepEqual(await publishNow(database.pool, [{ kind: 'tournament', key: 'backlog-8' }]), []);
  const hidden = await client.query("select from published.tournament where slug = 'backlog-8'");
  assert.equal(hidden.rowCount, 0);
  assert.ok((await marks()).length > 30, 'and the rest is still to be done');
  await publish();
});

test('things that are published first are listed as changed one by one', async () => {
  let listed = 0;
  const listener = await database.pool.connect();
  listener.on('notification', ({ payload }) => (listed += Number(payload?.includes('"changes"'))));
  await listener.query('listen wartable_published');
  await tell(...[1, 2, 3].map((i) => event(`backlog-${i}`, [], { name: `Listed ${i}` })));
  await publishNow(
    database.pool,
    [1, 2, 3].map((i) => ({ kind: 'tournament', key: `backlog-${i}` })),
  );
  await listener.query('select 1');
  listener.release(true);
  assert.equal(listed, 3);
});

test('a feed that never rests does not keep everything else from being made anew', async () => {
  await markEverything(database.pool);
  const rebuilds = async () => {
    const { rows } = await client.query<{ left: number }>(
      'select count(*)::integer as left from record.mark where rebuild',
    );
    return rows[0]?.left ?? 0;
  };
  const all = await rebuilds();
  assert.ok(all > 30);
  let looks = 0;
  // Whenever the publisher looks for marks, something has changed again.
  const pool = poolThatLooks(async (look) => {
    if ((await rebuilds()) > 0) {
      looks += 1;
      assert.ok(looks < 10 * all, `${await rebuilds()} of ${all} are left`);
      await tell({ kind: 'tournament', slug: 'backlog-7', name: `Name ${looks}` });
    }
    return look();
  });
  await publishBacklog(pool, { maxBattles: 1, isCalledAgain: true });
  assert.equal(await rebuilds(), 0);
});

test('a wake between the last look for marks and the wait is not lost', async () => {
  const debounce = new Debounce();
  let [hasRecorded, isShown] = [false, false];
  // The publisher has seen no marks. Before it learns this, something is recorded.
  const pool = poolThatLooks(async (look) => {
    const seen = await look();
    if (!hasRecorded && seen.rowCount === 0) {
      hasRecorded = true;
      await tell({ kind: 'club', slug: 'awake', name: 'Awake' });
      debounce.wake();
    }
    return seen;
  });
  const recording = eventually(async () => {
    const { rowCount } = await client.query("select from published.club where slug = 'awake'");
    isShown = rowCount === 1;
    assert.ok(isShown);
  });
  await publishAlongside(pool, { debounce, lookMs: 600_000 }, recording);
  assert.deepEqual([hasRecorded, isShown], [true, true]);
});

test('a tournament that is to be shown takes its battle from where it was', async () => {
  await tell(event('giver', ['g']), event('taker', [], { published: false }));
  await publish();
  await tell(event('giver', []), event('taker', ['g']));
  await setPublished(database.pool, 'taker', true);
  assert.deepEqual(await publishNow(database.pool, [{ kind: 'tournament', key: 'taker' }]), []);
  assert.equal((await owners())['g'], 'taker');
});

test('a mark is left once for what is made anew, however often that fails', async () => {
  await tell(event('older', []));
  await publish();
  await client.query("update published.tournament set derivation = 0 where slug = 'older'");
  for (let turn = 0; turn < 3; turn += 1) await markOutdated(database.pool);
  assert.deepEqual(await marks(), ['tournament older']);
  await publish();
});

test('three publishers beside an import: nothing is lost, and no answer changes under its revision', async () => {
  const pools = Array.from({ length: 3 }, () =>
    createPool(database.url, { applicationName: 'three', size: 8 }),
  );
  const recorder = await connect();
  const state = { isRecording: true };
  const recording = (async () => {
    for (let n = 0; n < 120; n += 1) {
      // New owners of lists arrive together with the contents of their lists, and battles change owners in
      // the meantime.
      const people = [`new-${n}-a`, `new-${n}-b`];
      await importLines(recorder, [
        { kind: 'club', slug: `new-${n}`, name: 'New' },
        ...people.map((id): FeedRecord => ({ kind: 'player', id, name: id })),
        casual(`moving-${n}`, people[0]),
      ]);
      await importLines(recorder, [
        { kind: 'remove', of: 'battle', id: `moving-${n}` },
        event(`race-${n}`, [`moving-${n}`, `staying-${n}`], {
          organizer: `new-${n}`,
          participants: people.map((player, i) => ({ id: 'ab'[i] ?? '', player, club: `new-${n}` })),
        }),
      ]);
    }
  })().finally(() => (state.isRecording = false));

  const answers = new Map<string, string>();
  const changed: string[] = [];
  const look = async () => {
    for (const [name, { revision, answers: now }] of await readScopes(client)) {
      const before = answers.get(`${name} ${revision}`);
      if (before !== undefined && before !== now) changed.push(name);
      answers.set(`${name} ${revision}`, now);
    }
  };
  const watching = (async () => {
    while (state.isRecording) await look();
  })();
  const runs = await Promise.all(pools.map((pool) => publishAlongside(pool, {}, recording)));
  await Promise.all([recording, watching]);
  await look();
  await Promise.all([recorder.end(), ...pools.map((pool) => pool.end())]);

  assert.deepEqual(changed, []);
  assert.deepEqual([runs.flatMap(({ failed }) => failed), await marks()], [[], []]);
  const rows = await publishedRows(client);
  await markEverything(database.pool);
  assert.deepEqual([(await publish()).failed, await publishedRows(client)], [[], rows]);
  const { rows: battles } = await client.query("select from published.battle where tournament like 'race-%'");
  assert.equal(battles.length, 240);
});

/** Returns a pool whose user looks for marks in the given way. */
function poolThatLooks(looking: (look: () => Promise<pg.QueryResult>) => Promise<pg.QueryResult>): Pool {
  const query = (statement: pg.QueryConfig) => {
    const look = () => database.pool.query(statement);
    return statement.text.includes('group by kind, urgency') ? looking(look) : look();
  };
  return new Proxy(database.pool, {
    get: (of, name) => (name === 'query' ? query : (Reflect.get(of, name) as unknown)),
  });
}

function event(slug: string, battles: string[], more: Partial<TournamentRecord> = {}): TournamentRecord {
  return {
    kind: 'tournament',
    slug,
    published: true,
    name: slug,
    status: 'ongoing',
    battleSize: 1000,
    stages: [{ id: 'swiss', label: 'Swiss', type: 'board', rounds: 1 }],
    participants: [guest('a'), guest('b')],
    battles: battles.map(battle),
    ...more,
  };
}

function guest(id: string): ParticipantEntry {
  return { id, name: id.toUpperCase() };
}

function battle(id: string): BattleEntry {
  return { id, stage: 'swiss', round: 1, sides: [{ participant: 'a' }, { participant: 'b' }] };
}

function casual(id: string, player = 'ana'): FeedRecord {
  return { kind: 'battle', id, battleSize: 500, club: 'tidewatch', sides: [{ player }, { name: 'G' }] };
}

async function tell(...records: FeedRecord[]): Promise<void> {
  assert.deepEqual((await importLines(client, records)).refusals, []);
}

/** Returns the tournament of every published battle. */
async function owners(): Promise<Record<string, string | null>> {
  const { rows } = await client.query<{ id: string; tournament: string | null }>(
    'select id, tournament from published.battle',
  );
  return Object.fromEntries(rows.map(({ id, tournament }) => [id, tournament]));
}

async function marks(): Promise<string[]> {
  const { rows } = await client.query<{ mark: string }>(
    "select kind || ' ' || key as mark from record.mark order by 1",
  );
  return rows.map(({ mark }) => mark);
}

async function connect(): Promise<pg.Client> {
  const connected = new pg.Client({ connectionString: database.url });
  await connected.connect();
  atEnd(() => connected.end());
  return connected;
}
