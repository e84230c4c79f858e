import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { migrate } from '../../src/database/migrate.ts';
import { createPool, type Pool } from '../../src/database/pool.ts';
import { createKeyForAccount } from '../../src/keys/store.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { startPostgres } from '../../harness/support/postgres.ts';
import { createLogin, loginUrl } from '../../harness/support/on-server.ts';
import { publishWorld } from '../../harness/support/published-world.ts';
import { bearer, eventually, startTestServer } from '../../harness/support/server.ts';

// There are a primary and two streaming replicas, and the server reads from the replicas.
const postgres = await startPostgres();
atEnd(() => postgres.remove());
await migrate(postgres.url);
const primary = poolOf(postgres.url);
await publishWorld(primary);
const { key } = await createKeyForAccount(primary, 'test');
await createLogin(postgres.url, 'serving', 'in role wartable_serve');
await primary.end();
const standbys = [await postgres.startStandby(), await postgres.startStandby()];
const writing = poolOf(postgres.url);
const replicas = standbys.map(({ url }) => poolOf(url));
atEnd(() => Promise.all([writing, ...replicas].map((pool) => pool.end())));

const asServing = (url: string) => loginUrl(url, 'serving');
// This server has an empty cache, because these tests are about reads.
const server = await startTestServer(asServing(postgres.url), {
  cacheMegabytes: 0,
  readUrls: standbys.map(({ url }) => asServing(url)),
});
const get = (path: string, headers = {}) => server.get(`/api/v1${path}`, { ...bearer(key), ...headers });

const onEveryThing = {
  '/tournaments/event-0': `update published.tournament set document = replace(document, 'Five rounds', 'REV') where slug = 'event-0'`,
  '/tournaments/event-0/standings': `update published.standings set document = replace(document, 'Lanternsworn', 'REV') where tournament = 'event-0'`,
  '/tournaments/event-0/participants': `update published.participant set document = replace(document, '"group":null', '"group":"REV"') where tournament = 'event-0'`,
  '/tournaments/event-0/battles': `update published.battle set document = replace(document, '"scenario":null', '"scenario":"REV"') where tournament = 'event-0'`,
};

test('replicas are read once they have caught up with the primary', async () => {
  // The first replica lost its primary while the second was created, and looks for it again every 5 s.
  const before = await reads(replicas);
  await eventually(async () => {
    assert.equal((await get('/tournaments/event-1')).status, 200);
    const after = await reads(replicas);
    for (const [i, count] of after.entries()) assert.ok(count > (before[i] ?? 0), 'both are read in turn');
  });
});

test('every endpoint answers from a replica', async () => {
  for (const path of [
    '/tournaments',
    '/tournaments?status=finished&from=2024-01-01',
    '/tournaments/event-0',
    '/tournaments/event-0/standings',
    '/tournaments/event-0/participants',
    '/tournaments/event-0/battles',
    '/clubs/club-0',
    '/clubs/club-0/tournaments',
    '/clubs/club-0/battles',
    '/users/p_1/battles',
    '/battles/b_0_1',
  ]) {
    const answer = await get(path);
    assert.equal(answer.status, 200, path);
    const etag = answer.headers.get('etag') ?? '';
    assert.equal((await get(path, { 'if-none-match': etag })).status, 304, path);
  }
});

test('while replay is paused, nothing older than a revision heard of is sent, documents and 304s alike', async () => {
  await pauseReplay();
  for (const [path, change] of Object.entries(onEveryThing)) {
    const before = await get(path);
    const revision = await moveTournament('event-0', change.replaceAll('REV', `new ${Date.now()}`));
    await heard(path, before.headers.get('etag') ?? '');
    for (let i = 0; i < 6; i += 1) {
      const answer = await get(path, { 'if-none-match': before.headers.get('etag') ?? '' });
      assert.equal(answer.status, 200, path);
      assert.match(answer.headers.get('etag') ?? '', new RegExp(`^W/"${revision}\\.`));
      assert.match(answer.text, /new \d+/);
    }
  }
  // What did not change is still read from the replicas.
  assert.equal((await get('/clubs/club-1')).status, 200);
});

test('something published or taken back while replay is paused is there or gone at once', async () => {
  await moveTournament(
    'event-new',
    `insert into published.tournament select 'event-new', start_date, status, organizer, country, leader, last_day, last_result, stages,
      default_stage, derivation, battle_derivation, 1, replace(document, '"event-1"', '"event-new"'), view
      from published.tournament where slug = 'event-1'`,
  );
  await eventually(async () => assert.equal((await get('/tournaments/event-new')).status, 200));
  await moveTournament('event-1', `delete from published.tournament where slug = 'event-1'`);
  await eventually(async () => assert.equal((await get('/tournaments/event-1')).status, 404));
  for (let i = 0; i < 6; i += 1) {
    assert.equal((await get('/tournaments/event-new')).status, 200);
    assert.equal((await get('/tournaments/event-1')).status, 404);
  }
});

test('a notice that everything may have moved keeps replicas out until they have replayed past it', async () => {
  await writing.query(
    `update published.club set document = replace(document, 'Thursday', 'Friday'), revision = revision + 1`,
  );
  await writing.query(`select pg_notify('wartable_published', '{"everything":true}')`);
  await eventually(async () => assert.match((await get('/clubs/club-2')).text, /Friday/));
  for (let i = 0; i < 6; i += 1) assert.match((await get('/clubs/club-2')).text, /Friday/);
});

test('metrics say how far replicas are behind, what was heard, and which database is left alone', async () => {
  // The lag is read at most every 5 s.
  await eventually(async () => {
    const metrics = await (await fetch(`${server.opsUrl}/metrics`)).text();
    assert.match(metrics, /^wartable_replica_lag_seconds\{database="replica-1"\} (?!0$)\d+(\.\d+)?$/m);
    assert.match(metrics, /^wartable_replica_lag_seconds\{database="replica-2"\} (?!0$)\d+(\.\d+)?$/m);
    // These are six events, each with the list of all, and a notice that everything may have changed.
    assert.match(metrics, /^wartable_revisions_heard_total 13$/m);
    for (const database of ['primary', 'replica-1', 'replica-2'])
      assert.match(metrics, new RegExp(`^wartable_database_down\\{database="${database}"\\} 0$`, 'm'));
    assert.match(metrics, /^wartable_ready 1$/m);
    assert.ok(!metrics.includes('wartable_limits_shared'), 'only with Redis');
    assert.ok(!metrics.includes('@127.0.0.1'), 'no address');
  });
});

test('when the primary does not answer, an old copy is better than none', async () => {
  await postgres.stop('immediate');
  const answer = await get('/clubs/club-2');
  assert.equal(answer.status, 200);
  assert.match(answer.text, /Thursday/);
  assert.equal((await get('/tournaments/event-1')).status, 200);
  await eventually(async () => {
    const metrics = await (await fetch(`${server.opsUrl}/metrics`)).text();
    assert.match(metrics, /^wartable_database_down\{database="primary"\} 1$/m);
    assert.match(metrics, /^wartable_replica_lag_seconds\{database="replica-1"\} Nan$/m);
  });
  await postgres.start();
  await eventually(async () => {
    assert.match((await get('/clubs/club-2')).text, /Friday/);
    assert.equal((await get('/tournaments/event-1')).status, 404);
  });
});

test('after replay goes on, replicas are trusted again', async () => {
  for (const replica of replicas) await replica.query('select pg_wal_replay_resume()');
  const [before = 0] = await reads(replicas);
  await eventually(async () => {
    assert.match((await get('/clubs/club-2')).text, /Friday/);
    assert.ok(((await reads(replicas))[0] ?? 0) > before);
  });
});

test('a notice that comes before its commit is on disk keeps replicas out, too', async () => {
  const { rows } = await writing.query("select pid from pg_stat_activity where backend_type = 'walwriter'");
  process.kill(rows[0].pid, 'SIGSTOP');
  try {
    await pauseReplay();
    await writing.query(`
      begin;
      set local synchronous_commit = off;
      update published.club set document = replace(document, 'Friday', 'Saturday'), revision = revision + 1;
      select pg_notify('wartable_published', '{"everything":true}');
      commit`);
    await eventually(async () => assert.match((await get('/clubs/club-2')).text, /Saturday/));
    await sleep(500);
    for (let i = 0; i < 6; i += 1) assert.match((await get('/clubs/club-2')).text, /Saturday/);
  } finally {
    process.kill(rows[0].pid, 'SIGCONT');
  }
  for (const replica of replicas) await replica.query('select pg_wal_replay_resume()');
  const [before = 0] = await reads(replicas);
  await eventually(async () => {
    assert.match((await get('/clubs/club-2')).text, /Saturday/);
    assert.ok(((await reads(replicas))[0] ?? 0) > before);
  });
});

async function pauseReplay(): Promise<void> {
  for (const replica of replicas) {
    await replica.query('select pg_wal_replay_pause()');
    await eventually(async () => {
      const { rows } = await replica.query('select pg_get_wal_replay_pause_state() as state');
      assert.equal(rows[0].state, 'paused');
    });
  }
}

/** Changes a tournament as the publisher does: the change, the revision and the notice in one transaction. */
async function moveTournament(slug: string, change: string): Promise<string> {
  const revision = String(Date.now() * 1_000);
  const moved = { tournament: { [slug]: revision }, tournaments: revision };
  await writing.query(`
    begin;
    ${change};
    update published.tournament set revision = ${revision} where slug = '${slug}';
    update published.list_revision set revision = ${revision} where list = 'tournaments';
    select pg_notify('wartable_published', '${JSON.stringify({ moved })}');
    commit`);
  return revision;
}

/** Waits until the notice has arrived, a moment after the commit. */
async function heard(path: string, etag: string): Promise<void> {
  await eventually(async () => assert.notEqual((await get(path)).headers.get('etag'), etag));
}

/** Returns how many rows each replica's tables have returned. */
async function reads(pools: Pool[]): Promise<number[]> {
  return Promise.all(
    pools.map(async (pool) => {
      const { rows } = await pool.query(
        "select coalesce(sum(idx_scan + seq_scan), 0)::integer as count from pg_stat_user_tables where schemaname = 'published'",
      );
      return rows[0].count as number;
    }),
  );
}

function poolOf(url: string): Pool {
  return createPool(url, { applicationName: 'test', size: 2 });
}
