import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { importFeed } from '../../src/record/import.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { cup, ground } from '../../harness/support/cup.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { emptyFacts, importLines, rowVersions } from '../../harness/support/feed.ts';

const database = await createTestDatabase();
const client = await database.pool.connect();
atEnd(async () => client.release());

test('an event of 1,000 players and 8 rounds is one record and one transaction', async () => {
  await emptyFacts(client);
  const participants = Array.from({ length: 1000 }, (_, index) => ({
    id: `p${index}`,
    name: `Guest ${index}`,
  }));
  const battles = Array.from({ length: 4000 }, (_, index) => {
    const [round, table] = [Math.floor(index / 500), index % 500];
    const sides = [
      { participant: `p${table * 2}`, victoryPoints: 20 },
      { participant: `p${(table * 2 + 1 + round * 2) % 1000}`, victoryPoints: 9 },
    ];
    return {
      id: `major-${index}`,
      stage: 'swiss',
      round: round + 1,
      table: table + 1,
      finished: true,
      winner: `p${table * 2}`,
      sides,
    };
  });
  const major = {
    kind: 'tournament',
    slug: 'major',
    published: true,
    name: 'Major',
    status: 'finished',
    battleSize: 2000,
    stages: [{ id: 'swiss', label: 'Swiss', type: 'board', rounds: 8 }],
    participants,
    battles,
  };
  const imported = await importLines(client, [major]);
  assert.deepEqual([imported.refusals, imported.battles], [[], 4000]);
  const { rows } = await client.query(
    'select count(distinct xmin::text)::int as transactions, count(*)::int as rows from (select xmin from record.battle union all select xmin from record.participant) r',
  );
  assert.deepEqual(rows, [{ transactions: 1, rows: 5000 }]);
  const versions = await rowVersions(client);
  await importLines(client, [major]);
  assert.deepEqual(await rowVersions(client), versions);
});

/** Calls `seen` with every statement that the client is given while `work` runs. */
async function watching(
  seen: (text: string, values: unknown[]) => void,
  work: () => Promise<unknown>,
): Promise<void> {
  const query = client.query.bind(client) as (...given: unknown[]) => unknown;
  const spy = mock.method(client, 'query', (...given: unknown[]) => {
    const [asked] = given as [string | { text: string; values?: unknown[] }];
    if (typeof asked === 'string') seen(asked, []);
    else seen(asked.text, asked.values ?? []);
    return query(...given);
  });
  try {
    await work();
  } finally {
    spy.mock.restore();
  }
}

test('no statement carries more than a few megabytes, however long the lists', async () => {
  await emptyFacts(client);
  const heavy = (letter: string): Record<string, unknown> => ({
    ...cup,
    battles: [],
    matches: [],
    participants: [
      ...cup.participants,
      ...Array.from({ length: 500 }, (_, index) => ({
        id: `h${index}`,
        name: 'Heavy',
        list: { ...cup.participants[1]?.list, text: letter.repeat(20_000) },
      })),
    ],
  });
  await importLines(client, [...ground, heavy('a')]);
  let longest = 0;
  await watching(
    (_, values) => {
      for (const value of values) if (typeof value === 'string') longest = Math.max(longest, value.length);
    },
    () => importLines(client, [heavy('b')]),
  );
  assert.ok(longest > 1_000_000 && longest < 5_000_000, `${longest} characters in one statement`);
  const { rows } = await client.query(
    `select count(*)::int as n from record.participant_list where text like 'b%'`,
  );
  assert.deepEqual(rows, [{ n: 500 }]);
});

test('while a very heavy batch is written nothing more is read', async () => {
  for (const [name, order] of [
    ['long '.repeat(40), ['commit', 'read', 'commit']],
    ['short', ['read', 'commit', 'commit']],
  ] as const) {
    await emptyFacts(client);
    const happened: string[] = [];
    async function* chunks(): AsyncGenerator<Buffer> {
      yield Buffer.from(`${JSON.stringify({ kind: 'club', slug: 'a', name })}\n`);
      happened.push('read');
      yield Buffer.from(`${JSON.stringify({ kind: 'club', slug: 'b', name })}\n`);
    }
    await watching(
      (text) => {
        if (text === 'commit') happened.push(text);
      },
      () =>
        importFeed(client, [{ name: 'feed', chunks: chunks() }], {
          batchBytes: 30,
          onRefusal: () => assert.fail(),
        }),
    );
    assert.deepEqual(happened, order);
  }
});

test('lines that trickle in without a pause are recorded as they come', async () => {
  const count = { sent: 0, recorded: 0 };
  async function* lines(): AsyncGenerator<Buffer> {
    // This ends only when something has been recorded.
    for (; count.sent < 100 || count.recorded === 0; count.sent += 1) {
      yield Buffer.from(`{"kind":"club","slug":"trickle-${count.sent}","name":"Club"}\n`);
      await sleep(10);
    }
  }
  await importFeed(client, [{ name: 'feed', chunks: lines(), live: true }], {
    onRefusal: () => assert.fail(),
    onProgress: ({ records }) => (count.recorded = records),
  });
  assert.equal(count.recorded, count.sent);
});
