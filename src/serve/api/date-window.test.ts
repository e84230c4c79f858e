import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isDate, readDateWindow } from './date-window.ts';
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

test('a date is what the calendar has, and nothing else', () => {
  const asDate = (text: string) => new Date(`${text}T00:00:00Z`);
  const twoDigits = (most: number) =>
    fc.integer({ min: 0, max: most }).map((n) => String(n).padStart(2, '0'));
  const year = fc.integer({ min: 1, max: 9999 }).map((n) => String(n).padStart(4, '0'));
  fc.assert(
    fc.property(year, twoDigits(14), twoDigits(33), (y, m, d) => {
      const text = `${y}-${m}-${d}`;
      const date = asDate(text);
      const inCalendar = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
      assert.equal(isDate(text), inCalendar, text);
    }),
    { numRuns: 2_000 },
  );
});
