import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestDatabase } from '../../harness/support/database.ts';
import { eventually } from '../../harness/support/eventually.ts';
import { startTestServer } from '../../harness/support/server.ts';

test('metrics say how late publishing is, and how many things cannot be published', async () => {
  const database = await createTestDatabase();
  await database.pool.query(`insert into record.mark (kind, key, marked_at, reason) values
    ('club', 'late', now() - interval '100 s', null), ('club', 'stuck', now(), 'planted')`);
  await database.pool.query(`insert into published.change (kind, key, gone, revision, since) values
    ('club', 'late', false, 1, now() - interval '11 s'), ('club', 'new', false, 1, now())`);
  const server = await startTestServer(await database.loginAs('wartable_serve'));
  // On a busy machine the first look may come too late, and the next one follows after 5 s.
  await eventually(async () => {
    const metrics = await (await fetch(`${server.opsUrl}/metrics`)).text();
    assert.match(metrics, /^wartable_publishing_lag_seconds 1\d\d(\.\d+)?$/m);
    assert.match(metrics, /^wartable_marks 2$/m);
    assert.match(metrics, /^wartable_stuck_things 1$/m);
    assert.match(metrics, /^wartable_waiting_changes [12]$/m);
  });
});
