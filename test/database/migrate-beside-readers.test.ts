import assert from 'node:assert/strict';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { migrate } from '../../src/database/migrate.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { eventually } from '../../harness/support/eventually.ts';

const { url, pool } = await createTestDatabase();
const folder = await mkdtemp(path.join(tmpdir(), 'wartable-migrations-'));
atEnd(() => rm(folder, { recursive: true }));
await cp(new URL('../../migrations', import.meta.url), folder, { recursive: true });
await writeFile(
  path.join(folder, '9999_later.sql'),
  'alter table published.tournament add column later text;\n',
);

test('a migration that must wait for a long reader does not hold up the others', async () => {
  const reader = await pool.connect();
  // pg_dump also does this, for hours.
  await reader.query('begin; select from published.tournament');
  await assert.rejects(migrate(url, { folder, patienceMs: 0 }), {
    message:
      'other sessions have used the tables for two minutes: wait for the end of a dump, close open transactions, then try again',
  });
  let ended = false;
  const migrated = migrate(url, { folder }).finally(() => (ended = true));
  for (let reads = 0; reads < 10; reads += 1) {
    await eventually(async () => {
      const { rowCount } = await pool.query(
        "select from pg_locks where relation = 'published.tournament'::regclass and not granted",
      );
      assert.equal(rowCount, 1, 'the migration asks for its lock');
    });
    // The migration gives up before the reader ends, and lets this query pass.
    await pool.query('select from published.tournament');
  }
  assert.equal(ended, false);
  await reader.query('commit');
  reader.release();
  assert.deepEqual((await migrated).ran, ['9999_later']);
});

test('a role that another migration makes at this moment is no fault', async () => {
  const other = await createTestDatabase();
  // A sequence keeps counting when its transaction is rolled back, so only the first attempt fails.
  await other.pool.query('create sequence public.tries');
  await writeFile(
    path.join(folder, '9999_role.sql'),
    `do $$ begin
      if nextval('public.tries') = 1 then raise 'role "wartable_serve" does not exist'; end if;
    end $$;\n`,
  );
  assert.deepEqual((await migrate(other.url, { folder })).ran, ['9999_role']);
});
