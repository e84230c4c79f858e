import assert from 'node:assert/strict';
import { test } from 'node:test';
import { siteFiles } from './site-files.ts';
import { siteHostile } from './site-hostile.ts';
import { siteLive } from './site-live.ts';
import { siteLook } from './site-look.ts';
import { sitePages } from './site-pages.ts';

// As small.test.ts, on one version only: these look at pages, mostly in a browser.

const serverUrl = process.env['TEST_DATABASE_URL'] ?? '';

for (const [name, proof] of Object.entries({ sitePages, siteFiles, siteLook, siteHostile, siteLive })) {
  test(`${name} holds at a small size`, async () => {
    const figures = await proof({ serverUrl, size: 'small' });
    assert.ok(figures.length > 0);
    for (const figure of figures) console.log(figure);
  });
}
