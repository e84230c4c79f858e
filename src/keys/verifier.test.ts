import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { Database } from '../database/databases.ts';
import { Overloaded } from '../availability/unavailable.ts';
import { activeKey as active, FakeKeyDatabase } from '../../harness/support/fake-key-database.ts';
import { createKey } from './key.ts';
import { createKeyVerifier, type KeyVerifier } from './verifier.ts';

// The order of events matters here, so these tests control the clock and the moment of each answer.
// test/keys/revocation.test.ts and test/serve/outage.test.ts test the same on a real database.

const key = createKey();
const inactive = { ...active, active: false };
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

test('a thousand callers with one uncached key cause one query', async () => {
  primary.says = active;
  const callers = await Promise.all(Array.from({ length: 1_000 }, () => verifier.verify(key)));
  assert.ok(callers.every((caller) => caller?.keyId === '7'));
  assert.equal(primary.asked, 1);
});

test('an entry lives ten seconds and not longer', async () => {
  primary.says = active;
  await verifier.verify(key);
  primary.says = inactive;
  time += 9_999;
  assert.deepEqual(await verifier.verify(key), accepted);
  time += 1;
  assert.equal(await verifier.verify(key), undefined);
  assert.equal(primary.asked, 2);
});

test('an unknown key is remembered too, and looked for again after ten seconds', async () => {
  assert.equal(await verifier.verify(key), undefined);
  primary.says = active;
  assert.equal(await verifier.verify(key), undefined);
  assert.equal(primary.asked, 1);
  time += 10_000;
  assert.deepEqual(await verifier.verify(key), accepted);
});

for (const notice of [
  { refuse: 'key', id: '7' },
  { refuse: 'account', id: '3' },
] as const) {
  test(`a notice about the ${notice.refuse} is confirmed on the primary, once`, async () => {
    primary.says = active;
    await verifier.verify(key);
    verifier.apply(notice);
    time += 1;
    assert.equal(verifier.verified(verifier.nameOf(key)), undefined);
    primary.says = inactive;
    assert.equal(await verifier.verify(key), undefined);
    assert.equal(await verifier.verify(key), undefined);
    assert.equal(primary.asked, 2);
  });

  test(`a forged notice about the ${notice.refuse} refuses no request`, async () => {
    primary.says = active;
    await verifier.verify(key);
    verifier.apply(notice);
    time += 1;
    assert.deepEqual(await verifier.verify(key), accepted);
    assert.deepEqual(verifier.verified(verifier.nameOf(key)), accepted);
    assert.equal(primary.asked, 2);
  });

  test(`a notice about the ${notice.refuse} while the primary does not answer is the refusal itself`, async () => {
    primary.says = active;
    await verifier.verify(key);
    primary.isDown = true;
    replica.says = active;
    verifier.apply(notice);
    time += 1;
    assert.equal(await verifier.verify(key), undefined);
    assert.equal(await verifier.verify(key), undefined);
    assert.equal(replica.asked, 1);
  });

  test(`an answer that was asked for before a notice about the ${notice.refuse} is asked for again`, async () => {
    const answer = primary.answersLater();
    const caller = verifier.verify(key);
    time += 5;
    verifier.apply(notice);
    time += 1;
    const late = verifier.verify(key);
    primary.answersAtOnce();
    primary.says = inactive;
    answer(active);
    assert.equal(await caller, undefined);
    assert.equal(await late, undefined);
    assert.equal(primary.asked, 2);
  });

  test(`notices about the ${notice.refuse} that do not stop refuse no valid key`, async () => {
    primary.says = active;
    const query = primary.query.bind(primary);
    primary.query = async () => {
      time += 1;
      if (noticesLeft > 0) verifier.apply(notice);
      noticesLeft -= 1;
      time += 1;
      return query();
    };
    let noticesLeft = 3;
    assert.deepEqual(await verifier.verify(key), accepted);
    noticesLeft = 100;
    time += 10_000;
    await assert.rejects(verifier.verify(key), Overloaded);
    primary.says = inactive;
    assert.equal(await verifier.verify(key), undefined);
  });

  test(`a notice about the ${notice.refuse} wins over a replica that lags behind it`, async () => {
    primary.says = active;
    await verifier.verify(key);
    verifier.apply(notice);
    primary.isDown = true;
    replica.says = active;
    time += 20_000;
    assert.equal(await verifier.verify(key), undefined);
    assert.equal(replica.asked, 1);
  });
}

test('a notice about another key or account changes nothing', async () => {
  primary.says = active;
  await verifier.verify(key);
  verifier.apply({ refuse: 'key', id: '3' });
  verifier.apply({ refuse: 'account', id: '7' });
  assert.deepEqual(await verifier.verify(key), accepted);
});

test('an account made active again is let in at once', async () => {
  primary.says = active;
  await verifier.verify(key);
  verifier.apply({ refuse: 'account', id: '3' });
  time += 1;
  verifier.apply({ allow: 'account', id: '3' });
  time += 1;
  assert.deepEqual(await verifier.verify(key), accepted);
});

test('an account made active again is let in within ten seconds when that notice is lost', async () => {
  primary.says = active;
  await verifier.verify(key);
  verifier.apply({ refuse: 'account', id: '3' });
  time += 10_000;
  assert.deepEqual(await verifier.verify(key), accepted);
});

test('a replica is asked only while the primary is down', async () => {
  primary.says = active;
  replica.says = active;
  await verifier.verify(key);
  assert.equal(replica.asked, 0);
  primary.isDown = true;
  time += 10_000;
  assert.deepEqual(await verifier.verify(key), accepted);
  assert.equal(replica.asked, 1);
});

test('while a replica answers, its answer counts and no cached one is honoured', async () => {
  primary.says = active;
  await verifier.verify(key);
  primary.isDown = true;
  replica.says = inactive;
  time += 10_000;
  assert.equal(await verifier.verify(key), undefined);
});

test('while no database answers at all, a known key is honoured for 60 s and not longer', async () => {
  primary.says = active;
  await verifier.verify(key);
  primary.isDown = true;
  replica.isDown = true;
  time += 59_000;
  assert.deepEqual(await verifier.verify(key), accepted);
  time += 1_000;
  await assert.rejects(verifier.verify(key), { code: 'ECONNREFUSED' });
});

test('while no database answers, a refused key stays refused and an unknown one gets no verdict', async () => {
  primary.says = active;
  await verifier.verify(key);
  primary.isDown = true;
  replica.isDown = true;
  verifier.apply({ refuse: 'key', id: '7' });
  time += 20_000;
  assert.equal(await verifier.verify(key), undefined);
  await assert.rejects(verifier.verify(createKey()), { code: 'ECONNREFUSED' });
});

test('a dead database is not asked for every request of a known key, and its return is noticed within a second', async () => {
  primary.says = active;
  await verifier.verify(key);
  primary.isDown = true;
  replica.isDown = true;
  time += 20_000;
  await verifier.verify(key);
  await verifier.verify(key);
  assert.equal(primary.asked, 2);
  primary.isDown = false;
  primary.says = inactive;
  time += 1_000;
  assert.equal(await verifier.verify(key), undefined);
});

test('a refusal is forgotten when the primary, asked later, says otherwise: a replica may then be trusted', async () => {
  primary.says = active;
  await verifier.verify(key);
  verifier.apply({ refuse: 'account', id: '3' });
  time += 10_000;
  assert.deepEqual(await verifier.verify(key), accepted);
  primary.isDown = true;
  replica.says = active;
  time += 10_000;
  assert.deepEqual(await verifier.verify(key), accepted);
});

test('a replica that does not know a key yet does not win over the answer of the primary', async () => {
  primary.says = active;
  await verifier.verify(key);
  primary.isDown = true;
  time += 10_000;
  assert.deepEqual(await verifier.verify(key), accepted);
  time += 50_000;
  assert.equal(await verifier.verify(key), undefined);
  primary.isDown = false;
  assert.deepEqual(await verifier.verify(key), accepted);
});

test('after any error of a replica the next one is asked, and a known key is honoured', async () => {
  primary.says = active;
  await verifier.verify(key);
  primary.isDown = true;
  replica.fails = Object.assign(new Error('function does not exist'), { code: '42883' });
  time += 10_000;
  assert.deepEqual(await verifier.verify(key), accepted);
  await assert.rejects(verifier.verify(createKey()), { code: 'ECONNREFUSED' });
});

test('after a gap in the notices everything is read again at its next use', async () => {
  primary.says = active;
  await verifier.verify(key);
  primary.says = inactive;
  time += 1;
  verifier.distrust();
  time += 1;
  assert.equal(await verifier.verify(key), undefined);
  assert.equal(primary.asked, 2);
});

test('a defect is not taken for an outage', async () => {
  primary.says = active;
  await verifier.verify(key);
  primary.fails = Object.assign(new Error('invalid byte sequence'), { code: '22021' });
  time += 10_000;
  await assert.rejects(verifier.verify(key), { code: '22021' });
  assert.equal(replica.asked, 0);
});

test('a flood of different unknown keys is refused instead of queued, and known keys are not', async () => {
  primary.says = active;
  await verifier.verify(key);
  time += 10_000;
  const answer = primary.answersLater();
  const lookups = Array.from({ length: 1_010 }, () => verifier.verify(createKey()));
  const known = verifier.verify(key);
  const settled = Promise.allSettled(lookups);
  await new Promise((resolve) => setImmediate(resolve));
  answer(active);
  assert.deepEqual(await known, accepted);
  const refused = (await settled).filter((lookup) => lookup.status === 'rejected');
  assert.equal(refused.length, 10);
});
