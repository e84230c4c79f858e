import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InvalidArgumentError } from 'commander';
import { pastMoment } from './moment.ts';

test('a date is midnight UTC, and a time is taken with its zone', () => {
  assert.equal(pastMoment('2026-12-31').toISOString(), '2026-12-31T00:00:00.000Z');
  assert.equal(pastMoment('2026-12-31T18:00+02:00').toISOString(), '2026-12-31T16:00:00.000Z');
  assert.equal(pastMoment('2026-12-31T18:00:01.5Z').toISOString(), '2026-12-31T18:00:01.500Z');
});

test('an age is counted back from now', () => {
  for (const [given, hours] of [
    ['90m', 1.5],
    ['12h', 12],
    ['7d', 168],
  ] as const) {
    const age = Date.now() - pastMoment(given).getTime();
    assert.ok(Math.abs(age - hours * 3_600_000) < 1_000, given);
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
