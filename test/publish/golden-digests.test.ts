import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { derivationVersion } from '../../src/publish/compare.ts';
import { addDigests, deriveDigests, digestsFile, type Digests } from './golden-digests.ts';

test('the documents are those that this derivationVersion made before', async () => {
  const recorded = JSON.parse(await readFile(digestsFile, 'utf8')) as Digests;
  assert.deepEqual(
    addDigests(recorded, derivationVersion, await deriveDigests()),
    recorded,
    'digests.json is out of date: run `npm run generate` and commit the result',
  );
});

test('a new folder and a new version are added, and the digests of older versions stay', () => {
  assert.deepEqual(addDigests({ old: { 1: 'a' } }, 2, { old: 'b', added: 'c' }), {
    old: { 1: 'a', 2: 'b' },
    added: { 2: 'c' },
  });
});

test('a recorded digest is never replaced', () => {
  assert.throws(
    () => addDigests({ one: { 2: 'a' }, other: { 2: 'b' } }, 2, { one: 'a', other: 'c' }),
    /^Error: The documents of other differ from those that version 2 made\. Raise derivationVersion /,
  );
});

test('the version is never lowered', () => {
  assert.throws(
    () => addDigests({ one: { 2: 'a', 3: 'a' } }, 2, { one: 'a' }),
    /is 2, but 3 was used already/,
  );
});
