import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atEnd } from '../../harness/support/at-end.ts';
import { battle, cup, ground } from '../../harness/support/cup.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import {
  allFacts,
  emptyFacts,
  importLines,
  importText,
  rowVersions,
  takeMarks,
} from '../../harness/support/feed.ts';
import { malformedOrContradicting } from './refused-records/malformed-or-contradicting.ts';
import { missingOrUnknown } from './refused-records/missing-or-unknown.ts';

const database = await createTestDatabase();
const client = await database.pool.connect();
atEnd(async () => client.release());

test('every refusal names its line, path, expectation and finding; nothing of it is recorded, its neighbours are', async () => {
  for (const [what, record, message] of [...missingOrUnknown, ...malformedOrContradicting]) {
    await emptyFacts(client);
    await importLines(client, [
      ...ground,
      cup,
      {
        kind: 'battle',
        tournament: 'cup',
        id: 'b3',
        stage: 'swiss',
        round: 3,
        sides: [
          { participant: 'p1', metrics: { Slain: 2 } },
          {
            participant: 'p3',
            faction: 'Marrow Choir',
            rounds: [{ round: 1, metrics: { Painted: true } }],
          },
        ],
      },
      {
        kind: 'tournament',
        slug: 'dated',
        published: true,
        name: 'D',
        status: 'planned',
        battleSize: 1,
        startDate: '2025-05-05',
        endDate: '2025-05-06',
      },
      { kind: 'battle', id: 'casual', battleSize: 1, sides: [{ player: 'ann' }, { name: 'G' }] },
    ]);
    const before = await allFacts(client);
    await takeMarks(client);

    const imported = await importLines(client, [
      { kind: 'player', id: 'before', name: 'Before' },
      typeof record === 'string' ? record : { ...record },
      { kind: 'player', id: 'zz-after', name: 'After' },
    ]);
    assert.deepEqual(imported.refusals.join('\n'), `feed:2: ${message}`, what);
    assert.deepEqual([imported.records, imported.refused], [2, 1], what);
    const after = await allFacts(client);
    const added = after['record.player']?.filter((row) => !before['record.player']?.includes(row));
    assert.equal(added?.length, 2, what);
    assert.deepEqual({ ...after, 'record.player': before['record.player'] }, before, what);
    assert.deepEqual((await takeMarks(client)).toSorted(), ['player before', 'player zz-after'], what);
  }
});

test('lines that are too long, cut off, or in the wrong encoding are refused; the lines around them are taken', async () => {
  await emptyFacts(client);
  const long = JSON.stringify({ kind: 'club', slug: 'long', name: 'L', description: 'x'.repeat(3000) });
  const { refusals: refused, records } = await importLines(
    client,
    [
      { kind: 'club', slug: 'a', name: 'A' },
      long,
      '',
      { kind: 'club', slug: 'b', name: 'B' },
      Buffer.from([0xff]),
    ],
    { longestLine: 1000 },
  );
  assert.deepEqual(refused, [
    'feed:2: expected a line of at most 1000 bytes, found a longer one',
    'feed:5: expected UTF-8, found other bytes',
  ]);
  assert.equal(records, 2);
  const cut = await importText(
    client,
    '{"kind":"club","slug":"c","name":"C"}\n{"kind":"club","slug":"d","na',
  );
  assert.deepEqual(cut.refusals, ['feed:2: expected a whole record, found the end of the file within it']);
  assert.equal((await importText(client, '{"kind":"club","slug":"e","name":"E"}')).records, 1);
});

test('a dry run refuses what an import refuses, references within the feed included, and records nothing', async () => {
  await emptyFacts(client);
  const feed = [...ground, cup, battle({ stage: 'placement-3' }), { kind: 'remove', of: 'club', id: 'home' }];
  const dry = await importLines(client, feed, { dryRun: true });
  assert.deepEqual(await rowVersions(client), []);
  assert.deepEqual(await takeMarks(client), []);
  const real = await importLines(client, feed);
  assert.deepEqual(dry.refusals, real.refusals);
  assert.deepEqual([dry.records, dry.refused], [5, 2]);
});

test('with stop-on-error everything before the first refusal is recorded and nothing after it', async () => {
  for (const bad of [
    { kind: 'participant', tournament: 'none', id: 'x', name: 'X' },
    '{',
    { kind: 'battle', id: 'b1', battleSize: 1, sides: [{ name: 'A' }, { name: 'B' }] },
  ]) {
    await emptyFacts(client);
    const feed = [...ground, cup, bad, { kind: 'player', id: 'after', name: 'After' }, '{'];
    const { refusals: refused, records } = await importLines(client, feed, { stopOnError: true });
    assert.equal(refused.length, 1);
    assert.match(refused[0] ?? '', /^feed:6: /);
    assert.equal(records, 5);
    const facts = await allFacts(client);
    assert.equal(facts['record.player']?.length, 2);
    assert.equal(facts['record.tournament']?.length, 1);
  }
});
