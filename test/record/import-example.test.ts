import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCasualBattles } from '../../src/record/facts/read-battles.ts';
import { readTournaments } from '../../src/record/facts/read-facts.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import {
  allFacts,
  emptyFacts,
  exampleFeed,
  importText,
  rowVersions,
  takeMarks,
} from '../../harness/support/feed.ts';

const database = await createTestDatabase();
const client = await database.pool.connect();
atEnd(async () => client.release());

test('the example of docs/feed.md imports; the second time no row is touched and nothing is marked', async () => {
  await emptyFacts(client);
  const first = await importText(client, exampleFeed());
  assert.deepEqual(first.refusals, []);
  assert.equal(first.battles, 5);
  const marks = new Set(await takeMarks(client));
  assert.ok(
    marks.has('tournament tidewatch-open-2025') && marks.has('player bjorn') && marks.has('battle casual-7'),
  );
  const facts = await allFacts(client);
  const versions = await rowVersions(client);
  assert.ok(versions.length > 30);

  const second = await importText(client, exampleFeed());
  assert.deepEqual(second.refusals, []);
  assert.deepEqual(await rowVersions(client), versions);
  assert.deepEqual(await allFacts(client), facts);
  assert.deepEqual(await takeMarks(client), []);
});

test('facts are read back in the words of the domain', async () => {
  await emptyFacts(client);
  await importText(client, exampleFeed());
  const [open] = await readTournaments(client, ['tidewatch-open-2025', 'unknown']);
  assert.ok(open);
  assert.equal(open.startDate, '2025-06-14');
  assert.deepEqual(
    open.stages.map(({ id, members }) => [id, members.map(({ participant, seed }) => [participant, seed])]),
    [
      [
        'swiss',
        [
          ['p1', null],
          ['p2', null],
          ['p3', null],
        ],
      ],
      [
        'knockout',
        [
          ['p1', 1],
          ['p2', 2],
        ],
      ],
    ],
  );
  assert.deepEqual(
    open.participants.map(({ playerId, name, erased }) => [playerId, name, erased]),
    [
      ['ana-q', 'Ana Quiroga', false],
      ['bjorn', null, true],
      [null, 'Guest Gwen', false],
    ],
  );
  const [first] = open.battles;
  assert.deepEqual(first?.sides[0].rounds[0], {
    round: 1,
    victoryPoints: 10,
    objectivePoints: 6,
    objectives: ['North well'],
    battleTactic: 'Swift Crossing',
    battleTacticScored: true,
    priority: true,
    metrics: { 'Generals slain': 1, Painted: true },
  });
  assert.deepEqual([first?.winner, first?.battlePack?.objectives, first?.battleSize], [0, true, 2000]);
  assert.deepEqual(open.matches[0]?.players, ['p1', 'p2']);
  const [league] = await readTournaments(client, ['lantern-league']);
  assert.deepEqual([league?.groups, league?.stages[0]?.label], [['Group A', 'Group B'], 'Group Stage']);
  const [casual] = await readCasualBattles(client, ['casual-7', 'tw25-1']);
  assert.deepEqual(
    [casual?.club, casual?.sides[0].name, casual?.sides[1].name, casual?.sides[1].playerId],
    ['tidewatch', 'Chidi Eze', 'Pascal', null],
  );
});
