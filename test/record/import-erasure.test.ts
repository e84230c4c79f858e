import assert from 'node:assert/strict';
import { test } from 'node:test';
import { warningLine } from '../../src/record/feed/warning.ts';
import type { FeedRecord } from '../../src/record/feed/records.ts';
import type { ImportOptions } from '../../src/record/import.ts';
import { readPlayers, readTournaments } from '../../src/record/facts/read-facts.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { cup, ground } from '../../harness/support/cup.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { allFacts, emptyFacts, importLines, rowVersions, takeMarks } from '../../harness/support/feed.ts';

const database = await createTestDatabase();
const client = await database.pool.connect();
atEnd(async () => client.release());

test('erasing removes the name everywhere and sticks until it is undone outright', async () => {
  await emptyFacts(client);
  await importLines(client, [...ground, cup, { kind: 'remove', of: 'player', id: 'bob' }]);
  assert.ok(!JSON.stringify(await allFacts(client)).includes('Bob'));
  assert.deepEqual(await importLines(client, ground).then(({ refusals: refused }) => refused), []);
  assert.deepEqual(await readPlayers(client, ['bob']), [{ playerId: 'bob', name: null, erased: true }]);
  const [facts] = await readTournaments(client, ['cup']);
  assert.deepEqual(
    facts?.battles[0]?.sides.map(({ name, erased }) => [name, erased]),
    [
      ['Ann', false],
      [null, true],
    ],
  );
  const nameless = await importLines(client, [{ kind: 'player', id: 'bob', erased: false }]);
  assert.deepEqual(nameless.refusals, [
    'feed:1: name: expected a name for a player who is no longer erased, found nothing',
  ]);
  await importLines(client, [{ kind: 'player', id: 'bob', erased: false, name: 'Bob' }]);
  assert.deepEqual(await readPlayers(client, ['bob']), [{ playerId: 'bob', name: 'Bob', erased: false }]);
});

test('a player who is erased before they are known stays erased when they come', async () => {
  await emptyFacts(client);
  await takeMarks(client);
  const removal = { kind: 'remove', of: 'player', id: 'cat' };
  assert.deepEqual((await importLines(client, [removal])).refusals, []);
  assert.deepEqual(await readPlayers(client, ['cat']), [{ playerId: 'cat', name: null, erased: true }]);
  assert.deepEqual(await takeMarks(client), ['player cat']);
  const versions = await rowVersions(client);
  await importLines(client, [removal, { kind: 'player', id: 'cat', name: 'Cat' }]);
  assert.deepEqual([await rowVersions(client), await takeMarks(client)], [versions, []]);
});

test('a removal of a player whom something published names says how much, and is refused by --strict', async () => {
  await emptyFacts(client);
  const casual = { kind: 'battle', id: 'casual', battleSize: 1, sides: [{ name: 'X' }, { player: 'bob' }] };
  const other = {
    kind: 'tournament',
    name: 'Other',
    status: 'planned',
    battleSize: 1,
    tournamentOrganizers: ['bob'],
  };
  const others = [
    { ...other, slug: 'run-by-bob', published: true },
    { ...other, slug: 'hidden', published: false, participants: [{ id: 'p1', player: 'bob' }] },
  ];
  assert.deepEqual(await told([...ground, cup, casual, ...others]), []);
  const removal = { kind: 'remove', of: 'player', id: 'bob' };
  const message =
    'id: expected a player that nothing published names, because remove erases their name everywhere, found "bob"';
  const found = `${message} in 2 tournaments and ${cup.battles.length + 1} battles, such as tournament "cup"`;

  assert.deepEqual(await told([removal], { strict: true }), [`feed:1: ${found}`]);
  assert.deepEqual(await readPlayers(client, ['bob']), [{ playerId: 'bob', name: 'Bob', erased: false }]);
  assert.deepEqual(await told([removal], { dryRun: true }), [`feed:1: warning: ${found}`]);
  assert.deepEqual(await told([removal]), [`feed:1: warning: ${found}`]);
  assert.deepEqual(await readPlayers(client, ['bob']), [{ playerId: 'bob', name: null, erased: true }]);
  // These are already erased, not known, not shown by anything published, or erased outright.
  const known = ['dan', 'eve'].map((id) => ({ kind: 'player', id, name: 'D' }));
  const entered = { kind: 'participant', tournament: 'hidden', id: 'p9', player: 'dan' };
  const quiet = ['bob', 'nobody', 'dan', 'eve'].map((id) => ({ ...removal, id }));
  const outright = { kind: 'player', id: 'ann', erased: true };
  assert.deepEqual(await told([...known, entered, ...quiet, outright], { strict: true }), []);
});

test('a move says which guests it erases and why, in the order of the platform page, also in a dry run', async () => {
  await emptyFacts(client);
  await client.query('truncate record.erased_guest');
  const guests = ['Guest', 'Gwen', 'Gil'].map((name, at) => ({ id: `p${at + 3}`, name }));
  const [ann, bob] = cup.participants;
  const event = { ...cup, participants: [ann, bob, ...guests] };
  await importLines(client, [...ground, event]);
  const erased = ['p3', 'p4'].map((id) => ({ kind: 'participant', tournament: 'cup', id, erased: true }));
  assert.deepEqual(await told(erased), []);
  const renamed = [
    { ...event, slug: 'renamed' },
    { kind: 'remove', of: 'tournament', id: 'cup' },
    { kind: 'moved', of: 'tournament', id: 'cup', to: 'renamed' },
  ];
  const warning =
    'feed:3: warning: to: expected no name of a guest who was erased as a guest of "cup", found participants "p3", "p4" of "renamed": they are erased here, too';
  assert.deepEqual(await told(renamed, { dryRun: true }), [warning]);
  // Strictness does not bring an erased person back.
  assert.deepEqual(await told(renamed, { strict: true }), [warning]);
  const [facts] = await readTournaments(client, ['renamed']);
  assert.deepEqual(
    facts?.participants.map(({ id, name }) => [id, name]),
    [
      ['p1', 'Ann'],
      ['p2', 'Bob'],
      ['p3', null],
      ['p4', null],
      ['p5', 'Gil'],
    ],
  );
  assert.deepEqual(await told(renamed.slice(2)), []);
});

/** Returns the warnings and the refusals. */
async function told(records: object[], options: Partial<ImportOptions> = {}): Promise<string[]> {
  const lines: string[] = [];
  const remarks: ImportOptions['remarks'] = {
    onWarnings: (file, line, warnings) =>
      lines.push(...warnings.map((warning) => warningLine(file, line, warning))),
    onTournamentWarnings: () => {},
    onTournaments: () => {},
  };
  const { refusals } = await importLines(client, records as FeedRecord[], { ...options, remarks });
  return [...lines, ...refusals];
}
