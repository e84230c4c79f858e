import assert from 'node:assert/strict';
import { test } from 'node:test';
import { statements } from '../../bench/statements.ts';

test('repeated answers and 304s send PostgreSQL no statement, as its own log counts them', async (context) => {
  const { lines, failures } = await statements({
    battles: 500,
    slices: 0,
    sizes: [],
    requests: 0,
    quick: true,
    say: () => {},
  });
  for (const line of lines) context.diagnostic(line);
  assert.deepEqual(failures, []);
});
