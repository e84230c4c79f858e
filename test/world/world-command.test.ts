import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wartable } from '../support/command.ts';
import { startsByStatus } from '../support/starts-by-status.ts';

test('--today is the day on which the world is looked at: an event is under way, others are still to come', async () => {
  // A Wednesday: events under way begin on any day of the week, the others mostly on Saturdays.
  const today = '2026-05-06';
  const { code, stdout, stderr } = await wartable(['world', '--battles', '400', '--today', today], {});
  assert.equal(code, 0, stderr);
  const starts = startsByStatus(stdout);
  assert.ok(starts.ongoing.length > 0 && starts.planned.length > 0 && starts.finished.length > 0);
  for (const start of starts.ongoing) assert.ok(['2026-05-05', today].includes(start), start);
  for (const start of starts.planned) assert.ok(start > today, start);
  for (const start of starts.finished) assert.ok(start < today, start);

  const event = await wartable(['world', '--event', '--players', '8', '--today', today], {});
  assert.deepEqual(startsByStatus(event.stdout).finished, [today]);
});

test('the command says what is wrong with its options', async () => {
  for (const [options, message] of [
    [['--battles', 'many'], /It must be a whole number/],
    [['--today', '2026-02-30'], /It must be a date, like/],
    [['--today', '9999-10-01'], /It must be 9999-09-30 or earlier/],
    [['--event', '--format', 'league'], /"league" is not a format/],
    [['--event', '--format', 'swiss+placements'], /placements without a knockout/],
    [['--live'], /--live needs --event/],
    [['--event', '--speed', '5'], /--speed needs --live/],
    [['--today', '2022-01-02'], /--today must be at least four weeks/],
  ] as const) {
    const { code, stderr } = await wartable(['world', ...options], {});
    assert.equal(code, 2);
    assert.match(stderr, message);
  }
});
