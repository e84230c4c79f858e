import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import type { PoolClient } from 'pg';
import { holdErasures } from '../../src/record/people/erasures-lock.ts';
import { erasePerson } from '../../src/record/people/erase-person.ts';
import { readDossier } from '../../src/record/people/dossier.ts';
import { NamePattern } from '../../src/record/people/name-pattern.ts';
import { findGuests, findPlayer } from '../../src/record/people/person.ts';
import { battleSideColumns, player as playerTable, tournamentTables } from '../../src/record/tables.ts';
import { readTournaments } from '../../src/record/facts/read-facts.ts';
import { dayNumber } from '../../src/world/dates.ts';
import { world } from '../../src/world/world.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { battle, cup, ground } from '../../harness/support/cup.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { emptyFacts, importLines, rowVersions, takeMarks } from '../../harness/support/feed.ts';
import { eventually } from '../../harness/support/server.ts';

const { pool } = await createTestDatabase();
const client = await pool.connect();
const other = await pool.connect();
atEnd(async () => {
  client.release();
  other.release();
});

// A failing test must not keep the next one waiting.
afterEach(() => other.query('rollback'));

const list = {
  faction: 'Moth Parliament',
  subFaction: 'Silk',
  points: 1,
  battleTacticCards: ['a'],
  text: 'x',
};
/** A cup with Bob, an ordinary player, who has a list, a list in a battle and a reason. */
const bobsCup = {
  ...cup,
  participants: [cup.participants[0], { id: 'p2', player: 'bob', list }, { id: 'p3', name: 'Guest', list }],
  adjustments: [{ stage: 'swiss', participant: 'p2', battlePoints: -1, reason: 'late' }],
  battles: [
    { ...cup.battles[0], sides: [{ participant: 'p1' }, { participant: 'p2', list }] },
    cup.battles[1],
  ],
};
const casual = (...sides: object[]) => ({ kind: 'battle', id: 'c1', battleSize: 1000, sides });

async function begin(...records: object[]): Promise<void> {
  await emptyFacts(client);
  await client.query('truncate record.erased_guest, record.erased_casual_guest');
  assert.deepEqual((await importLines(client, [...ground, ...records] as never[])).refusals, []);
  await takeMarks(client);
}

/** Returns where lists and reasons are still left. */
async function kept(): Promise<string[]> {
  const { rows } = await client.query<{ place: string }>(`
    select t.slug || ' ' || participant as place from record.participant_list l join record.tournament t
      on t.id = l.tournament_id where text is not null
    union all select 'reason ' || participant from record.adjustment where reason is not null
    union all select id || ' first' from record.battle where first_list ? 'text'
    union all select id || ' second' from record.battle where second_list ? 'text' order by 1`);
  return rows.map(({ place }) => place);
}

for (const [what, erasing] of Object.entries({
  'erased: true': { kind: 'player', id: 'bob', erased: true },
  'a removal': { kind: 'remove', of: 'player', id: 'bob' },
})) {
  test(`${what} in a feed removes lists and reasons, and a later feed brings none back`, async () => {
    await begin(bobsCup, casual({ player: 'bob', list }, { name: 'Pascal' }));
    assert.deepEqual(await kept(), ['b1 second', 'c1 first', 'cup p2', 'cup p3', 'reason p2']);
    await importLines(client, [erasing]);
    assert.deepEqual(await takeMarks(client), ['player bob']);
    assert.deepEqual(await kept(), ['cup p3']);
    const versions = await rowVersions(client);
    await importLines(client, [...ground, bobsCup, casual({ player: 'bob', list }, { name: 'Pascal' })]);
    // A new tournament is written with COPY.
    const second = { ...bobsCup, slug: 'second', battles: [], matches: [] };
    assert.deepEqual((await importLines(client, [second])).refusals, []);
    assert.deepEqual(await kept(), ['cup p3', 'second p3']);
    await importLines(client, [{ kind: 'remove', of: 'tournament', id: 'second' }]);
    assert.deepEqual(await rowVersions(client), versions);
    // The formation stays because battles show it, and a battle sent by itself still takes it from the
    // participant's list.
    const [facts] = await readTournaments(client, ['cup']);
    assert.deepEqual(facts?.participants[1]?.list, { faction: 'Moth Parliament', subFaction: 'Silk' });
    const { refusals } = await importLines(client, [battle({ sides: sides({ faction: 'Rimehold Kin' }) })]);
    assert.match(refusals[0] ?? '', /the faction of the participant's list \("Moth Parliament"\)/);
  });
}
/** What an erasure leaves of a registered player. It must remove every other column. */
const stays = new Set(
  [
    'player id erased',
    'participants tournament_id id player name club group_name dropped no_show faction final_placement lot',
    'lists tournament_id participant sub_faction',
    'adjustments tournament_id position stage participant battle_points victory_points victory_points_diff',
    'side participant player name club faction sub_faction battle_points victory_points objective_points',
    'side battle_tactics_scored grand_strategy grand_strategy_scored drops role metrics rounds',
  ].flatMap((line) => line.split(' ').map((column, _, [table]) => `${table} ${column}`)),
);

test('an erasure removes each column about a player, except for those that may stay', async () => {
  const { participants, lists, adjustments } = tournamentTables;
  const tables = {
    player: playerTable,
    participants,
    lists,
    adjustments,
    side: { columns: battleSideColumns },
  };
  const columns = Object.entries(tables).flatMap(([table, each]) =>
    Object.keys(each.columns).map((column) => `${table} ${column}`),
  );
  const goes = columns.filter((column) => !stays.has(column));
  await begin(bobsCup);
  const recorded = async () => {
    const { rows } = await client.query<{ columns: string[] }>(`
      select array(select what || ' ' || key from jsonb_each(jsonb_strip_nulls(row))) as columns from (
        select 'player' as what, to_jsonb(t) as row from record.player t where id = 'bob'
        union all select 'participants', to_jsonb(t) from record.participant t where id = 'p2'
        union all select 'lists', to_jsonb(t) from record.participant_list t where participant = 'p2'
        union all select 'adjustments', to_jsonb(t) from record.adjustment t where participant = 'p2'
        union all select 'side', (select jsonb_object_agg(replace(key, 'second_', ''), value)
          from jsonb_each(to_jsonb(t) || jsonb_build_object('second_list', second_list -> 'text')))
          from record.battle t where id = 'b1') about`);
    const found = new Set(rows.flatMap((row) => row.columns));
    return goes.filter((column) => found.has(column));
  };
  assert.deepEqual(await recorded(), goes);
  await erasePerson(pool, { player: 'bob' });
  assert.deepEqual(await recorded(), []);
});

const sides = (second: object) => [{ participant: 'p1' }, { participant: 'p2', ...second }];

test('a feed undoes what a feed erased, and never what an operator erased', async () => {
  await begin(bobsCup, { kind: 'player', id: 'bob', erased: true });
  await importLines(client, [{ kind: 'player', id: 'bob', erased: false, name: 'Bob' }, bobsCup]);
  assert.deepEqual(await kept(), ['b1 second', 'cup p2', 'cup p3', 'reason p2']);
  await erasePerson(pool, { player: 'bob' });
  const { refusals } = await importLines(client, [
    { kind: 'player', id: 'bob', erased: false, name: 'Bob' },
    bobsCup,
  ]);
  assert.deepEqual([refusals, await kept()], [[], ['cup p3']]);
  // Erasing again changes nothing, so there is no audit entry.
  await client.query('delete from audit.entry');
  await erasePerson(pool, { player: 'bob' });
  assert.equal((await client.query('select from audit.entry')).rowCount, 0);
});

test('an erased guest stays erased, also as a player, in both ways of writing', async () => {
  await begin(bobsCup);
  await erasePerson(pool, { guest: new NamePattern('guest'), tournament: 'cup' });
  assert.deepEqual(await takeMarks(client), ['tournament cup']);
  const versions = await rowVersions(client);
  await importLines(client, [bobsCup, { kind: 'participant', tournament: 'cup', id: 'p3', name: 'G', list }]);
  await importLines(client, [
    { kind: 'player', id: 'cat', name: 'Cat' },
    { kind: 'participant', tournament: 'cup', id: 'p3', player: 'cat', list },
  ]);
  const after = await rowVersions(client);
  assert.deepEqual(
    versions.filter((row) => !after.includes(row)),
    [],
  );
  await importLines(client, [{ kind: 'remove', of: 'tournament', id: 'cup' }, bobsCup]);
  const [facts] = await readTournaments(client, ['cup']);
  const guest = facts?.participants[2];
  assert.deepEqual([guest?.playerId, guest?.name, guest?.erased], [null, null, true]);
  assert.deepEqual(await kept(), ['b1 second', 'cup p2', 'reason p2']);
});

test('an erased player whom a later feed tells as a guest stays erased, in both ways of writing', async () => {
  const asGuest = { id: 'p2', name: 'Bob', list };
  await begin(bobsCup, casual({ player: 'bob', list }, { name: 'Pascal', list }));
  await erasePerson(pool, { player: 'bob' });
  await importLines(client, [{ kind: 'participant', tournament: 'cup', ...asGuest }]);
  const [first, , last] = bobsCup.participants;
  await importLines(client, [{ ...bobsCup, participants: [first, asGuest, last] }]);
  // A corrected name of the other guest is not affected.
  await importLines(client, [casual({ player: 'bob', list }, { name: 'Pascale', list })]);
  await importLines(client, [casual({ name: 'Pascale', list }, { name: 'Bob', list })]);
  const { rows } = await client.query(`select name from record.participant where id = 'p2'
    union all select first_name || ' ' || second_name from record.battle where id = 'c1'`);
  assert.deepEqual(
    [rows.map(({ name }) => name), await kept()],
    [
      ['', 'Pascale '],
      ['c1 first', 'cup p3'],
    ],
  );
  // A feed may undo what a feed has erased, in this way as well.
  await begin(bobsCup, { kind: 'player', id: 'bob', erased: true });
  await importLines(client, [{ kind: 'participant', tournament: 'cup', ...asGuest }]);
  assert.deepEqual(await kept(), ['cup p2', 'cup p3']);
});

test('a guest of a casual battle stays erased when the sides change places; the other guest keeps the name', async () => {
  await begin(casual({ name: 'Gwen', list }, { name: 'Pascal', list }));
  await erasePerson(pool, { guest: new NamePattern('Gwen'), tournament: undefined });
  const names = async () => (await client.query('select first_name, second_name from record.battle')).rows;
  assert.deepEqual(await names(), [{ first_name: '', second_name: 'Pascal' }]);
  await importLines(client, [casual({ name: 'Pascal', list }, { name: 'Gwen', list })]);
  assert.deepEqual(
    [await names(), await kept()],
    [[{ first_name: 'Pascal', second_name: '' }], ['c1 first']],
  );
  await importLines(client, [casual({ name: 'Gwendolin', list }, { player: 'ann', list })]);
  assert.deepEqual([await names(), await kept()], [[{ first_name: '', second_name: null }], ['c1 second']]);
});

test('mentions and people of a longer or the same name are listed', async () => {
  const people = ['Bob', 'BOB', 'Bob Lee'].map((name, at) => ({ id: `p${at}`, name }));
  await begin(
    { kind: 'player', id: 'namesake', name: 'bob' },
    { kind: 'club', slug: 'bob', name: 'Bob and Bobby', website: 'https://bob.example' },
    { ...cup, slug: 'bob', stages: [], participants: people, ...empty },
    casual({ name: 'bob' }, { name: 'Bob', list: { ...list, text: 'by Bob' } }),
  );
  const person = await findPlayer(pool, 'bob');
  assert.ok(person);
  const pattern = new NamePattern('Bob');
  const { mentions } = await readDossier(pool, person, pattern);
  assert.deepEqual(
    mentions
      .flatMap(({ table, values }) =>
        table === 'audit.entry' ? [] : [`${table} ${Object.keys(values).join()}`],
      )
      .toSorted(),
    [
      'record.battle first_name,second_list,second_name',
      'record.club name,slug,website',
      'record.participant name',
      'record.participant name',
      'record.participant name',
      'record.player id',
      'record.player name',
      'record.tournament slug',
    ],
  );
  // Both guests of a casual battle may have this name.
  await begin(casual({ name: 'Gwen', list }, { name: 'gwen', list }));
  const gwen = new NamePattern('Gwen');
  const guests = await readDossier(pool, await findGuests(pool, gwen, undefined), gwen);
  assert.deepEqual([guests.goes.length, guests.mentions], [2, []]);
});
const empty = { byes: [], adjustments: [], battles: [], matches: [] };

test('a participant who becomes an erased player loses what is recorded for the participant', async () => {
  await begin(
    { ...bobsCup, participants: [cup.participants[0], { id: 'p2', name: 'Somebody' }, cup.participants[2]] },
    { kind: 'player', id: 'bob', erased: true },
  );
  assert.deepEqual(await kept(), ['b1 second', 'reason p2']);
  await importLines(client, [{ kind: 'participant', tournament: 'cup', id: 'p2', player: 'bob' }]);
  assert.deepEqual(await kept(), []);
});

const second = { ...bobsCup, slug: 'second', battles: [], matches: [] };

test('an erasure waits for an import that has begun, and erases what it recorded', async () => {
  await begin(bobsCup);
  await other.query(`begin; select from record.club where slug = 'home' for update`);
  const importing = importLines(client, [{ kind: 'club', slug: 'home', name: 'Home again' }, second]);
  await untilWaiting('transactionid');
  const erasing = erasePerson(pool, { player: 'bob' });
  await untilWaiting('advisory');
  await other.query('commit');
  await Promise.all([importing, erasing]);
  assert.deepEqual(await kept(), ['cup p3', 'second p3']);
});

test('an import waits for an erasure that has begun, and records nothing of the person', async () => {
  await begin(bobsCup);
  await other.query('begin');
  await holdErasures(other);
  const importing = importLines(client, [second, { kind: 'player', id: 'bob', name: 'Bob' }]);
  await untilWaiting('advisory');
  await other.query(`update record.player set name = null, erased = true where id = 'bob'`);
  await other.query('commit');
  assert.deepEqual((await importing).refusals, []);
  assert.deepEqual(await kept(), ['b1 second', 'cup p2', 'cup p3', 'reason p2', 'second p3']);
  // A dry run does not make an erasure wait.
  await other.query('begin');
  await holdErasures(other);
  await importLines(client, [second], { dryRun: true });
  await other.query('rollback');
});

test('people who are erased while a season is imported have nothing left', async () => {
  await emptyFacts(client);
  const records = [
    ...world({ seed: 5, battles: 600, from: dayNumber('2025-01-01'), today: dayNumber('2025-12-31') }),
  ];
  const ids = records.flatMap((record) => (record.kind === 'player' ? record.id : [])).slice(0, 40);
  const importing = importLines(client, records, { batchBytes: 20_000 });
  let isOver = false;
  void importing.finally(() => (isOver = true));
  const erased: string[] = [];
  for (const player of ids) {
    if (isOver) break;
    await eventually(async () => assert.ok(isOver || (await isRecorded(player))));
    await erasePerson(pool, { player });
    erased.push(player);
  }
  await importing;
  assert.ok(erased.length > 3, `${erased.length} were erased beside the import`);
  await importLines(client, records);
  const { rows } = await client.query(
    `select p.player, q.name, l.text from record.participant p join record.player q on q.id = p.player
      left join record.participant_list l on l.tournament_id = p.tournament_id and l.participant = p.id
      where p.player = any($1) and (q.name is not null or l.text is not null)`,
    [erased],
  );
  assert.deepEqual(rows, []);
  const { rows: all } = await client.query('select from record.participant where player = any($1)', [erased]);
  assert.ok(all.length > 0);
});

async function isRecorded(player: string): Promise<boolean> {
  return (await pool.query('select from record.player where id = $1', [player])).rowCount === 1;
}

async function untilWaiting(lock: string, asked: Pick<PoolClient, 'query'> = pool): Promise<void> {
  await eventually(async () => {
    const { rowCount } = await asked.query(
      `select from pg_locks l join pg_stat_activity a using (pid)
        where a.datname = current_database() and not l.granted and l.locktype = $1`,
      [lock],
    );
    assert.ok(rowCount);
  });
}

test('a guest who was erased under an old slug does not come back under the new one', async () => {
  await begin(bobsCup);
  await erasePerson(pool, { guest: new NamePattern('guest'), tournament: 'cup' });
  const renamed = { ...bobsCup, slug: 'renamed', ...empty, participants: bobsCup.participants.slice(0, 2) };
  const { refusals } = await importLines(client, [
    { kind: 'remove', of: 'tournament', id: 'cup' },
    renamed,
    { kind: 'moved', of: 'tournament', id: 'cup', to: 'renamed' },
    { kind: 'participant', tournament: 'renamed', id: 'p3', name: 'Guest', list },
  ] as never[]);
  assert.deepEqual(refusals, []);
  const { rows } = await client.query(`select name, list.text from record.participant p
    left join record.participant_list list on list.tournament_id = p.tournament_id and list.participant = p.id where p.id = 'p3'`);
  assert.deepEqual(rows, [{ name: '', text: null }]);
});
