import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { Database } from '../database/databases.ts';
import { activeKey as active, FakeKeyDatabase } from '../../harness/support/fake-key-database.ts';
import { createKey } from './key.ts';
import { createKeyVerifier, type KeyVerifier } from './verifier.ts';

// The expiry of a key depends on the time, so these tests control the clock. test/keys/expiry.test.ts and
// test/serve/outage.test.ts test the same on a real database.

const key = createKey();
const accepted = { keyId: '7', accountId: '3' };

let time = 0;
let primary: FakeKeyDatabase;
let replica: FakeKeyDatabase;
let verifier: KeyVerifier;

beforeEach(() => {
  time = 1_000_000;
  primary = new FakeKeyDatabase();
  replica = new FakeKeyDatabase();
  verifier = createKeyVerifier({
    primary: primary as unknown as Database,
    replicas: [replica as unknown as Database],
    now: () => time,
  });
});

test('a key is refused from the moment of its end on, by the memory of this server alone', async () => {
  primary.says = { ...active, expires_in_ms: 3_000 };
  assert.deepEqual(await verifier.verify(key), accepted);
  time += 2_999;
  assert.deepEqual(await verifier.verify(key), accepted);
  assert.deepEqual(verifier.verified(verifier.nameOf(key)), accepted);
  time += 1;
  assert.equal(verifier.verified(verifier.nameOf(key)), undefined);
  assert.equal(await verifier.verify(key), undefined);
  assert.equal(primary.asked, 1);
});

test('a key that had expired when the database was asked is refused', async () => {
  primary.says = { ...active, expires_in_ms: -1 };
  assert.equal(await verifier.verify(key), undefined);
  primary.says = { ...active, expires_in_ms: 0 };
  assert.equal(await verifier.verify(createKey()), undefined);
});

test('a slow answer does not end a key early', async () => {
  const answer = primary.answersLater();
  const caller = verifier.verify(key);
  time += 900;
  answer({ ...active, expires_in_ms: 1_000 });
  assert.deepEqual(await caller, accepted);
  time += 999;
  assert.deepEqual(await verifier.verify(key), accepted);
  time += 1;
  assert.equal(await verifier.verify(key), undefined);
});

test('while no database answers, a key ends at its end, and not when it is no longer honoured', async () => {
  primary.says = { ...active, expires_in_ms: 30_000 };
  await verifier.verify(key);
  primary.isDown = true;
  replica.isDown = true;
  time += 29_999;
  assert.deepEqual(await verifier.verify(key), accepted);
  time += 1;
  assert.equal(verifier.verified(verifier.nameOf(key)), undefined);
  assert.equal(await verifier.verify(key), undefined);
  time += 20_000;
  assert.equal(await verifier.verify(key), undefined);
});

test('a notice gives a known key an end, also while no database answers and over a replica that lags', async () => {
  primary.says = active;
  await verifier.verify(key);
  verifier.apply({ expire: 'key', id: '7', inMs: 20_000 });
  primary.isDown = true;
  replica.says = active;
  time += 15_000;
  assert.deepEqual(await verifier.verify(key), accepted);
  time += 4_999;
  assert.deepEqual(await verifier.verify(key), accepted);
  replica.isDown = true;
  time += 1;
  assert.equal(verifier.verified(verifier.nameOf(key)), undefined);
  assert.equal(await verifier.verify(key), undefined);
});

test('a later answer of the primary wins over the end that a notice gave', async () => {
  primary.says = active;
  await verifier.verify(key);
  verifier.apply({ expire: 'key', id: '7', inMs: 20_000 });
  time += 10_000;
  assert.deepEqual(await verifier.verify(key), accepted);
  time += 10_000;
  assert.deepEqual(await verifier.verify(key), accepted);
});

test('no notice about an end takes a refusal back', async () => {
  primary.says = active;
  await verifier.verify(key);
  verifier.apply({ refuse: 'key', id: '7' });
  verifier.apply({ expire: 'key', id: '7', inMs: 1e12 });
  // While the primary is down, the notice alone is enough to refuse.
  primary.isDown = true;
  assert.equal(await verifier.verify(key), undefined);
});
