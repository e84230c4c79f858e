import assert from 'node:assert/strict';
import { test } from 'node:test';
import { guest } from '../../../scripts/openapi/example-world.ts';
import type { SiteSettings } from '../site-settings.ts';
import { en } from '../words/en.ts';
import { comparison } from './comparison.ts';

test('an empty sub-faction and none look the same: a dash, or no row', () => {
  const site = { siteUrl: 'https://wartable.example', words: en } as SiteSettings;
  const shown = (first: string | null, second: string | null) =>
    comparison(site, [
      { ...guest, subFaction: first },
      { ...guest, subFaction: second },
    ]).text;
  assert.equal(shown('', 'Pale Hunt'), shown(null, 'Pale Hunt'));
  assert.match(shown('', 'Pale Hunt'), /<td>–<\/td><th scope="row">Formation</);
  assert.equal(shown('', ''), shown(null, null));
  assert.doesNotMatch(shown('', null), /Formation/);
});
