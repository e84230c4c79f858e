import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wartable } from '../../harness/support/command.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { importLines } from '../../harness/support/feed.ts';
import { topCommands } from '../../harness/support/top-commands.ts';

// Every command either adds an audit entry when it changes something, or is listed with the reason why it
// does not.

const readsOnly = 'changes nothing';
const notNoted: Record<string, string> = {
  'accounts list': readsOnly,
  'audit replay': 'puts back the entries that a restore lost',
  backup: readsOnly,
  convert: readsOnly,
  demo: 'has a database of its own',
  doctor: readsOnly,
  'feed compare': readsOnly,
  'feed export': readsOnly,
  'feed schema': readsOnly,
  files: readsOnly,
  import: 'the platform that writes the feed is responsible for it',
  'keys list': readsOnly,
  migrate: 'record.migration has the names and the times',
  'players find': readsOnly,
  'players show': readsOnly,
  preview: 'has a database of its own',
  publish: 'derives documents again, and decides nothing',
  'sources expect': 'says only when an alert fires',
  'sources report': 'says only that a sheet has a mistake',
  'tournaments list': readsOnly,
  serve: 'notes only when keys were used',
  world: readsOnly,
};

/** The commands run once, in this order, and the entries that each adds are compared. */
const noted: [line: string, ...entries: string[]][] = [
  ['keys create --account Bot', 'key created | key | 1'],
  ['keys rotate 1', 'key created | key | 2', 'key rotated | key | 1'],
  ['keys revoke 1', 'key revoked | key | 1'],
  ['accounts deactivate Bot', 'account deactivated | account | 1'],
  ['accounts activate Bot', 'account activated | account | 1'],
  ['accounts set Bot --contact bot@club.example', 'account changed | account | 1'],
  ['accounts set Bot --limit 60', 'account changed | account | 1'],
  ['accounts set Bot --contact bot@club.example --limit 60'],
  ['tournaments unpublish cup', 'tournament hidden | tournament | cup'],
  ['tournaments publish cup', 'tournament shown | tournament | cup'],
  ['sources give sheet-cup --tournament cup', 'thing given | tournament | sheet-cup/cup'],
  ['sources give main --everything-of sheet-cup', 'source given | source | sheet-cup/main'],
  ['players erase bea --yes', 'player erased | player | bea'],
  ['players erase --guest Gwen --yes', 'guest erased | guest | cup/g'],
];

const database = await createTestDatabase();
const client = await database.pool.connect();
const { refusals } = await importLines(client, [
  { kind: 'club', slug: 'home', name: 'Home' },
  { kind: 'player', id: 'ann', name: 'Ann' },
  { kind: 'player', id: 'bea', name: 'Bea' },
  {
    kind: 'tournament',
    slug: 'cup',
    name: 'Cup',
    published: true,
    status: 'planned',
    battleSize: 2000,
    stages: [{ id: 'swiss', label: 'Swiss', type: 'board', rounds: 1 }],
    participants: [
      { id: 'a', player: 'ann' },
      { id: 'b', player: 'bea' },
      { id: 'g', name: 'Gwen' },
    ],
  },
]);
client.release();
assert.deepEqual(refusals, []);

test('this file knows every command', async () => {
  const names = [...(await topCommands()).values()].flatMap((top) =>
    top.commands.length === 0 ? [top.name()] : top.commands.map((each) => `${top.name()} ${each.name()}`),
  );
  const known = new Set([...Object.keys(notNoted), ...noted.map(([line]) => commandOf(line))]);
  assert.deepEqual(names.toSorted(), [...known].toSorted());
});

for (const [line, ...entries] of noted) {
  test(`${line}: ${entries.length} rows`, async () => {
    const before = await all();
    const run = await wartable(line.split(' '), { DATABASE_URL: database.url });
    assert.equal(run.code, 0, run.stderr);
    assert.deepEqual((await all()).slice(before.length).toSorted(), entries.toSorted());
  });
}

const commandOf = (line: string): string => line.split(' ').slice(0, 2).join(' ');

async function all(): Promise<string[]> {
  const { rows } = await database.pool.query<{ entry: string }>(
    "select concat_ws(' | ', action, kind, thing) as entry from audit.entry order by id",
  );
  return rows.map(({ entry }) => entry);
}
