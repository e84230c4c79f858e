import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { LastingClient } from '../../src/database/lasting-client.ts';
import { createPool, inTransaction, type Pool } from '../../src/database/pool.ts';
import { publishBacklog } from '../../src/publish/publisher.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { importLines } from '../../harness/support/feed.ts';
import { endOf, openImport } from '../../harness/support/open-import.ts';
import { eventually } from '../../harness/support/server.ts';

// A session that stalls in the middle of a transaction must not block the others for ever.
const database = await createTestDatabase();
const login = await database.loginAs('wartable_publish');
const otherLogin = await database.loginAs('wartable_publish');
const told: string[] = [];
const pool = createPool(login, {
  applicationName: 'wartable-test',
  size: 4,
  lockWatch: { tell: (line) => told.push(line), tellAfterMs: 200, endAfterMs: 1_000 },
});
atEnd(() => pool.end());

test('a stopped importer is named and, after the bound, ended; it goes on when it wakes up', async () => {
  const cup = {
    kind: 'tournament',
    slug: 'cup',
    published: true,
    name: 'Cup',
    status: 'ongoing',
    battleSize: 1000,
    stages: [{ id: 'swiss', label: 'Swiss', type: 'board', rounds: 1 }],
    participants: [{ id: 'a', name: 'A' }],
  };
  const stopped = openImport({ DATABASE_URL: login });
  // The lock stops the importer inside its transaction, just before it begins to COPY.
  await holding('lock table record.participant in share mode', async () => {
    stopped.stdin.write(`${JSON.stringify(cup)}\n`);
    await eventually(async () => assert.equal(await stateOfCommand('Lock'), 'relation'));
    stopped.child.kill('SIGSTOP');
  });
  await eventually(async () => assert.equal(await stateOfCommand('Client'), 'ClientRead'));

  const client = await LastingClient.connect(pool, { patienceMs: 5_000, tell: () => {} });
  const began = Date.now();
  const { records, refusals } = await importLines(client, [{ ...cup, name: 'Cup of the other' }], {
    lockWatch: pool.lockWatch,
  });
  client.release();
  assert.deepEqual([records, refusals], [1, []]);
  assert.ok(Date.now() - began >= 1_000, 'it was ended too soon');
  await eventually(async () => assert.equal(told.length, 2, told.join('\n')));
  assert.match(
    told[0] ?? '',
    /^waiting for a lock that session \d+ \(wartable-command, login \w+, active\) holds\. If it stands still for 1 s, it is ended\.$/,
  );
  assert.match(told[1] ?? '', /^ended session \d+ \(.*\): it stood still for 1 s and held a lock\.$/);

  stopped.child.kill('SIGCONT');
  stopped.stdin.end();
  const { code, stdout, stderr } = await endOf(stopped);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^1 recorded \([^)]*; 0 battles\), 0 refused/);
});

test('a publisher ends a stopped publisher', async () => {
  await importLines(await connect(login), [{ kind: 'club', slug: 'waiting', name: 'Waiting' }]);
  told.length = 0;
  const stopped = await connect(login, 'wartable-command');
  await stopped.query(`begin; select pg_advisory_xact_lock(hashtextextended('owners', 0))`);
  assert.equal((await publishBacklog(pool)).failed.length, 0);
  const { rowCount } = await database.pool.query(`select from published.club where slug = 'waiting'`);
  assert.equal(rowCount, 1);
  // The answer to the session that ended it may arrive after the publisher has continued.
  await eventually(async () =>
    assert.deepEqual(
      told.map((line) => line.split(' ')[0]),
      ['waiting', 'ended'],
    ),
  );
});

test('a session that shows signs of life is not ended, inside COPY, too', async () => {
  const alive = await connect(login, 'wartable-command');
  await alive.query('begin');
  await alive.query(lock);
  const waiting = waitFor(pool);
  const copy = alive.query(copyFrom('copy record.player (id, name, source) from stdin'));
  for (let row = 0; row < 25; row += 1) {
    copy.write(`${`p${row}`.padEnd(10, '-')}\tName\tmain\n`);
    await sleep(100);
  }
  await new Promise((resolve) => copy.end(resolve));
  for (let query = 0; query < 25; query += 1) {
    await alive.query('select 1');
    await sleep(100);
  }
  await alive.query('rollback');
  assert.deepEqual(await waiting, ['waiting']);
});

for (const [whose, blocker] of [
  ['another login', () => connect(otherLogin, 'wartable-command')],
  ['another program', () => connect(login, 'psql')],
] as const) {
  test(`a session of ${whose} is named once and never ended`, async () => {
    const other = await blocker();
    await other.query('begin');
    await other.query(lock);
    const waits = [waitFor(pool), waitFor(pool)];
    await sleep(2_500);
    await other.query('rollback');
    await Promise.all(waits);
    // The second one also waits for the first, and may name it if the first holds the lock for a moment.
    const named = told.filter((line) => line.endsWith('holds. Wait for it, or end it.'));
    assert.equal(named.length, 1, told.join('\n'));
    assert.ok(!told.some((line) => line.startsWith('ended')));
  });
}

test('a transaction asks nothing on a second connection before it has waited', async (t) => {
  const patient = createPool(login, {
    applicationName: 'wartable-test',
    size: 1,
    lockWatch: { tell: () => {}, tellAfterMs: 60_000, endAfterMs: 60_000 },
  });
  const asked = [patient, pool].map((each) => t.mock.method(each, 'query').mock);
  for (const each of [patient, pool])
    await inTransaction(each, async (client) => client.query('select pg_sleep(0.3)'));
  await patient.end();
  assert.deepEqual(
    asked.map((calls) => calls.callCount() > 0),
    [false, true],
  );
});

const lock = 'select pg_advisory_xact_lock(4711)';

/** Returns the first words of the lines that were printed in the meantime. */
async function waitFor(waitingPool: Pool): Promise<string[]> {
  told.length = 0;
  await inTransaction(waitingPool, (client) => client.query(lock));
  return told.map((line) => line.split(' ')[0] ?? '');
}

async function connect(url: string, application = 'test'): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: application });
  client.on('error', () => {});
  await client.connect();
  atEnd(() => client.end());
  return client;
}

async function holding(statement: string, work: () => Promise<void>): Promise<void> {
  const client = await database.pool.connect();
  try {
    await client.query('begin');
    await client.query(statement);
    await work();
  } finally {
    await client.query('rollback');
    client.release();
  }
}

/** Returns the wait event of the importer's backend that is in a transaction. */
async function stateOfCommand(type: string): Promise<string | undefined> {
  const { rows } = await database.pool.query<{ event: string }>(
    `select wait_event as event from pg_stat_activity
      where datname = current_database() and application_name = 'wartable-command' and state = 'active'
        and wait_event_type = $1 and query like 'copy%'`,
    [type],
  );
  return rows[0]?.event;
}
