import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dateOf, dayOf } from '../../src/world/dates.ts';
import { devFeed } from '../../scripts/dev-world.ts';
import { startsByStatus } from '../support/starts-by-status.ts';

test('on any day, an event begins, others are planned and finished', () => {
  // Every day of the week, and the turns of months and years.
  for (const first of ['2026-11-12', '2026-12-28', '2028-02-25', '2031-06-26']) {
    for (let today = dayOf(first); today < dayOf(first) + 7; today++) {
      const date = dateOf(today);
      const { planned, ongoing, finished } = startsByStatus(devFeed(today));
      assert.ok(ongoing.includes(date), date);
      assert.ok(
        planned.some((start) => start > date),
        date,
      );
      assert.ok(finished.filter((start) => start > dateOf(today - 320) && start < date).length > 1, date);
    }
  }
});

test('no event of the season began in 2025, where the guides look', () => {
  for (const date of ['2026-03-01', '2026-11-15', '2027-06-01']) {
    const starts = Object.values(startsByStatus(devFeed(dayOf(date)))).flat();
    const before2026 = starts.filter((start) => start < '2026');
    assert.deepEqual(before2026.toSorted(), ['2025-06-14', '2025-09-06']);
  }
});
