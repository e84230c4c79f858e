import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseStored, withPageAddress } from './page-address.ts';

const stored = '{"name":"A \\"url\\":\\"b","url":"';

test('a document is stored up to its address, and the server adds it', () => {
  const wanted = '{"name":"A \\"url\\":\\"b","url":"https://new.example/site/clubs/north-gate"}';
  assert.equal(withPageAddress(stored, 'https://new.example/site/clubs/', 'north-gate'), wanted);
});

test('a stored document is read without its address', () => {
  assert.deepEqual(parseStored(stored), { name: 'A "url":"b', url: '' });
});
