import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { derivationVersions } from '../../src/publish/compare.ts';
import { addDigests, deriveDigests, digestsFile, type Digests } from '../../harness/golden/digests.ts';

test('the documents are those that these versions of the derivations made before', async () => {
  const recorded = JSON.parse(await readFile(digestsFile, 'utf8')) as Digests;
  assert.deepEqual(
    addDigests(recorded, derivationVersions, await deriveDigests()),
    recorded,
    'digests.json is out of date: run `npm run generate` and commit the result',
  );
});

test('a new folder and a new version are added, and the digests of older versions stay', () => {
  const recorded = { club: { old: { 1: 'a' } }, battle: { old: { 7: 'd' } } };
  const derived = { club: { old: 'b', added: 'c' }, battle: { old: 'd' } };
  assert.deepEqual(addDigests(recorded, { club: 2, battle: 7 }, derived), {
    club: { old: { 1: 'a', 2: 'b' }, added: { 2: 'c' } },
    battle: { old: { 7: 'd' } },
  });
});

test('a recorded digest is never replaced', () => {
  const recorded = { club: { one: { 2: 'a' }, other: { 2: 'b' } } };
  assert.throws(
    () => addDigests(recorded, { club: 2 }, { club: { one: 'a', other: 'c' } }),
    /^Error: The documents of other differ from those that version 2 made\. Raise derivationVersions\.club /,
  );
});

test('a version is never lowered', () => {
  assert.throws(
    () => addDigests({ club: { one: { 2: 'a', 3: 'a' } } }, { club: 2 }, { club: { one: 'a' } }),
    /derivationVersions\.club is 2, but 3 was used already/,
  );
});
