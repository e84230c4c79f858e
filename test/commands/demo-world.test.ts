import assert from 'node:assert/strict';
import { test } from 'node:test';
import { demoEvent } from '../../src/demo/live-events.ts';
import { demoFeed } from '../../src/demo/world.ts';
import type { FeedRecord } from '../../src/record/feed/records.ts';
import { dateOf, dayNumber } from '../../src/world/dates.ts';
import { startsByStatus } from '../../harness/support/starts-by-status.ts';

test('on any day, the world has years of finished events, and others are planned and ongoing', () => {
  // These cover every day of the week, and the turns of months and years.
  for (const first of ['2026-11-12', '2026-12-28', '2028-02-25']) {
    for (let today = dayNumber(first); today < dayNumber(first) + 7; today += 2) {
      const date = dateOf(today);
      const { planned, ongoing, finished } = startsByStatus(
        demoFeed(today)
          .map((record) => JSON.stringify(record))
          .join('\n'),
      );
      assert.ok(
        planned.some((start) => start > date),
        date,
      );
      assert.ok(
        ongoing.some((start) => start >= dateOf(today - 1)),
        date,
      );
      const years = new Set(finished.map((start) => start.slice(0, 4)));
      assert.ok(years.size >= 4, `${date}: ${[...years].join(' ')}`);
    }
  }
});

test('each event opens with round 1 paired, reaches its knockout and a champion, and has players of the world', () => {
  const known = new Set(
    demoFeed(dayNumber('2026-11-14')).flatMap((record) => (record.kind === 'player' ? record.id : [])),
  );
  const slugs = new Set<string>();
  for (let turn = 0; turn < 20; turn += 1) {
    const { slug, opening, rest } = demoEvent(turn);
    slugs.add(slug);
    const paired = opening.filter((record) => record.kind === 'battle');
    assert.ok(paired.length >= 11, `${paired.length}`);
    assert.ok(paired.every((record) => 'round' in record && record.round === 1 && record.finished !== true));
    const swiss = rest.filter((record) => isResult(record, 'swiss')).length;
    // With one result every four seconds, the knockout begins within three minutes.
    assert.ok(swiss > 25 && swiss <= 42, `${swiss}`);
    assert.ok(rest.filter((record) => isResult(record, 'knockout')).length >= 4);
    const last = rest.at(-1);
    assert.ok(last?.kind === 'tournament' && last.status === 'finished');
    for (const record of opening)
      if (record.kind === 'participant' && record.player) assert.ok(known.has(record.player), record.player);
  }
  assert.equal(slugs.size, 20);
});

function isResult(record: FeedRecord, stage: string): boolean {
  return record.kind === 'battle' && record.finished === true && 'stage' in record && record.stage === stage;
}
