import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { atEnd } from '../../harness/support/at-end.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { addClub, club, insertRows, noRows } from '../../harness/support/published-world.ts';
import { readConfig } from '../../src/config/config.ts';
import { serveOnFreePorts } from '../../src/throwaway/ports.ts';

const database = await createTestDatabase();
const { started: server } = await serveOnFreePorts(
  readConfig({
    DATABASE_URL: database.url,
    CURSOR_SECRETS: 'x'.repeat(32),
    LOG_LEVEL: 'silent',
    DRAIN_SECONDS: '0',
  }),
  {},
);
atEnd(() => server.close());

test('the server of preview and demo waits longer than all limits of a public server', async () => {
  const rows = noRows();
  addClub(rows, club({ slug: 'north-gate' }));
  await insertRows(database.pool, rows);
  const locking = await database.pool.connect();
  await locking.query('begin; lock table published.club');
  const answer = fetch(`${server.siteUrl}/clubs/north-gate`);
  // A public server answers 503 after 3 s at the latest.
  await sleep(4_000);
  await locking.query('commit');
  locking.release();
  assert.equal((await answer).status, 200);
});
