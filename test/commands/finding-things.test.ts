import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wartable } from '../../harness/support/command.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { exampleFeed } from '../../harness/support/feed.ts';

const database = await createTestDatabase();
const environment = { DATABASE_URL: await database.loginAs('wartable_publish') };
await wartable(['import', '-'], environment, exampleFeed());
await database.pool.query(`update record.tournament set published = false where slug = 'lantern-league'`);

test('players find has the ids of players and the places of guests, in any spelling', async () => {
  const find = async (name: string): Promise<unknown> => {
    const { stdout } = await wartable(['players', 'find', name, '--json'], environment);
    return JSON.parse(stdout);
  };
  const ana = { player: 'ana-q', name: 'Ana Quiroga', tournament: null, battle: null };
  assert.deepEqual(await find('ana quiroga'), [ana]);
  assert.deepEqual(await find('QUÍROGA'), [ana]);
  assert.deepEqual(await find('Bjorn'), []);
  assert.deepEqual(await find('Chidi'), [
    { player: 'chidi', name: 'Chidi Eze', tournament: null, battle: null },
  ]);
  await database.pool.query(`update record.player set name = 'Núria D’Ávila' where id = 'chidi'`);
  assert.deepEqual(await find('nuria d avila'), [
    { player: 'chidi', name: 'Núria D’Ávila', tournament: null, battle: null },
  ]);
  const gwen = { player: null, name: 'Guest Gwen', battle: null };
  assert.deepEqual(await find('Gwen'), [
    { ...gwen, tournament: 'lantern-league' },
    { ...gwen, tournament: 'tidewatch-open-2025' },
  ]);
  assert.deepEqual(await find('pascal'), [
    { player: null, name: 'Pascal', tournament: null, battle: 'casual-7' },
  ]);
  const none = await wartable(['players', 'find', 'Nobody'], environment);
  assert.deepEqual([none.code, none.stdout], [1, '']);
});

test('tournaments list shows what is published, and drafts on demand', async () => {
  const slugs = async (...args: string[]): Promise<string[]> => {
    const { stdout } = await wartable(['tournaments', 'list', '--json', ...args], environment);
    return (JSON.parse(stdout) as { slug: string }[]).map(({ slug }) => slug);
  };
  assert.deepEqual(await slugs(), ['tidewatch-open-2025']);
  assert.deepEqual(await slugs('--drafts'), ['lantern-league', 'tidewatch-open-2025']);
  const { stdout } = await wartable(['tournaments', 'list', '--drafts'], environment);
  assert.match(stdout, /^lantern-league +2025-09-06 +ongoing +no +Lantern League$/m);
});
