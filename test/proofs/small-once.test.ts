import assert from 'node:assert/strict';
import { test } from 'node:test';
import { everyValueOccurs } from './every-value-occurs.ts';
import { importMemory } from './import-memory.ts';

// As small.test.ts, on one version only: these look at the memory of our own process and at the values of the world.

const serverUrl = process.env['TEST_DATABASE_URL'] ?? '';

for (const [name, proof] of Object.entries({ everyValueOccurs, importMemory })) {
  test(`${name} holds at a small size`, async () => {
    const figures = await proof({ serverUrl, size: 'small' });
    assert.ok(figures.length > 0);
    for (const figure of figures) console.log(figure);
  });
}
