import assert from 'node:assert/strict';
import { test } from 'node:test';
import { computeMonths } from '../../src/publish/compute-months.ts';
import { publishAlongside } from '../../src/publish/publish-alongside.ts';
import { publishNow } from '../../src/publish/publish-now.ts';
import { publishBacklog } from '../../src/publish/publisher.ts';
import type { FeedRecord } from '../../src/record/feed/records.ts';
import { eventually } from '../../harness/support/eventually.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { importLines } from '../../harness/support/feed.ts';

// Tests when the monthly numbers of factions are computed, and by whom.
const database = await createTestDatabase();
const { pool } = database;

function event(slug: string, startDate: string | null, members: object = {}): FeedRecord {
  return {
    kind: 'tournament',
    slug,
    name: slug,
    published: true,
    status: 'finished',
    startDate,
    battleSize: 2000,
    stages: [{ id: 'swiss', label: 'Swiss', type: 'board', rounds: 3 }],
    participants: [
      { id: 'a', player: 'ann', faction: 'Ash' },
      { id: 'b', name: 'Bea', faction: 'Brine' },
    ],
    battles: [
      {
        id: `${slug}-1`,
        stage: 'swiss',
        round: 1,
        finished: true,
        winner: 'a',
        sides: [{ participant: 'a' }, { participant: 'b' }],
      },
    ],
    ...members,
  };
}

async function tell(...records: FeedRecord[]): Promise<void> {
  const client = await pool.connect();
  try {
    assert.deepEqual((await importLines(client, records)).refusals, []);
  } finally {
    client.release();
  }
}

/** Returns the months with the number of tournaments that each counts, such as `2026-03: 2`. */
async function months(): Promise<string[]> {
  const { rows } = await pool.query<{ line: string }>(
    `select to_char(month, 'YYYY-MM') || ': ' || tournaments as line from published.faction_month
      where pack = '' and not is_long order by month`,
  );
  return rows.map(({ line }) => line);
}

async function marks(): Promise<string[]> {
  const { rows } = await pool.query<{ month: string }>(
    `select distinct to_char(month, 'YYYY-MM') as month from published.faction_mark order by 1`,
  );
  return rows.map(({ month }) => month);
}

const aMinutePasses = () =>
  pool.query(`update published.faction_month set computed = computed - interval '1 minute'`);
const live = () => publishBacklog(pool, { isCalledAgain: true });

test('a command computes at once; a running publisher computes a month at most once a minute', async () => {
  await tell({ kind: 'player', id: 'ann', name: 'Ann' }, event('one', '2026-03-14'));
  await publishBacklog(pool);
  assert.deepEqual([await months(), await marks()], [['2026-03: 1'], []]);
  await tell(event('two', '2026-03-20'), event('other', '2026-05-01'));
  await live();
  assert.deepEqual([await months(), await marks()], [['2026-03: 1', '2026-05: 1'], ['2026-03']]);
  await aMinutePasses();
  await live();
  assert.deepEqual([await months(), await marks()], [['2026-03: 2', '2026-05: 1'], []]);
  await tell(event('three', '2026-03-21'));
  await publishBacklog(pool);
  assert.deepEqual(await months(), ['2026-03: 3', '2026-05: 1']);
});

test('one that moves marks both months; one that is hidden, running, undated or removed does not count', async () => {
  const moved: [FeedRecord, string[]][] = [
    [event('one', '2026-04-02'), ['2026-03: 2', '2026-04: 1', '2026-05: 1']],
    [{ kind: 'tournament', slug: 'two', published: false }, ['2026-03: 1', '2026-04: 1', '2026-05: 1']],
    [
      { kind: 'tournament', slug: 'two', published: true, status: 'ongoing' },
      ['2026-03: 1', '2026-04: 1', '2026-05: 1'],
    ],
    [{ kind: 'tournament', slug: 'three', startDate: null }, ['2026-04: 1', '2026-05: 1']],
    [{ kind: 'remove', of: 'tournament', id: 'one' }, ['2026-05: 1']],
  ];
  for (const [record, expected] of moved) {
    await tell(record);
    await publishBacklog(pool);
    assert.deepEqual(await months(), expected, JSON.stringify(record));
  }
});

test('a running publisher wakes by itself when the minute is over', async () => {
  let end = (): void => {};
  const recording = new Promise<void>((resolve) => {
    end = resolve;
  });
  await pool.query('update published.faction_month set computed = now()');
  const publishing = publishAlongside(pool, {}, recording);
  await tell(event('late', '2026-05-09'));
  await eventually(async () => assert.deepEqual(await marks(), ['2026-05']));
  assert.deepEqual(await months(), ['2026-05: 1']);
  await aMinutePasses();
  await eventually(async () => assert.deepEqual([await months(), await marks()], [['2026-05: 2'], []]));
  // When it ends, it does not wait for the minute.
  await tell(event('last', '2026-05-10'));
  end();
  await publishing;
  assert.deepEqual([await months(), await marks()], [['2026-05: 3'], []]);
});

test('a publisher that dies leaves the marks to the next one', async () => {
  await tell(event('last', '2026-05-10', { status: 'ongoing' }));
  const holder = await pool.connect();
  await holder.query("begin; select from published.list_revision where list = 'factions' for update");
  const dying = publishBacklog(pool).catch((error: unknown) => error);
  await eventually(async () => {
    const { rows } = await pool.query<{ ended: boolean }>(
      `select pg_terminate_backend(pid) as ended from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`,
    );
    assert.ok(rows.some(({ ended }) => ended));
  });
  assert.ok((await dying) instanceof Error);
  await holder.query('rollback');
  holder.release();
  assert.deepEqual([await months(), await marks()], [['2026-05: 3'], ['2026-05']]);
  await computeMonths(pool);
  assert.deepEqual([await months(), await marks()], [['2026-05: 2'], []]);
});

test('publishers side by side compute one after the other, and miss nothing', async () => {
  const publisher = async (number: number) => {
    for (const turn of [1, 2, 3, 4]) {
      const slug = `side-${number}-${turn}`;
      await tell(event(slug, '2026-06-06'));
      await publishNow(pool, [{ kind: 'tournament', key: slug }]);
    }
  };
  await Promise.all([1, 2, 3].map(publisher));
  assert.deepEqual([await months(), await marks()], [['2026-05: 2', '2026-06: 12'], []]);
});

test('a change that counts nothing differently marks nothing and moves no revision', async () => {
  const revision = async () =>
    (await pool.query("select revision from published.list_revision where list = 'factions'")).rows;
  const before = await revision();
  await tell(event('other', '2026-05-01', { description: 'New.' }), {
    kind: 'player',
    id: 'ann',
    name: 'Anna',
  });
  await live();
  assert.deepEqual([await marks(), await revision()], [[], before]);
  await tell({ kind: 'player', id: 'ann', erased: true });
  await live();
  assert.deepEqual([await marks(), await revision()], [[], before]);
});
