import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from '../database/databases.ts';
import type { Admission } from './admission.ts';
import { Asker } from '../http/asker.ts';
import { createNewestRevisions } from './newest-revisions.ts';
import { createReader } from './reader.ts';

// A primary and a replica whose revision the test changes. A statement takes as long as the test wants.
function stage() {
  const newestRevisions = createNewestRevisions(100);
  const primary = { revision: 1, positions: 0, reads: 0, slow: [] as Promise<void>[] };
  const query = async ({ name }: { name: string }) => {
    if (name === 'wal_position') {
      primary.positions += 1;
      return [{ at: '0/1', there: false }];
    }
    primary.reads += 1;
    const { revision } = primary;
    await primary.slow.shift();
    return [{ revision: String(revision) }];
  };
  const reader = createReader({
    primary: { query } as unknown as Database,
    replicas: [{ query: async () => [{ there: false }] } as unknown as Database],
    newestRevisions,
    isListening: () => true,
    admission: { pass: (_asker: Asker, work: () => Promise<unknown>) => work() } as unknown as Admission,
    logger: { warn() {} } as unknown as Logger,
  });
  const read = async () => {
    const statement = { name: 'a', text: 'a' };
    const { rows } = await reader.read({ scope: 'club:a', statement, values: [], asker: new Asker('a') });
    return rows[0]?.revision;
  };
  return { reader, newestRevisions, primary, read };
}

test('a slow read of the primary is repeated when everything may have moved meanwhile', async () => {
  for (const forget of ['listen', 'overflow'] as const) {
    const { newestRevisions, primary, read } = stage();
    const { promise, resolve } = Promise.withResolvers<void>();
    primary.slow = [promise];
    const slow = read();
    primary.revision = 2;
    newestRevisions.apply('{"moved":{"club":{"a":"2"}}}');
    assert.equal(await read(), '2');
    if (forget === 'listen') newestRevisions.restart();
    else for (let i = 0; i < 101; i += 1) newestRevisions.apply(`{"moved":{"club":{"b${i}":"1"}}}`);
    resolve();
    assert.equal(await slow, '2', forget);
  }
});

test('a forged revision costs one more read, not one for every read after it', async () => {
  const { newestRevisions, primary, read } = stage();
  newestRevisions.apply('{"moved":{"club":{"a":"3"}}}');
  assert.equal(await read(), '1');
  assert.equal(primary.reads, 2);
  assert.equal(await read(), '1');
  assert.equal(primary.reads, 3);
  assert.equal(newestRevisions.lastNotice('club:a')?.revision, 1n);
});

test('a change while the primary is asked about a forged revision is not missed', async () => {
  const { newestRevisions, primary, read } = stage();
  newestRevisions.apply('{"moved":{"club":{"a":"9"}}}');
  const { promise, resolve } = Promise.withResolvers<void>();
  primary.slow = [Promise.resolve(), promise];
  const slow = read();
  while (primary.reads < 2) await sleep(1);
  primary.revision = 2;
  newestRevisions.apply('{"moved":{"club":{"a":"2"}}}');
  resolve();
  assert.equal(await slow, '1');
  assert.ok(
    newestRevisions.isOld([{ scope: 'club:a', revision: 1n }], 0),
    'the copy read before the change counts as current',
  );
  assert.equal(await read(), '2');
  assert.ok(!newestRevisions.isOld([{ scope: 'club:a', revision: 2n }], 0));
});

test('a copy of a replica is old when anything that it shows is old, and then the primary is asked once', async () => {
  const { newestRevisions, primary, replica, read } = await besideReplica();
  assert.deepEqual(await read(), { club: '1', isKeepable: true });
  newestRevisions.apply('{"moved":{"club":{"other":"2"},"battle":{"a":"1"}}}');
  assert.deepEqual([replica.reads, primary.reads], [1, 0]);
  newestRevisions.apply('{"moved":{"club":{"c":"2"}}}');
  primary.club = '2';
  assert.deepEqual(await read(), { club: '2', isKeepable: true });
  assert.deepEqual([replica.reads, primary.reads], [2, 1]);
});

test('when the primary does not answer, the old copy is sent and must not be kept', async () => {
  const { newestRevisions, primary, read } = await besideReplica();
  newestRevisions.apply('{"moved":{"club":{"c":"2"}}}');
  primary.isAway = true;
  assert.deepEqual(await read(), { club: '1', isKeepable: false });
});

test('a forged revision of something else that is shown is corrected, too', async () => {
  const { newestRevisions, primary, replica, read } = await besideReplica();
  newestRevisions.apply('{"moved":{"club":{"c":"3"}}}');
  assert.deepEqual(await read(), { club: '1', isKeepable: true });
  assert.equal(primary.reads, 2);
  assert.deepEqual(await read(), { club: '1', isKeepable: true });
  assert.deepEqual([replica.reads, primary.reads], [2, 2]);
});

test('a copy of a replica is not used if the notice that shows it to be old is forgotten meanwhile', async () => {
  const { reader, newestRevisions, primary, replica, read } = await besideReplica();
  const notice = (club: string, revision: number) => {
    const doubt = newestRevisions.apply(`{"moved":{"club":{"${club}":"${revision}"}}}`);
    if (doubt !== 'nothing') reader.distrustReplicas();
  };
  notice('c', 2);
  primary.club = '2';
  for (let i = 1; i < 100; i += 1) notice(`other-${i}`, 1);
  const { promise, resolve } = Promise.withResolvers<void>();
  replica.slow = promise;
  const slow = read();
  // There is room for a hundred.
  notice('other-100', 1);
  assert.equal(newestRevisions.lastNotice('club:c'), undefined);
  resolve();
  assert.deepEqual(await slow, { club: '2', isKeepable: true });
});

/** A battle that shows a club, on a primary and on a trusted replica. */
async function besideReplica() {
  const newestRevisions = createNewestRevisions(100);
  const side = () => ({ club: '1', reads: 0, isAway: false, slow: undefined as Promise<void> | undefined });
  const [primary, replica] = [side(), side()];
  const databaseOf = (of: ReturnType<typeof side>) => ({
    isDown: () => false,
    query: async ({ name }: { name: string }) => {
      if (name !== 'a') return [{ at: '0/1', there: true }];
      of.reads += 1;
      await of.slow;
      if (of.isAway) throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
      return [{ revision: '1', club: of.club }];
    },
  });
  const reader = createReader({
    primary: databaseOf(primary) as unknown as Database,
    replicas: [databaseOf(replica) as unknown as Database],
    newestRevisions,
    isListening: () => true,
    admission: { pass: (_asker: Asker, work: () => Promise<unknown>) => work() } as unknown as Admission,
    logger: { warn() {} } as unknown as Logger,
  });
  const read = async () => {
    const { rows, isKeepable } = await reader.read<{ revision: string; club: string }>({
      scope: 'battle:a',
      statement: { name: 'a', text: 'a' },
      values: [],
      alsoShown: ([row]) => [{ scope: 'club:c', revision: BigInt(row?.club ?? 0) }],
      asker: new Asker('a'),
    });
    return { club: rows[0]?.club, isKeepable };
  };
  reader.distrustReplicas();
  // The replica is used once it has caught up.
  while (replica.reads === 0) {
    await sleep(1);
    await read();
  }
  primary.reads = 0;
  replica.reads = 0;
  return { reader, newestRevisions, primary, replica, read };
}

test('many notices at once that everything may have moved ask the primary for its position once', async () => {
  const { reader, primary } = stage();
  for (let i = 0; i < 10_000; i += 1) reader.distrustReplicas();
  while (primary.positions === 0) await sleep(1);
  reader.close();
  assert.equal(primary.positions, 1);
});
