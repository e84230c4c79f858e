import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Found, search, searchRange } from '../../src/read/search.ts';
import { publishFeed } from '../support/publish-feed.ts';
import { createTestDatabase } from '../support/database.ts';

const database = await createTestDatabase();
/** The longest name that a feed may have, of characters of four bytes. */
const long = '𐐀'.repeat(200);

async function find(query: string): Promise<string[]> {
  const range = searchRange(query);
  if (range === null) return [];
  const { rows } = await database.pool.query<Found>(search.text, range);
  return rows.map(({ kind, key, label }) => `${kind} ${key} ${label}`);
}

test('search finds what is published, by every word, and forgets it', async () => {
  await publishFeed(database.pool, [
    { kind: 'club', slug: 'ibaneta', name: 'Club Ibañeta' },
    { kind: 'club', slug: 'x'.repeat(100), name: long },
    { kind: 'player', id: 'ibai', name: 'Ibai O’Brien' },
    { kind: 'player', id: 'unseen', name: 'Ibai Unseen' },
    {
      kind: 'tournament',
      slug: 'open',
      published: true,
      name: 'Iban Open',
      status: 'planned',
      battleSize: 1000,
      participants: [{ id: 'a', player: 'ibai' }],
    },
  ]);
  assert.deepEqual(await find('IBA'), [
    'player ibai Ibai O’Brien',
    'tournament open Iban Open',
    'club ibaneta Club Ibañeta',
  ]);
  assert.deepEqual(await find('obr'), []);
  assert.deepEqual(await find('o br'), ['player ibai Ibai O’Brien']);
  assert.deepEqual(await find(long), [`club ${'x'.repeat(100)} ${long}`]);
  assert.deepEqual(await find('i'), []);
  // The old rows are found by the name in the old document, whatever it has in it.
  await publishFeed(database.pool, [
    { kind: 'club', slug: 'ibaneta', name: 'Iba "x", \\ \n "name":"y"' },
    { kind: 'tournament', slug: 'open', name: '"Iba\\"' },
  ]);
  assert.equal((await find('iba')).length, 3);
  await publishFeed(database.pool, [
    { kind: 'club', slug: 'ibaneta', name: 'Club Ibaneta' },
    { kind: 'tournament', slug: 'open', published: false },
  ]);
  assert.deepEqual(await find('iba'), ['club ibaneta Club Ibaneta']);
});
