import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withQuery } from './pager.ts';

test('a query is written as browsers write it', () => {
  for (const value of ['a b', "O'Brien (1) ~!*", 'Ünal & Söhne=1+1', '山田', '\uD800', '%', '']) {
    const expected = new URLSearchParams({ stage: 'swiss', name: value }).toString();
    assert.equal(withQuery('/x', { none: undefined, stage: 'swiss', name: value }), `/x?${expected}`);
  }
  assert.equal(withQuery('/x', { none: undefined }), '/x');
});
