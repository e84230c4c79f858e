import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isCalendarDate } from './patterns.ts';

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
      assert.equal(isCalendarDate(text), inCalendar, text);
    }),
    { numRuns: 2_000 },
  );
});

for (const text of [
  '',
  'yesterday',
  '0000-01-01',
  '2026-1-1',
  '02026-01-01',
  '2026-01-01T00:00',
  '2026-01-01 BC',
]) {
  test(`"${text}" is no date`, () => {
    assert.equal(isCalendarDate(text), false);
  });
}
