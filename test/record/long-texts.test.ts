// A text in the feed has at most 20,000 bytes, unless it equals the recorded one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atEnd } from '../../harness/support/at-end.ts';
import { battle, cup, ground } from '../../harness/support/cup.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { allFacts, emptyFacts, importLines, rowVersions, takeMarks } from '../../harness/support/feed.ts';

const database = await createTestDatabase();
const client = await database.pool.connect();
atEnd(async () => client.release());

/** A text with three bytes per character, which has 20,000 bytes in fewer than 7,000 characters. */
const longest = `${'⚔'.repeat(6_666)}ab`;
const long = `${longest}c`;
const list = (text: string) => ({
  faction: 'Moth Parliament',
  subFaction: '',
  points: 1,
  battleTacticCards: [],
  text,
});
const casual = (text: string, more: object = {}) => ({
  kind: 'battle',
  id: 'c1',
  battleSize: 1000,
  sides: [{ player: 'ann' }, { player: 'bob', list: list(text), ...more }],
});
const guest = (text: string) => ({ id: 'p3', name: 'Guest', list: list(text) });
const entered = (text: string) => [...cup.participants.slice(0, 2), guest(text)];
const played = (text: string) =>
  cup.battles.with(0, {
    ...cup.battles[0],
    sides: [{ participant: 'p1', list: list(text) }, { participant: 'p2' }],
  } as never);

/** Returns a record for every path at which a long text can occur, and the path. */
const places = (text: string): [object, string][] => [
  [{ kind: 'club', slug: 'home', description: text }, 'description'],
  [{ kind: 'club', slug: 'new', name: 'New', description: text }, 'description'],
  [{ kind: 'tournament', slug: 'cup', description: text }, 'description'],
  [{ ...cup, slug: 'new', battles: [], matches: [], description: text }, 'description'],
  [{ kind: 'tournament', slug: 'cup', participants: entered(text) }, 'participants[2].list.text'],
  [
    { ...cup, slug: 'new', battles: [], matches: [], participants: entered(text) },
    'participants[2].list.text',
  ],
  [{ kind: 'participant', tournament: 'cup', ...guest(text) }, 'list.text'],
  [{ kind: 'tournament', slug: 'cup', battles: played(text) }, 'battles[0].sides[0].list.text'],
  [battle({ sides: [{ participant: 'p1' }, { participant: 'p3', list: list(text) }] }), 'sides[1].list.text'],
  [casual(text), 'sides[1].list.text'],
];

test('a longer text is refused with its path, the limit and its size; its neighbours are recorded', async () => {
  const beside = { kind: 'club', slug: 'beside', name: 'Beside' };
  for (const [index, [record, path]] of places(long).entries()) {
    await emptyFacts(client);
    await importLines(client, [...ground, cup, beside]);
    const expected = await allFacts(client);
    await emptyFacts(client);
    await importLines(client, [...ground, cup]);
    const { refusals, records } = await importLines(client, [record as never, beside]);
    assert.deepEqual(refusals, [`feed:1: ${path}: expected at most 20000 bytes, found 20001`], `${index}`);
    assert.equal(records, 1);
    assert.deepEqual(await allFacts(client), expected);
  }
});

test('a text of exactly 20,000 bytes is recorded', async () => {
  for (const [record] of places(longest)) {
    await emptyFacts(client);
    assert.deepEqual((await importLines(client, [...ground, cup, record as never])).refusals, []);
    assert.ok(JSON.stringify(await allFacts(client)).includes(longest));
  }
});

test('a longer text that is recorded stays, and the same feed changes nothing', async () => {
  const feed = (text: string) => [
    ...ground,
    { kind: 'club', slug: 'home', description: text },
    { ...cup, description: text, participants: entered(text), battles: played(text) },
    { kind: 'participant', tournament: 'cup', ...guest(text) },
    { kind: 'battle', tournament: 'cup', ...played(text)[0] },
    casual(text),
  ];
  await emptyFacts(client);
  assert.deepEqual((await importLines(client, feed('short'))).refusals, []);
  // As recorded by a version without the limit.
  for (const statement of [
    `update record.club set description = $1 where description = 'short'`,
    `update record.tournament set description = $1`,
    `update record.participant_list set text = $1 where text = 'short'`,
    `update record.battle set first_list = first_list || jsonb_build_object('text', $1::text)
      where first_list is not null`,
    `update record.battle set second_list = second_list || jsonb_build_object('text', $1::text)
      where second_list is not null`,
  ])
    assert.notEqual((await client.query(statement, [long])).rowCount, 0);
  await takeMarks(client);
  const versions = await rowVersions(client);
  assert.deepEqual((await importLines(client, feed(long).slice(1))).refusals, []);
  assert.deepEqual([await rowVersions(client), await takeMarks(client)], [versions, []]);
  // Another member changes at the same time, and the sides are swapped.
  assert.deepEqual(
    (
      await importLines(client, [
        { kind: 'club', slug: 'home', description: long, city: 'Brest' },
        { ...casual(''), sides: casual(long).sides.toReversed() },
      ])
    ).refusals,
    [],
  );
  assert.deepEqual(await takeMarks(client), ['club home', 'battle c1']);
  // Another long text differs from the recorded one.
  const { refusals } = await importLines(client, feed(`${long}!`).slice(5));
  assert.deepEqual(
    refusals.map((refusal) => refusal.replace(/: expected .*/, '')),
    ['feed:1: description', 'feed:2: list.text', 'feed:3: sides[0].list.text', 'feed:4: sides[1].list.text'],
  );
});

test('a long list of an erased person is accepted and not recorded', async () => {
  await emptyFacts(client);
  const erased = { kind: 'player', id: 'bob', erased: true };
  const bobs = (text: string) => ({
    ...cup,
    participants: cup.participants.with(1, { id: 'p2', player: 'bob', list: list(text) }),
    battles: [
      { ...cup.battles[0], sides: [{ participant: 'p1' }, { participant: 'p2', list: list(text) }] },
      cup.battles[1],
    ],
  });
  const feed = [...ground, erased, bobs(long), casual(long)];
  assert.deepEqual((await importLines(client, feed)).refusals, []);
  assert.ok(!JSON.stringify(await allFacts(client)).includes('⚔'));
  await takeMarks(client);
  const versions = await rowVersions(client);
  assert.deepEqual((await importLines(client, feed)).refusals, []);
  assert.deepEqual([await rowVersions(client), await takeMarks(client)], [versions, []]);
});

test('--stop-on-error and --dry-run refuse it, too', async () => {
  await emptyFacts(client);
  await importLines(client, [...ground, cup]);
  const lines = [casual('short'), { ...casual(long), id: 'c2' }, { ...casual('short'), id: 'c3' }];
  const refusal = ['feed:2: sides[1].list.text: expected at most 20000 bytes, found 20001'];
  const tried = await importLines(client, lines, { dryRun: true });
  assert.deepEqual([tried.refusals, tried.records], [refusal, 2]);
  const stopped = await importLines(client, lines, { stopOnError: true });
  assert.deepEqual([stopped.refusals, stopped.records], [refusal, 1]);
});
