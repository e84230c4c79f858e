import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestDatabase } from '../../harness/support/database.ts';
import type { Failure } from '../../src/record/backlog/drain.ts';
import { KnownFailures } from '../../src/publish/known-failures.ts';
import { publishBacklog } from '../../src/publish/publisher.ts';

const ash: Failure = { kind: 'club', key: 'ash', reason: 'broken' };

test('a failure is known until the next retry, 5 s after the last one', (t) => {
  t.mock.timers.enable({ apis: ['Date'] });
  const failures = new KnownFailures();
  failures.add([ash, ash]);
  assert.deepEqual(failures.list, [ash]);
  assert.deepEqual([failures.has('club', 'ash'), failures.has('tournament', 'ash')], [true, false]);
  t.mock.timers.tick(4_999);
  failures.retryIfDue();
  assert.deepEqual(failures.list, [ash]);
  t.mock.timers.tick(1);
  failures.retryIfDue();
  assert.deepEqual(failures.list, []);
  failures.add([ash]);
  t.mock.timers.tick(4_999);
  failures.retryIfDue();
  assert.deepEqual(failures.list, [ash]);
});

test('a publisher skips the failures of an earlier call until it retries them', async () => {
  const { pool } = await createTestDatabase();
  await pool.query("insert into record.mark (kind, key) values ('club', 'ash'), ('club', 'birch')");
  const failures = new KnownFailures();
  failures.add([ash]);
  const publish = () => publishBacklog(pool, {}, failures);
  assert.deepEqual(await publish(), { things: 1, rows: 0, failed: [ash] });
  assert.deepEqual(await publish(), { things: 0, rows: 0, failed: [ash] });
  failures.retry();
  assert.deepEqual(await publish(), { things: 1, rows: 0, failed: [] });
});
