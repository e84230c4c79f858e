import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import {
  type decodeNotice as decode,
  encodeNotices,
  type MovedThings,
  movedLists,
} from '../../src/published/notice.ts';
import { withPreviousFiles } from '../../harness/upgrade/previous-version.ts';

// Servers of the previous version listen to publishers of this one.
test('the version before reads a notice exactly, or as: everything may have moved', async () => {
  await withPreviousFiles(async (folder) => {
    const file = pathToFileURL(path.join(folder, 'src/published/notice.ts')).href;
    const { decodeNotice } = (await import(file)) as { decodeNotice: typeof decode };
    const kinds: MovedThings = {
      tournament: new Map([['cup', 1n]]),
      battle: new Map([['b', 2n]]),
      club: new Map([['lions', 3n]]),
      player: new Map([['ann', 4n]]),
    };
    const read = (moved: MovedThings) => decodeNotice(encodeNotices(moved)[0] ?? '');
    assert.deepEqual(read({ ...kinds, tournaments: 5n }), { ...kinds, tournaments: 5n });
    const lists = movedLists.map((list): MovedThings => ({ [list]: 6n }));
    for (const moved of [...lists, { ...kinds, tournaments: 5n, search: 6n }]) {
      const heard = read(moved);
      if (heard !== 'everything') assert.deepEqual(heard, moved);
    }
  });
});
