import assert from 'node:assert/strict';
import { test } from 'node:test';
import { upgrade } from './upgrade.ts';

// Fewer requests than `npm run prove upgrade`, and other tests may run beside it.
test('the previous version answers without a failure while this one comes up beside it', async () => {
  const figures = await upgrade({ serverUrl: process.env['TEST_DATABASE_URL'] ?? '', size: 'small' });
  assert.ok(figures.length > 0);
  for (const figure of figures) console.log(figure);
});
