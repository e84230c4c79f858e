import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDateWindow } from './date-window.ts';
import { readQuery } from './query.ts';

const windows: [from: string, to: string, refusal?: RegExp][] = [
  ['2025-03-01', '2026-03-01'],
  ['2025-03-01', '2026-03-02', /one year/],
  ['2024-02-29', '2025-02-28'],
  ['2024-02-29', '2025-03-01', /one year/],
  ['2023-02-28', '2024-02-28'],
  ['2023-02-28', '2024-02-29', /one year/],
  ['2024-01-31', '2025-01-31'],
  ['2026-01-01', '2026-01-01'],
  ['2026-01-02', '2026-01-01', /must not be after/],
  ['9999-06-01', '9999-12-31'],
  ['0001-01-01', '0002-01-01'],
];

for (const [from, to, refusal] of windows) {
  test(`from ${from} to ${to} is ${refusal === undefined ? 'a window' : 'refused'}`, () => {
    const read = () => readDateWindow(readQuery(`/?from=${from}&to=${to}`, ['from', 'to']));
    if (refusal === undefined) assert.deepEqual(read(), { from, to });
    else assert.throws(read, refusal);
  });
}
