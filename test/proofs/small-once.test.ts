import assert from 'node:assert/strict';
import { test } from 'node:test';
import { installedProxies } from '../install/proxies.ts';
import { rollingRestart } from '../install/rolling-restart.ts';
import { importMemory } from './import-memory.ts';

// As small.test.ts: the memory of our own process, and restarts behind a proxy.

const serverUrl = process.env['TEST_DATABASE_URL'] ?? '';

test('importMemory holds at a small size', async () => {
  const figures = await importMemory({ serverUrl, size: 'small' });
  assert.ok(figures.length > 0);
  for (const figure of figures) console.log(figure);
});

// `.ci/run` installs the proxies.
const skip = (await installedProxies()).length > 0 ? false : 'neither caddy nor nginx is installed';

test('rollingRestart holds at a small size', { skip }, async () => {
  const figures = await rollingRestart({ serverUrl, size: 'small' });
  assert.ok(figures.length > 0);
  for (const figure of figures) console.log(figure);
});
