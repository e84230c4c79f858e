import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judge } from '../../bench/bars.ts';
import { columns, type MeasuredEndpoint } from '../../bench/columns.ts';
import { endpointSpeed } from '../../bench/endpoint-speed.ts';
import { endpoints, keysOf } from '../../bench/endpoints.ts';
import { withWorld } from '../../bench/world.ts';
import { endpoints as contract } from '../../src/contract/endpoints.ts';

const serverUrl = process.env['TEST_DATABASE_URL'] ?? '';

test('npm run bench -- --quick measures every column, and judges none', async (context) => {
  // If the machine stands still for two seconds, the server refuses reads, as it should, and there is nothing
  // to measure.
  const { lines, figures, failures } = await quickRun().catch(quickRun);
  for (const line of lines) context.diagnostic(line);
  const measured = figures['endpoints'] as MeasuredEndpoint[];
  assert.deepEqual(
    measured.map((each) => Object.keys(each.columns).toSorted()),
    [columns.toSorted()],
  );
  assert.deepEqual(failures, []);
});

function quickRun() {
  return endpointSpeed({
    serverUrl,
    battles: 1_000,
    slices: 3,
    sizes: [],
    requests: 0,
    phones: [],
    quick: true,
    say: () => {},
  });
}

test('every endpoint of the contract is measured, with the statement and the parameters that it has', async () => {
  assert.equal(endpoints.length, contract.length);
  await withWorld({ serverUrl, battles: 500 }, async ({ pool }) => {
    for (const endpoint of endpoints) {
      const [key = ''] = await keysOf(pool, endpoint, 1);
      const { rows } = await pool.query<{ document?: string | null; documents?: string | null }>(
        endpoint.statement.text,
        endpoint.values(key),
      );
      const read = rows[0]?.[endpoint.isList ? 'documents' : 'document'];
      assert.equal(typeof read, 'string', `${endpoint.name} of ${key}`);
    }
  });
});

test('a run fails below a bar, of a list or a single resource, and a quick run never does', () => {
  const spread = (median: number) => ({ median, least: median, most: median });
  const page = (hot: number) => ({
    endpoint: 'a list',
    isList: true,
    coldKeys: 1,
    coldBytes: 1,
    hotKeys: 1,
    hotBytes: 1,
    coldCacheMb: 1,
    columns: { hot: spread(hot), map: spread(100) },
  });
  const bar = { column: 'hot', of: 'map', least: 0.75 } as const;
  assert.equal(judge([page(74)], false, [bar]).failures.length, 1);
  assert.equal(judge([page(76)], false, [bar]).failures.length, 0);
  assert.equal(judge([page(1)], true, [bar]).failures.length, 0);
  assert.equal(judge([{ ...page(74), isList: false }], false, [bar]).failures.length, 1);
  assert.equal(judge([page(1)], false, [{ ...bar, of: 'driver' }]).failures.length, 0);
});
