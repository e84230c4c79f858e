import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { setPublished } from '../../src/record/write/set-published.ts';
import { giveEverything, giveThing } from '../../src/record/sources/give.ts';
import { expectSource, listSources } from '../../src/record/sources/list.ts';
import { importFeed } from '../../src/record/import.ts';
import type { FeedRecord } from '../../src/record/feed/records.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { eventually } from '../../harness/support/eventually.ts';
import { emptyFacts, importLines, rowVersions } from '../../harness/support/feed.ts';
import { compared, equal, exported, whole } from '../../harness/support/in-step.ts';

// Everything belongs to the source that sent it. Two platforms and a sheet share one database.

const database = await createTestDatabase();
const { pool } = database;
const client = await pool.connect();
atEnd(async () => client.release());

type Line = Record<string, unknown>;
const send = (source: string, ...lines: Line[]) => importLines(client, lines, { source });

const club = (slug: string, more: Line = {}): Line => ({ kind: 'club', slug, name: `Club ${slug}`, ...more });
const player = (id: string, more: Line = {}): Line => ({ kind: 'player', id, name: `Player ${id}`, ...more });
const event = (slug: string, more: Line = {}): Line => ({
  kind: 'tournament',
  slug,
  name: `Event ${slug}`,
  status: 'ongoing',
  published: true,
  battleSize: 2000,
  groups: [],
  stages: [{ id: 'swiss', label: 'Swiss', type: 'board', rounds: 3 }],
  participants: [
    { id: 'p1', name: 'Ann' },
    { id: 'p2', name: 'Bea' },
  ],
  byes: [],
  adjustments: [],
  battles: [],
  matches: [],
  ...more,
});
const battle = (id: string, tournament: string, more: Line = {}): Line => ({
  kind: 'battle',
  tournament,
  id,
  stage: 'swiss',
  round: 1,
  finished: false,
  sides: [{ participant: 'p1' }, { participant: 'p2' }],
  ...more,
});
const casual = (id: string, more: Line = {}): Line => ({
  kind: 'battle',
  id,
  battleSize: 1000,
  finished: false,
  sides: [{ player: 'ann' }, { name: 'A guest' }],
  ...more,
});

async function ownerOf(table: string, key: string, value: string): Promise<string | undefined> {
  const { rows } = await pool.query<{ source: string }>(
    `select source from record.${table} where ${key} = $1`,
    [value],
  );
  return rows[0]?.source;
}

test("a platform's nightly comparison leaves the event of a live sheet alone", async () => {
  await emptyFacts(client);
  const platform = [club('harbour'), player('ann'), event('spring-major')];
  const sheet = [
    club('lantern', { onlyIfNew: true }),
    club('harbour', { onlyIfNew: true, name: 'Harbour Crew' }),
    event('cellar-cup'),
  ];
  assert.deepEqual((await send('main', ...platform)).refusals, []);
  assert.deepEqual((await send('sheet-cup', ...sheet)).refusals, []);
  // This repeats what led to the accident: compare, remove the surplus, import again, and let the sheet run.
  const nightly = whole(platform as unknown as FeedRecord[]);
  assert.deepEqual(await compared(client, nightly, { source: 'main' }), equal);
  assert.deepEqual((await compared(client, nightly, { source: 'sheet-cup' })).onlyRecorded, [
    'tournament cellar-cup',
    'club lantern',
  ]);
  assert.deepEqual((await send('main', ...platform)).changed, 0);
  assert.deepEqual((await send('sheet-cup', ...sheet)).changed, 0);
  assert.equal(await ownerOf('tournament', 'slug', 'cellar-cup'), 'sheet-cup');
  const { rows } = await pool.query("select name from record.club where slug = 'harbour'");
  assert.deepEqual(rows, [{ name: 'Club harbour' }], 'a sheet names a club, and does not change it');
  // Even a removal that names the event by mistake is refused.
  const { refusals } = await send('main', { kind: 'remove', of: 'tournament', id: 'cellar-cup' });
  assert.deepEqual(refusals, [
    'feed:1: expected a tournament of source main, found "cellar-cup" of sheet-cup: `wartable sources give main --tournament cellar-cup` hands it over',
  ]);
});

test('a record may change only what its source owns, whatever the record is', async () => {
  await emptyFacts(client);
  const all = [
    club('harbour'),
    player('ann'),
    { kind: 'battlePack', name: "Warden's Almanac" },
    event('cup', {
      battles: [
        {
          id: 'b1',
          stage: 'swiss',
          round: 1,
          finished: false,
          sides: [{ participant: 'p1' }, { participant: 'p2' }],
        },
      ],
    }),
    casual('c1'),
  ];
  assert.deepEqual((await send('a', ...all)).refusals, []);
  const before = await rowVersions(client);
  assert.deepEqual((await send('b', ...all)).refusals, [], 'whoever says the same is accepted');
  const changes: [Line, string][] = [
    [club('harbour', { city: 'Kiel' }), '--club harbour'],
    [player('ann', { name: 'Anna' }), '--player ann'],
    [
      { kind: 'battlePack', name: "Warden's Almanac", objectives: true },
      String.raw`--battle-pack 'Warden'\''s Almanac'`,
    ],
    [{ kind: 'tournament', slug: 'cup', name: 'Another' }, '--tournament cup'],
    [{ kind: 'tournament', slug: 'cup', participants: [] }, '--tournament cup'],
    [{ kind: 'participant', tournament: 'cup', id: 'p3', name: 'Cid' }, '--tournament cup'],
    [battle('b1', 'cup', { finished: true }), '--tournament cup'],
    [battle('b2', 'cup', { round: 2 }), '--tournament cup'],
    [
      { kind: 'bye', tournament: 'cup', stage: 'swiss', round: 2, participant: 'p1', win: true },
      '--tournament cup',
    ],
    [casual('c1', { scenario: 'Three Wells' }), '--battle c1'],
    [{ kind: 'remove', of: 'club', id: 'harbour' }, '--club harbour'],
    [
      { kind: 'remove', of: 'battlePack', id: "Warden's Almanac" },
      String.raw`--battle-pack 'Warden'\''s Almanac'`,
    ],
    [{ kind: 'remove', of: 'tournament', id: 'cup' }, '--tournament cup'],
    [{ kind: 'remove', of: 'battle', id: 'b1' }, '--tournament cup'],
    [{ kind: 'remove', of: 'battle', id: 'c1' }, '--battle c1'],
    [{ kind: 'remove', of: 'participant', tournament: 'cup', id: 'p2' }, '--tournament cup'],
  ];
  for (const [line, option] of changes) {
    const { refusals } = await send('b', line, club('own'));
    assert.equal(refusals.length, 1, JSON.stringify(line));
    assert.match(refusals[0] ?? '', /^feed:1: expected a .* of source b, found .* of a: /);
    assert.ok(refusals[0]?.includes(`\`wartable sources give b ${option}\``), refusals[0]);
  }
  assert.equal((await send('b', { kind: 'remove', of: 'club', id: 'own' })).changed, 1);
  assert.deepEqual(
    await rowVersions(client),
    before,
    'no row was written, and the rest of each feed was recorded',
  );
});

test('what another source records while an import waits is refused, and stays as that source sent it', async () => {
  await emptyFacts(client);
  const empty = { participants: [], stages: [] };
  const before: Line[] = [
    club('shared'),
    player('shared'),
    { kind: 'battlePack', name: 'Shared' },
    event('shared', empty),
  ];
  await send('b', ...before);
  // Source a locks a row that b wants to change, and adds one that b cannot see because it is waiting
  // already.
  const kinds: [table: string, key: string, mine: Line[], option: string][] = [
    ['club', 'slug', [club('shared', { city: 'Kiel' }), club('new', { city: 'Kiel' })], '--club new'],
    ['player', 'id', [player('shared', { name: 'Kim' }), player('new', { name: 'Kim' })], '--player new'],
    [
      'battle_pack',
      'name',
      ['Shared', 'new'].map((name) => ({ kind: 'battlePack', name, objectives: true })),
      '--battle-pack new',
    ],
    [
      'tournament',
      'slug',
      ['shared', 'new'].map((slug) => event(slug, { ...empty, city: 'Kiel' })),
      '--tournament new',
    ],
  ];
  await send('a');
  const holder = await pool.connect();
  try {
    for (const [table, key, mine, option] of kinds) {
      const shared = mine[0]?.['slug'] ?? mine[0]?.['id'] ?? mine[0]?.['name'];
      await holder.query('begin');
      await holder.query(`select from record.${table} where ${key} = $1 for update`, [shared]);
      await holder.query(
        `insert into record.${table} select (of_a).* from (
          select jsonb_populate_record(t, jsonb_build_object('${key}', 'new', 'source', 'a')
            || case when '${table}' = 'tournament' then '{"id": 1000000}' else '{}'::jsonb end) as of_a
          from record.${table} t where ${key} = $1) made`,
        [shared],
      );
      const sent = send('b', ...mine);
      await eventually(async () => {
        const { rowCount } = await pool.query(
          `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
        );
        assert.equal(rowCount, 1);
      });
      await holder.query('commit');
      const { refusals, changed } = await sent;
      assert.equal(changed, 1, table);
      assert.equal(refusals.length, 1, table);
      assert.ok(refusals[0]?.includes(`of a: \`wartable sources give b ${option}\``), refusals[0]);
      assert.equal(await ownerOf(table, key, 'new'), 'a');
    }
  } finally {
    holder.release();
  }
});

test('what was removed and is sent again belongs to whoever sends it', async () => {
  await emptyFacts(client);
  await send('a', event('cup'));
  assert.deepEqual((await send('a', { kind: 'remove', of: 'tournament', id: 'cup' })).refusals, []);
  assert.deepEqual((await send('b', event('cup'))).refusals, []);
  assert.equal(await ownerOf('tournament', 'slug', 'cup'), 'b');
});

/** A battle of the tournaments that two sources send. */
const played = {
  id: 'b1',
  stage: 'swiss',
  round: 1,
  finished: false,
  sides: [{ participant: 'p1' }, { participant: 'p2' }],
};

test('a battle is never taken from a tournament of another source, and `moved` needs both ends', async () => {
  await emptyFacts(client);
  await send('a', event('cup', { battles: [played] }));
  const { refusals } = await send('b', event('copy', { battles: [played] }));
  assert.match(
    refusals[0] ?? '',
    /battles\[0\]\.id: expected an id that no other battle has, found "b1", which tournament "cup" has/,
  );
  await send('b', event('copy'));
  for (const source of ['a', 'b']) {
    const moved = await send(source, { kind: 'moved', of: 'tournament', id: 'cup', to: 'copy' });
    assert.match(moved.refusals[0] ?? '', /of source/, source);
  }
  assert.equal(await giveThing(pool, 'b', 'tournament', 'cup'), 'a');
  assert.deepEqual(
    (await send('b', { kind: 'moved', of: 'tournament', id: 'cup', to: 'copy' })).refusals,
    [],
  );
});

test('where an old name leads belongs to the owner of the thing that it leads to', async () => {
  await emptyFacts(client);
  const moved = (to: string): Line => ({ kind: 'moved', of: 'tournament', id: 'old', to });
  await send('a', event('new'), moved('new'));
  const { refusals } = await send('b', event('copy'), moved('copy'));
  assert.deepEqual(refusals.length, 1);
  assert.match(refusals[0] ?? '', /^feed:2: .* found "new" of /);
  assert.deepEqual((await send('a', event('newer'), moved('newer'))).refusals, []);
});

test('a battle that is handed over while an import takes it stays with its new owner', async () => {
  await emptyFacts(client);
  const kinds: [given: 'tournament' | 'battle', key: string, before: Line, after: Line][] = [
    ['tournament', 'old', event('old', { battles: [played] }), event('new', { battles: [played] })],
    [
      'battle',
      'c1',
      casual('c1', { sides: [{ name: 'Ann' }, { name: 'Bea' }] }),
      event('new', { battles: [{ ...played, id: 'c1' }] }),
    ],
  ];
  const waiting = async (): Promise<number | null> =>
    (
      await pool.query(
        `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      )
    ).rowCount;
  const holder = await pool.connect();
  try {
    for (const [kind, key, before, after] of kinds) {
      const id = kind === 'battle' ? 'c1' : 'b1';
      assert.deepEqual((await send('a', before)).refusals, []);
      // The import has to wait before it deletes the battle, so the thing may change hands meanwhile.
      await holder.query('begin');
      await holder.query('select from record.battle where id = $1 for key share', [id]);
      const sent = send('a', after);
      await eventually(async () => assert.equal(await waiting(), 1));
      let isGiven = false;
      const given = giveThing(pool, 'b', kind, key).then(() => (isGiven = true));
      await eventually(async () => assert.ok(isGiven || (await waiting()) === 2));
      const wasFirst = isGiven;
      await holder.query('commit');
      const [{ refusals }] = await Promise.all([sent, given]);
      const { rows } = await pool.query<{ owner: string }>(
        `select coalesce(b.source, t.source) as owner from record.battle b
          left join record.tournament t on t.id = b.tournament_id where b.id = $1`,
        [id],
      );
      const expected = wasFirst ? ['b', 1] : ['a', 0];
      assert.deepEqual([rows[0]?.owner, refusals.length], expected, `${kind}: ${refusals.join()}`);
    }
  } finally {
    await holder.query('rollback');
    holder.release();
  }
});

test('an erasure is obeyed from every source that names the person', async () => {
  await emptyFacts(client);
  await send('a', player('ann'), event('cup'), casual('c1'));
  assert.deepEqual((await send('b', player('ann', { name: undefined, erased: true }))).refusals, []);
  const guest = { kind: 'participant', tournament: 'cup', id: 'p1', erased: true };
  assert.deepEqual((await send('b', guest)).refusals, []);
  const swapped = casual('c1', { sides: [{ erased: true }, { player: 'ann' }] });
  assert.equal((await send('b', swapped)).refusals.length, 1, 'the order of the sides is a change');
  const { rows } = await pool.query(
    `select (select name from record.player where id = 'ann') as player,
      (select name from record.participant where id = 'p1') as guest,
      (select second_name from record.battle where id = 'c1') as casual`,
  );
  assert.deepEqual(rows, [{ player: null, guest: '', casual: '' }]);
  // A registered participant is not a guest. Whoever wants to erase the player names the player.
  await send('a', player('eve'), event('open', { participants: [{ id: 'p1', player: 'eve' }] }));
  const registered = { kind: 'participant', tournament: 'open', id: 'p1', erased: true };
  assert.match((await send('b', registered)).refusals.join(), /^feed:1: expected a tournament of source b/);
  const named = async () =>
    (
      await pool.query(
        "select p.player, q.name from record.participant p join record.player q on q.id = p.player where p.player = 'eve'",
      )
    ).rows;
  assert.deepEqual(await named(), [{ player: 'eve', name: 'Player eve' }]);
  assert.deepEqual((await send('b', { kind: 'remove', of: 'player', id: 'eve' })).refusals, []);
  assert.deepEqual(await named(), [{ player: 'eve', name: null }]);
  // Only the owner may bring somebody back.
  const back = player('ann', { erased: false });
  assert.equal((await send('b', back)).refusals.length, 1);
  assert.deepEqual((await send('a', back)).refusals, []);
});

test('an erasure in a record that stops the import is obeyed all the same', async () => {
  await emptyFacts(client);
  await send('a', event('stop-cup'), club('harbour'));
  const guest = { kind: 'participant', tournament: 'stop-cup', id: 'p1', erased: true, dropped: true };
  const lines = [club('first'), guest, club('last')];
  const { refusals, records } = await importLines(client, lines, { source: 'b', stopOnError: true });
  assert.deepEqual([refusals.length, records], [1, 1]);
  const { rows } = await pool.query(
    `select (select name from record.participant where id = 'p1') as guest,
      (select dropped from record.participant where id = 'p1') as dropped,
      (select string_agg(slug, ' ' order by slug) from record.club) as clubs`,
  );
  assert.deepEqual(rows, [{ guest: '', dropped: false, clubs: 'first harbour' }]);
});

test('what an operator hid stays hidden, also when it is removed, sent again or renamed', async () => {
  await emptyFacts(client);
  const shown = async (slug: string) => {
    const { rows } = await pool.query<{ published: boolean }>(
      'select published from record.tournament where slug = $1',
      [slug],
    );
    return rows[0]?.published;
  };
  await send('main', event('shy'));
  assert.equal(await setPublished(pool, 'shy', false), true);
  assert.deepEqual((await send('main', event('shy'))).changed, 0);
  assert.deepEqual(await compared(client, whole([event('shy')] as unknown as FeedRecord[])), equal);
  await send('main', { kind: 'remove', of: 'tournament', id: 'shy' }, event('shy'));
  assert.equal(await shown('shy'), false);
  const renamed = [
    event('shy-2026'),
    { kind: 'moved', of: 'tournament', id: 'shy', to: 'shy-2026' },
    event('shy-2026'),
  ];
  await send('main', ...renamed);
  assert.equal(await shown('shy-2026'), false);
  assert.equal(await setPublished(pool, 'shy-2026', true), true);
  // A complete feed repeats its renames each time.
  assert.equal((await send('main', ...renamed)).changed, 0);
  assert.equal(await shown('shy-2026'), true);
});

test('an export of one source says what it refers to, and nothing else of others', async () => {
  await emptyFacts(client);
  await send('a', club('harbour'), club('unnamed'), player('ann'), event('cup'));
  await send('b', event('own', { organizer: 'harbour', participants: [{ id: 'p1', player: 'ann' }] }));
  const names = async (source?: string) =>
    (await exported(client, source === undefined ? {} : { source })).map((each) =>
      'slug' in each ? each.slug : 'id' in each ? each.id : each.kind,
    );
  assert.deepEqual(await names('b'), ['harbour', 'ann', 'own']);
  assert.deepEqual(await names('a'), ['harbour', 'unnamed', 'ann', 'cup']);
  assert.deepEqual(await names(), ['harbour', 'unnamed', 'ann', 'cup', 'own']);
});

test('a source knows when it last sent something, what was refused, and how long it may be silent', async () => {
  await emptyFacts(client);
  await send('c', club('own'));
  const of = async (name: string) => (await listSources(pool)).find((each) => each.name === name);
  assert.deepEqual([(await of('c'))?.accepted, (await of('c'))?.isRefusing], [1, false]);
  await send('c', { kind: 'club', slug: 'secret', name: 7 }, club('own'));
  const refusing = await of('c');
  assert.deepEqual([refusing?.refused, refusing?.isRefusing], [1, true]);
  // A name in the message would outlive its erasure.
  assert.equal(
    refusing?.lastRefusal,
    'line 1: name: expected a text with something visible, up to 200 characters',
  );
  await send('c', club('own'));
  assert.equal((await of('c'))?.isRefusing, false);
  await send('d', event('cup'));
  await send('c', event('cup', { name: 'Mine' }));
  assert.equal((await of('c'))?.lastRefusal, 'line 1: expected a tournament of source c');
  assert.equal((await of('c'))?.isRefusing, true);
  // Otherwise a source that has nothing more to send would raise an alarm for ever.
  await send('c');
  assert.equal((await of('c'))?.isRefusing, false);
  assert.equal(await expectSource(pool, 'c', 60), true);
  assert.equal((await of('c'))?.isLate, false);
  await pool.query("update record.source set last_sent_at = now() - interval '2 minutes' where name = 'c'");
  assert.equal((await of('c'))?.isLate, true);
  assert.equal(await expectSource(pool, 'nobody', 60), false);
});

test('a whole source is handed over, and the audit says so', async () => {
  await emptyFacts(client);
  await send('old', club('harbour'), event('cup'), player('ann'), casual('c1'));
  assert.equal(await giveEverything(pool, 'old', 'new'), 4);
  assert.deepEqual((await send('new', club('harbour', { city: 'Kiel' }))).refusals, []);
  const { rows } = await pool.query(
    "select action, thing from audit.entry where action like '%given' order by id desc limit 1",
  );
  assert.deepEqual(rows, [{ action: 'source given', thing: 'old/new' }]);
  // A misspelt name is not a source, and nothing is created or recorded for it.
  assert.equal(await giveEverything(pool, 'nwe', 'newer'), undefined);
  assert.equal(await giveEverything(pool, 'new', 'new'), 0);
  assert.ok((await listSources(pool)).every(({ name }) => name !== 'newer'));
  const noted = await pool.query("select from audit.entry where action = 'source given'");
  assert.equal(noted.rowCount, 1);
});

const sources = ['a', 'b', 'c'];
const keys = ['x', 'y', 'z'];
const line = fc.oneof(
  fc
    .record({ key: fc.constantFrom(...keys), text: fc.constantFrom('1', '2') })
    .map(({ key, text }) => club(key, { city: text })),
  fc.constantFrom(...keys).map((key): Line => ({ kind: 'remove', of: 'club', id: key })),
  fc
    .record({
      key: fc.constantFrom(...keys),
      text: fc.constantFrom('1', '2'),
      guests: fc.subarray(['p1', 'p2', 'p3']),
    })
    .map(({ key, text, guests }) =>
      event(key, { city: text, participants: guests.map((id) => ({ id, name: `G ${id}` })) }),
    ),
  fc.constantFrom(...keys).map((key): Line => ({ kind: 'remove', of: 'tournament', id: key })),
  fc
    .record({ key: fc.constantFrom(...keys), id: fc.constantFrom('p1', 'p2', 'p3'), dropped: fc.boolean() })
    .map(({ key, id, dropped }): Line => ({
      kind: 'participant',
      tournament: key,
      id,
      name: `G ${id}`,
      dropped,
    })),
);

const byText = (a: unknown, b: unknown): number => (String(a) < String(b) ? -1 : 1);

/** The rule as plain objects: who owns each thing, and what that owner last sent about it. */
class Model {
  readonly owners = new Map<string, string>();
  readonly said = new Map<string, string>();

  apply(source: string, given: Line): boolean {
    const { kind, of, slug, id, tournament } = given as Record<string, string>;
    const thing =
      kind === 'remove'
        ? `${of} ${id}`
        : kind === 'participant'
          ? `tournament ${tournament}`
          : `${kind} ${slug}`;
    const owner = this.owners.get(thing);
    const before = this.said.get(thing);
    const after = this.#after(given, before);
    if (after === 'unknown') return false;
    if (after === before) return true;
    if (owner !== undefined && owner !== source) return false;
    if (after === undefined) {
      this.owners.delete(thing);
      this.said.delete(thing);
    } else {
      this.owners.set(thing, owner ?? source);
      this.said.set(thing, after);
    }
    return true;
  }

  /** Returns a model to which the first lines of a feed were applied as well. */
  after({ source, lines }: Sent, count: number): Model {
    const model = new Model();
    for (const [thing, owner] of this.owners) model.owners.set(thing, owner);
    for (const [thing, said] of this.said) model.said.set(thing, said);
    for (const each of lines.slice(0, count)) model.apply(source, each);
    return model;
  }

  things(): string[][] {
    return [...this.said]
      .map(([thing, said]) => [thing, this.owners.get(thing) ?? '', said])
      .toSorted(byText);
  }

  #after(given: Line, before: string | undefined): string | undefined {
    if (given['kind'] === 'remove') return undefined;
    if (given['kind'] !== 'participant') {
      const participants = (given['participants'] ?? []) as Line[];
      return JSON.stringify([given['city'], participants.map(({ id }) => [id, false]).toSorted(byText)]);
    }
    if (before === undefined) return 'unknown';
    const [city, all] = JSON.parse(before) as [string, [string, boolean][]];
    const people = new Map(all).set(String(given['id']), given['dropped'] === true);
    return JSON.stringify([city, [...people].toSorted(byText)]);
  }
}

interface Sent {
  source: string;
  lines: Line[];
  /** The line before which the connection of the import is killed, or undefined if it isn't. */
  killedAt: number | undefined;
}

const anySent: fc.Arbitrary<Sent> = fc
  .record({
    source: fc.constantFrom(...sources),
    lines: fc.array(line, { minLength: 1, maxLength: 6 }),
    kill: fc.option(fc.nat(), { nil: undefined }),
  })
  .map(({ kill, ...sent }) => ({
    ...sent,
    killedAt: kill === undefined ? undefined : kill % (sent.lines.length + 1),
  }));

/**
 * Sends one line per batch until the connection is killed. Returns how many batches are known to be recorded.
 */
async function sendAndKill({ source, lines, killedAt }: Sent): Promise<number> {
  const dying = await pool.connect();
  dying.on('error', () => undefined);
  const { rows } = await dying.query<{ pid: number }>('select pg_backend_pid() as pid');
  let recorded = 0;
  async function* chunks(): AsyncGenerator<Buffer> {
    for (const [index, each] of [...lines, undefined].entries()) {
      // This waits until the backend is gone, with all its locks.
      if (index === killedAt) await client.query('select pg_terminate_backend($1, 60000)', [rows[0]?.pid]);
      if (each) yield Buffer.from(`${JSON.stringify(each)}\n`);
    }
  }
  await assert.rejects(
    importFeed(dying, [{ name: 'feed', chunks: chunks() }], {
      source,
      batchBytes: 1,
      onRefusal: () => undefined,
      onRecorded: (now) => {
        recorded = now.line;
      },
    }),
  );
  dying.release(true);
  return recorded;
}

/** Returns every thing with its owner and its content, in the form of the model. */
async function readThings(): Promise<string[][]> {
  const { rows } = await pool.query<{ thing: string; source: string; said: string }>(
    `select 'club ' || slug as thing, source, json_build_array(city, '[]'::json)::text as said from record.club
      union all select 'tournament ' || slug, source, json_build_array(city, coalesce((
        select json_agg(json_build_array(id, dropped) order by id) from record.participant p
        where p.tournament_id = t.id), '[]'))::text from record.tournament t`,
  );
  return rows
    .map(({ thing, source, said }) => [thing, source, JSON.stringify(JSON.parse(said))])
    .toSorted(byText);
}

test('random feeds of three sources, in any order and batch and with kills, leave every thing as its own source sent it last', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anySent, { minLength: 1, maxLength: 8 }), async (imports) => {
      await emptyFacts(client);
      let model = new Model();
      const sendWhole = async ({ source, lines }: Sent): Promise<void> => {
        const { refusals } = await send(source, ...lines);
        const expected = lines.flatMap((each, index) => (model.apply(source, each) ? [] : index + 1));
        assert.deepEqual(
          refusals.map((text) => Number(text.split(':')[1])),
          expected,
        );
      };
      let killed: Sent | undefined;
      for (const sent of imports) {
        const again = killed;
        killed = undefined;
        if (sent.killedAt === undefined) await sendWhole(sent);
        else {
          const recorded = await sendAndKill(sent);
          const found = await readThings();
          // The kill may have come between the commit of a line and its confirmation.
          const possible = [recorded, recorded + 1].map((count) => model.after(sent, count));
          const now = possible.find((each) => isDeepStrictEqual(each.things(), found));
          assert.ok(now, `a kill left ${JSON.stringify(found)}`);
          model = now;
          killed = sent;
        }
        // The source that was killed sends everything again, after another one has sent something.
        if (again) await sendWhole(again);
      }
      if (killed) await sendWhole(killed);
      assert.deepEqual(await readThings(), model.things());
    }),
    { numRuns: 40 },
  );
});
