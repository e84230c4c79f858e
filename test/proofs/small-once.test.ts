import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutProxies } from '../install/proxies.ts';
import { keptPages } from '../install/kept-pages.ts';
import { rollingRestart } from '../install/rolling-restart.ts';
import { followedChanges } from './changes.ts';
import { convertFuzz } from './convert-fuzz.ts';
import { convertWorlds } from './convert-worlds.ts';
import { withoutSshd } from '../support/sshd.ts';
import { importMemory } from './import-memory.ts';
import { inStep } from './in-step.ts';

// As small.test.ts: the version before, sheets, the memory of our own process, and servers that end behind a proxy.

const serverUrl = process.env['TEST_DATABASE_URL'] ?? '';

test('importMemory holds at a small size', async () => {
  const figures = await importMemory({ serverUrl, size: 'small' });
  assert.ok(figures.length > 0);
  for (const figure of figures) console.log(figure);
});

for (const [name, proof] of Object.entries({ convertFuzz, convertWorlds, followedChanges })) {
  test(`${name} holds at a small size`, async () => {
    const figures = await proof({ serverUrl, size: 'small' });
    assert.ok(figures.length > 0);
    for (const figure of figures) console.log(figure);
  });
}

for (const [name, proof] of Object.entries({ rollingRestart, keptPages })) {
  test(`${name} holds at a small size`, { skip: await withoutProxies() }, async () => {
    const figures = await proof({ serverUrl, size: 'small' });
    assert.ok(figures.length > 0);
    for (const figure of figures) console.log(figure);
  });
}

test('inStep holds at a small size', { skip: withoutSshd }, async () => {
  const figures = await inStep({ serverUrl, size: 'small' });
  assert.ok(figures.length > 0);
  for (const figure of figures) console.log(figure);
});
