import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../../database/databases.ts';
import type { Gate } from './gate.ts';
import { createNewestRevisions } from './newest-revisions.ts';
import { createDocuments } from './reader.ts';

// A primary and a replica whose revision the test moves. A statement takes as long as the test says.
function stage() {
  const newestRevisions = createNewestRevisions(100);
  const primary = { revision: 1, positions: 0, reads: 0, slow: [] as Promise<void>[] };
  const query = async (statement: unknown) => {
    if (typeof statement === 'string') {
      primary.positions += 1;
      return { rows: [{ at: '0/1', there: false }] };
    }
    primary.reads += 1;
    const { revision } = primary;
    await primary.slow.shift();
    return { rows: [{ revision: String(revision) }] };
  };
  const documents = createDocuments({
    primary: { query } as unknown as Database,
    replicas: [{ query: async () => ({ rows: [{ there: false }] }) } as unknown as Database],
    newestRevisions,
    isListening: () => true,
    gate: { pass: (_signal: AbortSignal, work: () => Promise<unknown>) => work() } as unknown as Gate,
    logger: { warn() {} } as unknown as FastifyBaseLogger,
  });
  const read = async () => {
    const statement = { name: 'a', text: 'a' };
    const { signal } = new AbortController();
    const { rows } = await documents.read({ scope: 'club:a', statement, values: [], signal });
    return rows[0]?.revision;
  };
  return { documents, newestRevisions, primary, read };
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
  assert.ok(newestRevisions.isNewer('club:a', '0'));
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
  assert.ok(newestRevisions.isNewer('club:a', '1'), 'the copy read before the change counts as current');
  assert.equal(await read(), '2');
  assert.ok(!newestRevisions.isNewer('club:a', '2'));
});

test('many notices at once that everything may have moved ask the primary for its position once', async () => {
  const { documents, primary } = stage();
  for (let i = 0; i < 10_000; i += 1) documents.distrustReplicas();
  for (let i = 0; i < 100 && primary.positions === 0; i += 1) await sleep(10);
  documents.close();
  assert.equal(primary.positions, 1);
});
