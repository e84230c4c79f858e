import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LockWatch } from '../../src/database/lock-watch.ts';
import { createPool } from '../../src/database/pool.ts';
import { LastingClient } from '../../src/database/lasting-client.ts';
import { importFeed } from '../../src/record/import.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { cuttingProxy } from '../../harness/support/cutting-proxy.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { importLines } from '../../harness/support/feed.ts';
import { endOf, openImport } from '../../harness/support/open-import.ts';
import { eventually } from '../../harness/support/server.ts';

// An import that follows a pipe continues when its connection, its database or another import fails.
const database = await createTestDatabase();
const login = await database.loginAs('wartable_publish');
const environment = { DATABASE_URL: login };
const proxy = await cuttingProxy(login);
atEnd(() => proxy.close());

const club = (slug: string) => JSON.stringify({ kind: 'club', slug, name: slug });
const guest = (id: string) => ({ id, name: id });
const cup = (slug: string) => ({
  kind: 'tournament',
  slug,
  published: true,
  name: slug,
  status: 'ongoing',
  battleSize: 1000,
  stages: [{ id: 'swiss', label: 'Swiss', type: 'board', rounds: 1 }],
  participants: [guest('a'), guest('b')],
});

test('a terminated backend does not end an import: it reconnects and records the rest', async () => {
  const open = openImport(environment);
  open.stdin.write(`${club('before')}\n`);
  await isRecorded('before');
  await terminateCommands();
  open.stdin.write(`${club('between')}\n`);
  await isRecorded('between');
  await terminateCommands();
  open.stdin.end(`${club('after')}\n`);
  const { code, stdout, stderr } = await endOf(open);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^3 recorded \([^)]*; 0 battles\), 0 refused/);
  assert.match(stderr, /^The connection to the database was lost, reconnecting\.$/m);
  assert.match(stderr, /^The database works again after [\d.]+ s\.$/m);
  await isRecorded('after');
});

for (const [when, commits] of [
  ['after', 1],
  // The batch is split into halves and applied again.
  ['before', 2],
] as const) {
  test(`a connection lost just ${when} its commit: the batch is recorded once, and no line is refused`, async () => {
    const [first, second] = [`${when}-one`, `${when}-two`];
    // If it were applied twice, each tournament would be refused, because it leaves out a participant to whom
    // a battle refers.
    const lines = [first, second].flatMap((slug) => [
      cup(slug),
      { kind: 'participant', tournament: slug, ...guest('c') },
      {
        kind: 'battle',
        tournament: slug,
        id: `${slug}-b`,
        stage: 'swiss',
        round: 1,
        sides: [{ participant: 'a' }, { participant: 'c' }],
      },
    ]);
    await overProxy(async (client) => {
      proxy.cutAtCommit(when);
      const { records, refusals } = await importLines(client, lines);
      assert.ok(proxy.isCut());
      assert.deepEqual([records, refusals], [6, []]);
    });
    const { rows } = await database.pool.query(
      `select count(distinct xmin::text)::int as commits, count(*)::int as marks from record.mark
        where kind = 'tournament' and key in ($1, $2)`,
      [first, second],
    );
    assert.deepEqual(rows, [{ commits, marks: 2 }]);
    assert.match(told.join('\n'), /^The connection to the database was lost/m);
  });
}

test('a connection that breaks without a sign is replaced when the server no longer has its backend', async () => {
  await overProxy(async (client, lockWatch) => {
    async function* chunks(): AsyncGenerator<Buffer> {
      yield Buffer.from(`${club('heard')}\n`);
      await isRecorded('heard');
      proxy.freeze();
      await database.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
        where usename = $1 and datname = current_database()`,
        [new URL(login).username],
      );
      yield Buffer.from(`${club('unheard')}\n`);
    }
    const { records } = await importFeed(client, [{ name: 'feed', chunks: chunks(), live: true }], {
      lockWatch,
      onRefusal: () => assert.fail(),
    });
    assert.equal(records, 2);
  });
  await isRecorded('unheard');
});

test('an outage longer than RECONNECT_SECONDS ends the import, which names the last line recorded', async () => {
  const open = openImport({ DATABASE_URL: proxy.url, RECONNECT_SECONDS: '1' });
  open.stdin.write(`${club('settled')}\n\n`);
  await isRecorded('settled');
  await new Promise((resolve) => setTimeout(resolve, 100));
  await proxy.close();
  try {
    open.stdin.write(`${club('unsettled')}\n`);
    const { code, stderr } = await endOf(open);
    assert.equal(code, 2);
    assert.match(stderr, /^standard input is recorded up to line 2\.$/m);
    assert.match(stderr, /^wartable: The database was away for more than 1 s \(RECONNECT_SECONDS\)\. /m);
  } finally {
    await proxy.open();
  }
});

for (const [what, refuse, reason] of [
  ['unreachable', () => proxy.close(), 'No database answers'],
  ['starting up', async () => proxy.refuseWith('57P03'), 'The database is starting or stopping'],
  ['out of connections', async () => proxy.refuseWith('53300'), 'The database has no free connection'],
] as const) {
  test(`an import that starts while the database is ${what} says so at once, and records when it can`, async () => {
    const [slug, before] = [what.replaceAll(' ', '-'), proxy.refused()];
    await refuse();
    const open = openImport({ DATABASE_URL: proxy.url });
    try {
      open.stdin.end(`${club(slug)}\n`);
      await eventually(() => assert.match(open.printed.stderr, new RegExp(`^${reason}`)));
      // That is the first attempt and at least two more.
      if (what !== 'unreachable') await eventually(() => assert.ok(proxy.refused() > before + 2));
    } finally {
      proxy.refuseWith(undefined);
      if (what === 'unreachable') await proxy.open();
    }
    const { code, stdout, stderr } = await endOf(open);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^1 recorded \(1 changed, 0 unchanged; 0 battles\), 0 refused/);
    assert.match(
      stderr,
      new RegExp(
        `^${reason}[^\\n]*\\. Trying again for up to 600 s \\(RECONNECT_SECONDS\\)\\.\\n` +
          'The database works again after [\\d.]+ s\\.\\n$',
      ),
    );
    await isRecorded(slug);
  });
}

test('a mistake in the settings that an import meets after an outage ends it', async () => {
  const before = proxy.refused();
  proxy.refuseWith('57P03');
  const open = openImport({ DATABASE_URL: proxy.url });
  try {
    await eventually(() => assert.ok(proxy.refused() > before + 1));
    proxy.refuseWith('28P01');
    const { code, stderr } = await endOf(open);
    assert.equal(code, 2);
    assert.match(
      stderr,
      /^The database is starting [^\n]+\nwartable: The database refuses this login: [^\n]+\n$/,
    );
  } finally {
    proxy.refuseWith(undefined);
  }
});

test('while the database is away an import reads no further than it does otherwise', async () => {
  const open = openImport({ DATABASE_URL: proxy.url });
  open.stdin.write(`${club('full')}\n`);
  await isRecorded('full');
  await proxy.close();
  let isBlocked = false;
  // Only one batch and the buffers of the pipe are read, and a live batch is closed after a short time.
  for (let line = 0; line < 100_000 && !isBlocked; line += 1) {
    isBlocked = !open.stdin.write(`${club(`full-${line}`)}\n`);
    if (isBlocked) isBlocked = await staysBlocked(open.stdin);
  }
  assert.ok(isBlocked);
  await proxy.open();
  open.stdin.end();
  const { code, stdout } = await endOf(open);
  assert.equal(code, 0);
  assert.match(stdout, /, 0 refused/);
});

test('a dry run whose connection is lost ends with a sentence', async () => {
  const open = openImport(environment, '--dry-run');
  open.stdin.write(`${club('dry')}\n`);
  await eventually(async () => {
    const { rowCount } = await database.pool.query(`select from pg_stat_activity
      where application_name = 'wartable-command' and datname = current_database() and state = 'idle in transaction'
        and query like '%release batch'`);
    assert.equal(rowCount, 1);
  });
  await terminateCommands();
  const { code, stderr } = await endOf(open);
  assert.deepEqual(
    [code, stderr],
    [2, 'wartable: The connection to the database was lost. A dry run is one transaction: start it again.\n'],
  );
});

test('a transaction of an import that stands still is ended by the database after a minute, a dry run is not', async () => {
  await database.pool.query(`create table public.bound (value text);
    grant insert on public.bound to public;
    create function record.note_bound() returns trigger language plpgsql as
    $$ begin insert into public.bound values (current_setting('idle_in_transaction_session_timeout')); return new; end $$;
    create trigger note before insert on record.club for each row execute function record.note_bound()`);
  const pool = createPool(login, { applicationName: 'wartable-test', size: 1 });
  const client = await pool.connect();
  try {
    await importLines(client, [club('bounded')]);
    const { rows } = await database.pool.query('select value from public.bound');
    assert.deepEqual(rows, [{ value: '1min' }]);
    const noted: string[] = [];
    client.on('notice', ({ message }) => noted.push(message ?? ''));
    await database.pool
      .query(`create or replace function record.note_bound() returns trigger language plpgsql as
      $$ begin raise warning '%', current_setting('idle_in_transaction_session_timeout'); return new; end $$`);
    await importLines(client, [club('unbounded')], { dryRun: true });
    assert.deepEqual(noted, ['0']);
  } finally {
    client.release(true);
    await pool.end();
    await database.pool.query('drop function record.note_bound cascade; drop table public.bound');
  }
});

const told: string[] = [];

async function overProxy(
  work: (client: LastingClient, lockWatch: LockWatch) => Promise<void>,
): Promise<void> {
  told.length = 0;
  const pool = createPool(proxy.url, {
    applicationName: 'wartable-test',
    size: 2,
    lockWatch: { tellAfterMs: 200 },
  });
  const tell = (line: string) => told.push(line);
  const client = await LastingClient.connect(pool, { patienceMs: 10_000, tell });
  try {
    await work(client, pool.lockWatch);
  } finally {
    client.release(true);
    await pool.end();
  }
}

async function terminateCommands(): Promise<void> {
  await database.pool.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'wartable-command'`);
}

async function isRecorded(slug: string): Promise<void> {
  await eventually(async () => {
    const { rowCount } = await database.pool.query('select from record.club where slug = $1', [slug]);
    assert.equal(rowCount, 1);
  });
}

async function staysBlocked(stdin: NodeJS.WritableStream): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => (timer = setTimeout(resolve, 2_000, true)));
  const drained = new Promise<boolean>((resolve) => stdin.once('drain', () => resolve(false)));
  const isBlocked = await Promise.race([late, drained]);
  clearTimeout(timer);
  return isBlocked;
}
