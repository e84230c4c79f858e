import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { changes, type ChangesRow } from '../../src/read/changes.ts';
import { startEpoch } from '../../src/publish/number-changes.ts';
import { publishedChannel, decodeNotice } from '../../src/published/notice.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { publishFeed } from '../../harness/support/publish-feed.ts';

// Publishers change and remove random documents, while a reader polls and keeps a copy by `changes` alone. At
// the end its copy equals the documents. Faults that the test plants must be noticed, because otherwise it
// would prove nothing.

const database = await createTestDatabase();
const publishing = await database.loginAs('wartable_publish');
await database.pool.query('create sequence public.early; grant usage on sequence public.early to public');

type Fault = 'order by revision' | 'places in the transaction' | undefined;

interface Entry {
  kind: string;
  key: string;
  change: 'changed' | 'gone';
  revision: number;
  tournament: string | null;
}

test('a copy that is kept by `changes` alone equals the documents', async () => {
  assert.deepEqual(await differences(undefined), []);
});

for (const fault of ['order by revision', 'places in the transaction'] as const) {
  test(`the comparison notices the planted fault “${fault}”`, async () => {
    let found: string[] = [];
    for (let attempt = 0; attempt < 5 && found.length === 0; attempt += 1) found = await differences(fault);
    assert.notDeepEqual(found, []);
  });
}

test('a publisher that died leaves its rows to the next one, and a thing is listed once, at its last place', async () => {
  await empty();
  const { pool } = database;
  await insertTwoClubs(pool);
  assert.deepEqual(await entriesAfter(0), []);
  await pool.query('select published.number_changes()');
  await pool.query("update published.club set revision = 2 where slug = 'a'");
  await pool.query("update published.club set revision = 2, document = '{2}' where slug = 'b'");
  assert.deepEqual(keysOf(await entriesAfter(0)), ['changed club a 1']);
  await pool.query("delete from published.club where slug = 'a'");
  await pool.query('select published.number_changes()');
  assert.deepEqual(keysOf(await entriesAfter(0)), ['changed club b 2', 'gone club a 2']);
});

test('a row that is being changed again gets its place later, and holds back no other', async () => {
  await empty();
  const { pool } = database;
  await insertTwoClubs(pool);
  const client = await connected();
  await client.query("begin; update published.club set revision = 2, document = '{2}' where slug = 'a'");
  await pool.query('select published.number_changes()');
  assert.deepEqual(keysOf(await entriesAfter(0)), ['changed club b 1']);
  await client.query('commit; select published.number_changes()');
  assert.deepEqual(keysOf(await entriesAfter(0)), ['changed club b 1', 'changed club a 2']);
});

test('a battle names its tournament, and an update of anything but the revision is no change', async () => {
  await empty();
  const { pool } = database;
  await insertBattle(pool, 'x', 'cup', 1);
  await insertBattle(pool, 'y', null, 1);
  await pool.query('select published.number_changes()');
  const { rows } = await read(0);
  const tournaments = rows.map(({ key, tournament }) => `${key} ${tournament}`);
  assert.deepEqual(tournaments.toSorted(), ['x cup', 'y null']);
  await pool.query("update published.battle set table_number = 3 where id = 'x'");
  const { rows: given } = await pool.query('select published.number_changes()');
  assert.deepEqual(given, [{ number_changes: 0 }]);
});

test('rows of more than 90 days go, at most 1,000 at once, and the floor is the highest place that went', async () => {
  await empty();
  const { pool } = database;
  const insert = (first: number, last: number) =>
    pool.query(
      `insert into published.club (slug, revision, document, sort_key)
        select 'c' || i, 1, '{}', '' from generate_series($1::int, $2::int) i`,
      [first, last],
    );
  await insert(1, 1_100);
  await pool.query('select published.number_changes()');
  await pool.query("update published.change set since = now() - interval '91 days'");
  const start = await pool.query('select last::int from published.change_list');
  const { last } = start.rows[0];
  const state = async () => {
    const { rows } = await pool.query(
      'select floor::int, last::int, (select count(*)::int from published.change) as rows from published.change_list',
    );
    return rows[0];
  };
  await insert(2_001, 2_001);
  await pool.query('select published.number_changes()');
  assert.deepEqual(await state(), { floor: last - 100, last: last + 1, rows: 101 });
  await insert(2_002, 2_002);
  await pool.query('select published.number_changes()');
  assert.deepEqual(await state(), { floor: last, last: last + 2, rows: 2 });
});

test('a publisher gives places after its commit, and servers hear of it', async () => {
  await empty();
  const notices: pg.Notification[] = [];
  const listening = await connected();
  listening.on('notification', (notice) => notice.payload?.includes('"changes"') && notices.push(notice));
  await listening.query(`listen ${publishedChannel}`);
  await publishFeed(database.pool, [{ kind: 'club', slug: 'north-gate', name: 'North Gate' }]);
  const { rows } = await read(0);
  assert.deepEqual(
    rows.map(({ change, key }) => `${change} ${key}`),
    ['changed north-gate'],
  );
  const { rows: before } = await database.pool.query('select epoch, revision from published.change_list');
  await startEpoch(database.pool);
  const { rows: after } = await database.pool.query('select epoch, revision from published.change_list');
  assert.notEqual(after[0].epoch, before[0].epoch);
  await listening.query('select 1');
  assert.deepEqual(
    notices.map(({ payload }) => decodeNotice(payload ?? '')),
    [before, after].map(([row]) => ({ changes: BigInt(row.revision) })),
  );
});

/** Returns what is wrong in a reader's copy after several publishers have worked. */
async function differences(fault: Fault): Promise<string[]> {
  await empty();
  const clients = await publishers();
  let isOver = false;
  const copy = new Map<string, number>();
  const reading = keepCopy(copy, fault, () => isOver);
  await Promise.all(clients.map((client, i) => publishRandomly(client, i, fault)));
  isOver = true;
  await reading;
  const { rows } = await database.pool.query<{ name: string; revision: string }>(
    `select 'club ' || slug as name, revision from published.club
    union all select 'tournament ' || slug, revision from published.tournament
    union all select 'battle ' || id, revision from published.battle`,
  );
  const wanted = new Map(rows.map(({ name, revision }) => [name, Number(revision)]));
  const names = new Set([...wanted.keys(), ...copy.keys()]);
  return [...names].filter((name) => wanted.get(name) !== copy.get(name));
}

/** Writes like our publishers: clubs are updated, and other things deleted and inserted. */
async function publishRandomly(client: pg.Client, seed: number, fault: Fault): Promise<void> {
  const random = randomFrom(seed + 1);
  for (let i = 0; i < 60; i += 1) {
    const number = Math.floor(random() * 12);
    const isGone = random() < 0.3;
    try {
      await client.query('begin');
      const { rows } = await client.query('select published.next_revision(null) as revision');
      const revision = rows[0].revision;
      if (random() < 0.5) await client.query('select pg_sleep($1)', [random() / 100]);
      await publishOne(client, Math.floor(random() * 3), number, revision, isGone);
      if (fault === 'places in the transaction')
        await client.query(
          "update published.change set sequence = nextval('public.early') where sequence is null",
        );
      if (random() < 0.5) await client.query('select pg_sleep($1)', [random() / 100]);
      await client.query(random() < 0.1 ? 'rollback' : 'commit');
      // Now and then a publisher dies before it assigns sequence numbers.
      if (fault !== 'places in the transaction' && random() < 0.8)
        await client.query('select published.number_changes()');
    } catch (error) {
      // Two publishers wrote the same thing, so one of them fails.
      if (!['23505', '40P01'].includes(String((error as { code?: unknown }).code))) throw error;
      await client.query('rollback');
    }
  }
  if (fault !== 'places in the transaction') await client.query('select published.number_changes()');
}

async function publishOne(
  client: pg.Client,
  kind: number,
  number: number,
  revision: string,
  isGone: boolean,
): Promise<void> {
  const key = `k${number}`;
  if (kind === 0) {
    if (isGone) await client.query('delete from published.club where slug = $1', [key]);
    else
      await client.query(
        `insert into published.club as club (slug, revision, document, sort_key)
          values ($1, $2::bigint, $2::bigint::text, '')
        on conflict (slug) do update
          set revision = greatest(club.revision + 1, excluded.revision), document = excluded.document`,
        [key, revision],
      );
  } else if (kind === 1) {
    await client.query('delete from published.tournament where slug = $1', [key]);
    if (!isGone)
      await client.query(
        `insert into published.tournament
          (slug, start_date, status, last_day, stages, derivation, battle_derivation, revision, document, view)
        values ($1, '2026-01-01', 'planned', '2026-01-01', '{}', 1, 1, $2, '{}', '{}')`,
        [key, revision],
      );
  } else {
    // This changes several things in one statement.
    const ids = [key, `k${number + 1}`];
    await client.query('delete from published.battle where id = any($1)', [ids]);
    if (!isGone) for (const id of ids) await insertBattle(client, id, 'cup', revision);
  }
}

async function insertTwoClubs(client: Pick<pg.ClientBase, 'query'>): Promise<void> {
  await client.query(
    `insert into published.club (slug, revision, document, sort_key) values ('a', 1, '{}', ''), ('b', 1, '{}', '')`,
  );
}

async function insertBattle(
  client: Pick<pg.ClientBase, 'query'>,
  id: string,
  tournament: string | null,
  revision: string | number,
): Promise<void> {
  await client.query(
    `insert into published.battle (id, tournament, date, stage_order, round, players, clubs, revision, document)
    values ($1, $2, '2026-01-01', 0, 0, '{}', '{}', $3, '{}')`,
    [id, tournament, revision],
  );
}

/** Polls until the publishers have ended, and once more. */
async function keepCopy(copy: Map<string, number>, fault: Fault, isOver: () => boolean): Promise<void> {
  let after = 0;
  for (let isLast = false; ; isLast = isOver()) {
    const { rows, next } = fault === 'order by revision' ? await readByRevision(after) : await read(after);
    after = next;
    for (const { kind, key, change, revision } of rows) {
      if (change === 'gone') copy.delete(`${kind} ${key}`);
      else copy.set(`${kind} ${key}`, revision);
    }
    if (isLast && rows.length === 0) return;
  }
}

async function read(after: number): Promise<{ rows: Entry[]; next: number }> {
  const { rows } = await database.pool.query<ChangesRow>(changes.text, [1_000, [], after]);
  const [page] = rows;
  const documents = page?.documents?.split('\n') ?? [];
  return {
    rows: documents.map((document) => JSON.parse(document) as Entry),
    next: Number(page?.sequenceNumber ?? after),
  };
}

async function readByRevision(after: number): Promise<{ rows: Entry[]; next: number }> {
  const { rows } = await database.pool.query<{ kind: string; key: string; gone: boolean; revision: string }>(
    'select kind, key, gone, revision from published.change where revision > $1 order by revision',
    [after],
  );
  const entries = rows.map(({ gone, revision, ...rest }) => ({
    ...rest,
    change: gone ? ('gone' as const) : ('changed' as const),
    revision: Number(revision),
    tournament: null,
  }));
  return { rows: entries, next: Number(rows.at(-1)?.revision ?? after) };
}

async function entriesAfter(after: number): Promise<Entry[]> {
  return (await read(after)).rows;
}

function keysOf(entries: Entry[]): string[] {
  return entries.map(({ change, kind, key, revision }) => `${change} ${kind} ${key} ${revision}`);
}

async function empty(): Promise<void> {
  await database.pool
    .query(`truncate published.club, published.tournament, published.battle, published.change;
    update published.change_list set last = 0, floor = 0; alter sequence public.early restart`);
}

async function connected(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: publishing });
  await client.connect();
  atEnd(() => client.end());
  return client;
}

let made: pg.Client[] | undefined;
async function publishers(): Promise<pg.Client[]> {
  return (made ??= await Promise.all(Array.from({ length: 6 }, connected)));
}

/** Returns numbers from 0 to 1, the same ones for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed * 2_654_435_769;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    return (state >>> 0) / 2 ** 32;
  };
}
