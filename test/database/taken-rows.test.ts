import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { createDatabases } from '../../src/database/databases.ts';
import { createTestDatabase } from '../support/database.ts';

test('what the driver keeps of a read has no rows: they would live until a full garbage collection', async (t) => {
  const { url } = await createTestDatabase();
  const databases = createDatabases({
    primaryUrl: url,
    replicaUrls: [],
    kinds: { documents: { applicationName: 'test', size: 1, queryTimeoutMs: 2_000 } },
    onChange: () => {},
  });
  t.after(() => databases.close());
  const results: Promise<pg.QueryResult>[] = [];
  const query = Reflect.get(pg.Pool.prototype, 'query') as (...given: unknown[]) => Promise<pg.QueryResult>;
  t.mock.method(pg.Pool.prototype, 'query', function ask(this: pg.Pool, ...given: unknown[]) {
    const result = query.apply(this, given);
    results.push(result);
    return result;
  });

  const { rows } = await databases.of.documents[0].query(`select 'text' as text`);
  assert.deepEqual(rows, [{ text: 'text' }]);
  assert.deepEqual(await Promise.all(results.map(async (result) => (await result).rows)), [[]]);
});
