import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wartable } from '../../harness/support/command.ts';
import { startsByStatus } from '../../harness/support/starts-by-status.ts';

test('an event of the world is under way, others are still to come', async () => {
  const today = '2026-11-14';
  const { code, stdout, stderr } = await wartable(['world', '--battles', '400'], {});
  assert.equal(code, 0, stderr);
  const starts = startsByStatus(stdout);
  assert.ok(starts.ongoing.length > 0 && starts.planned.length > 0 && starts.finished.length > 0);
  for (const start of starts.ongoing) assert.ok(['2026-11-13', today].includes(start), start);
  for (const start of starts.planned) assert.ok(start > today, start);
  for (const start of starts.finished) assert.ok(start < today, start);

  const event = await wartable(['world', '--event', '--players', '8'], {});
  assert.deepEqual(startsByStatus(event.stdout).finished, [today]);
});
