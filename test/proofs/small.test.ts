import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boardsOverHttp } from './boards-over-http.ts';
import { cacheExact } from './cache-exact.ts';
import { crowd } from './crowd.ts';
import { eraseKill } from './erase-kill.ts';
import { factions } from './factions.ts';
import { files } from './files.ts';
import { fuzz } from './fuzz.ts';
import { importKill } from './import-kill.ts';
import { importOutage } from './import-outage.ts';
import { importSpeed } from './import-speed.ts';
import { publishKill } from './publish-kill.ts';
import { publishResult } from './publish-result.ts';
import { publishSpeed } from './publish-speed.ts';
import { searchBuffers } from './search-buffers.ts';
import { walks } from './walks.ts';

// The proofs of `npm run prove` at a small size, for CI. Each throws when it misses its bar.

const serverUrl = process.env['TEST_DATABASE_URL'] ?? '';
const proofs = {
  importKill,
  importOutage,
  importSpeed,
  publishKill,
  publishResult,
  publishSpeed,
  searchBuffers,
  eraseKill,
  factions,
  files,
  crowd,
  fuzz,
  walks,
  boardsOverHttp,
  cacheExact,
};

for (const [name, proof] of Object.entries(proofs)) {
  test(`${name} holds at a small size`, async () => {
    const figures = await proof({ serverUrl, size: 'small' });
    assert.ok(figures.length > 0);
    for (const figure of figures) console.log(figure);
  });
}
