import assert from 'node:assert/strict';
import { test } from 'node:test';
import { guest } from '../../../harness/support/example-world.ts';
import type { SiteSettings } from '../site-settings.ts';
import { en } from '../words/en.ts';
import { comparison } from './comparison.ts';

test('an empty grand strategy and none look the same: a dash, or no row', () => {
  const site = { siteUrl: 'https://wartable.example', words: en } as SiteSettings;
  const shown = (first: string | null, second: string | null) =>
    comparison(site, [
      { ...guest, grandStrategy: first },
      { ...guest, grandStrategy: second },
    ])?.text ?? '';
  assert.equal(shown('', 'Pale Hunt'), shown(null, 'Pale Hunt'));
  assert.match(shown('', 'Pale Hunt'), /<td>–<\/td><th scope="row">Grand strategy</);
  assert.equal(shown('', ''), shown(null, null));
  assert.doesNotMatch(shown('', null), /Grand strategy/);
});
