import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTournaments } from '../../src/record/facts/read-facts.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { battle, cup, ground } from '../../harness/support/cup.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { emptyFacts, importLines } from '../../harness/support/feed.ts';

const database = await createTestDatabase();
const client = await database.pool.connect();
atEnd(async () => client.release());

test('two imports of one event at once: one after the other, nothing refused', async () => {
  await emptyFacts(client);
  await importLines(client, ground);
  const other = await database.pool.connect();
  try {
    const both = await Promise.all([
      importLines(client, [cup, battle({})]),
      importLines(other, [cup, battle({})]),
    ]);
    assert.deepEqual(
      both.flatMap(({ refusals: refused }) => refused),
      [],
    );
  } finally {
    other.release();
  }
  const [facts] = await readTournaments(client, ['cup']);
  assert.equal(facts?.battles.length, 3);
});

/** Runs `work` while every write of a club fails with `code`, as long as `condition` holds. */
async function whileClubsFail(code: string, condition: string, work: () => Promise<void>): Promise<void> {
  await client.query(`create sequence record.attempt;
    create function record.fail() returns trigger language plpgsql as $$ begin
      if ${condition} then raise exception 'in the way' using errcode = '${code}'; end if;
      return new;
    end $$;
    create trigger fail before insert on record.club for each row execute function record.fail()`);
  try {
    await work();
  } finally {
    await client.query('drop function record.fail cascade; drop sequence record.attempt');
  }
}
const clubs = Array.from({ length: 8 }, (_, index) => ({ kind: 'club', slug: `c${index}`, name: 'C' }));

test('a batch that was a deadlock victim is tried again, whole', async () => {
  for (const dryRun of [true, false]) {
    await emptyFacts(client);
    await whileClubsFail('40P01', `nextval('record.attempt') <= 2`, async () => {
      const imported = await importLines(client, clubs, { dryRun });
      assert.deepEqual([imported.refusals, imported.records], [[], 8]);
    });
  }
  const { rows } = await client.query('select count(distinct xmin::text)::int as n from record.club');
  assert.deepEqual(rows, [{ n: 1 }]);
});

test('what is in the way again and again splits the batch, and in the end the import; no record is refused for it', async () => {
  await emptyFacts(client);
  await whileClubsFail('40001', `new.slug = 'c6'`, async () => {
    await assert.rejects(importLines(client, clubs), /in the way/);
  });
  const { rows } = await client.query('select count(*)::int as n from record.club');
  assert.deepEqual(rows, [{ n: 6 }], 'what came before it is recorded');
});
