import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutBrowser } from '../serve/browser.ts';
import { siteFiles } from './site-files.ts';
import { siteHostile } from './site-hostile.ts';
import { siteLive } from './site-live.ts';
import { siteLook } from './site-look.ts';
import { sitePages } from './site-pages.ts';

// As small.test.ts, on one version only: these look at pages, mostly in a browser.

const serverUrl = process.env['TEST_DATABASE_URL'] ?? '';

const inBrowser = { siteLook, siteHostile, siteLive };

for (const [name, proof] of Object.entries({ sitePages, siteFiles, ...inBrowser })) {
  test(`${name} holds at a small size`, { skip: name in inBrowser && withoutBrowser }, async () => {
    const figures = await proof({ serverUrl, size: 'small' });
    assert.ok(figures.length > 0);
    for (const figure of figures) console.log(figure);
  });
}
