import assert from 'node:assert/strict';
import { test } from 'node:test';
import { upgrade } from './upgrade.ts';

// At the stated size: it takes seconds. `npm run prove upgrade` writes its figures into docs/proofs.md.
test('the previous version answers without a failure while this one comes up beside it', async () => {
  const figures = await upgrade({ serverUrl: process.env['TEST_DATABASE_URL'] ?? '', size: 'stated' });
  assert.ok(figures.length > 0);
  for (const figure of figures) console.log(figure);
});
