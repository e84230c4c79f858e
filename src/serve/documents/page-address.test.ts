import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withPageAddress } from './page-address.ts';

const wanted = '{"name":"A \\"url\\":\\"b","url":"https://new.example/site/clubs/north-gate"}';

test('a document is stored up to its address, and the server adds it', () => {
  const stored = '{"name":"A \\"url\\":\\"b","url":"';
  assert.equal(withPageAddress(stored, 'https://new.example/site', 'clubs', 'north-gate'), wanted);
});

test('the address in a document of an older version is replaced', () => {
  const stored = '{"name":"A \\"url\\":\\"b","url":"http://localhost:3001/clubs/north-gate"}';
  assert.equal(withPageAddress(stored, 'https://new.example/site', 'clubs', 'north-gate'), wanted);
});
