import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliCompressSync, constants } from 'node:zlib';
import { readAssets } from './assets.ts';

// Everybody in a hall loads these files at once, over one network. The sizes are those that servers send, which
// compress with quality 5.
test('styles and scripts stay small', () => {
  const { pages } = readAssets('https://wartable.example');
  const most = { 'style.css': 8_900, 'script.js': 6_000, 'screen.css': 2_930, 'screen.js': 2_000 };
  for (const [file, limit] of Object.entries(most)) {
    const [, page] = Object.entries(pages).find(([path]) => path.endsWith(`/${file}`)) ?? [];
    assert.ok(page, file);
    const { length } = brotliCompressSync(page.text, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
    assert.ok(length <= limit, `${file} has ${length} bytes, and may have ${limit}`);
  }
});
