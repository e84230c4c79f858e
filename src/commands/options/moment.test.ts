import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InvalidArgumentError } from 'commander';
import { durationMs, futureMoment, pastMoment } from './moment.ts';

test('a date is midnight UTC, and a time is taken with its zone', () => {
  assert.equal(pastMoment('2026-12-31').toISOString(), '2026-12-31T00:00:00.000Z');
  assert.equal(pastMoment('2026-12-31T18:00+02:00').toISOString(), '2026-12-31T16:00:00.000Z');
  assert.equal(pastMoment('2026-12-31T18:00:01.5Z').toISOString(), '2026-12-31T18:00:01.500Z');
});

test('an age is counted back from now', (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: 1_800_000_000_000 });
  for (const [given, hours] of [
    ['90m', 1.5],
    ['12h', 12],
    ['7d', 168],
  ] as const) {
    assert.equal(Date.now() - pastMoment(given).getTime(), hours * 3_600_000, given);
  }
});

test('text that means no exact moment is refused', () => {
  for (const given of [
    '',
    '7',
    'd',
    '-7d',
    '7w',
    '1.5d',
    '9999999d',
    '2026-02-30',
    '2026-13-01',
    '2026-1-1',
  ]) {
    assert.throws(() => pastMoment(given), InvalidArgumentError, given);
  }
  for (const given of [
    '2026-12-31T18:00',
    '2026-12-31T25:00Z',
    '31.12.2026',
    'yesterday',
    '2026-12-31 18:00Z',
  ]) {
    assert.throws(() => pastMoment(given), InvalidArgumentError, given);
  }
});

test('an end is counted on from now, and one that has passed is refused', (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: 1_800_000_000_000 });
  assert.equal(futureMoment('90d').getTime() - Date.now(), 90 * 86_400_000);
  assert.equal(futureMoment('2999-12-31').toISOString(), '2999-12-31T00:00:00.000Z');
  for (const given of ['0d', '2020-01-01', '9999999999d']) {
    assert.throws(() => futureMoment(given), InvalidArgumentError, given);
  }
});

test('an overlap is a length of time and no date', () => {
  assert.equal(durationMs('7d'), 604_800_000);
  assert.equal(durationMs('0m'), 0);
  assert.throws(() => durationMs('2999-12-31'), InvalidArgumentError);
});
