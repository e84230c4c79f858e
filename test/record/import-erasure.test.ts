import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPlayers, readTournaments } from '../../src/record/facts/read-facts.ts';
import { atEnd } from '../support/at-end.ts';
import { cup, ground } from '../support/cup.ts';
import { createTestDatabase } from '../support/database.ts';
import { allFacts, emptyFacts, importLines, rowVersions, takeMarks } from '../support/feed.ts';

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
