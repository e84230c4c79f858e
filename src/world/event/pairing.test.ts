import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { pair } from './pairing.ts';

test('each player is paired once or has a bye, and no player has two byes', () => {
  const fields = fc.integer({ min: 1, max: 30 }).chain((size) =>
    fc.record({
      size: fc.constant(size),
      met: fc
        .array(fc.tuple(fc.nat(size - 1), fc.nat(size - 1)), { maxLength: size * 3 })
        .map((pairs) => new Set(pairs.flatMap(([a, b]) => [`${a} ${b}`, `${b} ${a}`]))),
      byes: fc.uniqueArray(fc.nat(size - 1), { maxLength: size - 1 }).map((byes) => new Set(byes)),
    }),
  );
  fc.assert(
    fc.property(fields, ({ size, met, byes }) => {
      const { pairs, bye } = pair(
        size,
        (a, b) => met.has(`${a} ${b}`),
        (a) => byes.has(a),
      );
      const seen = [...pairs.flat(), ...(bye === undefined ? [] : [bye])].toSorted((a, b) => a - b);
      assert.deepEqual(seen, [...Array.from({ length: size }).keys()]);
      assert.ok(bye === undefined || !byes.has(bye));
    }),
  );
});

test('neighbours meet, and pairs at the end change for those who have met everybody else', () => {
  const meet = (...met: string[]) =>
    pair(
      6,
      (a, b) => met.includes(`${a}${b}`),
      () => false,
    ).pairs;
  assert.deepEqual(meet(), [
    [0, 1],
    [2, 3],
    [4, 5],
  ]);
  assert.deepEqual(meet('01'), [
    [0, 2],
    [1, 3],
    [4, 5],
  ]);
  assert.deepEqual(meet('45'), [
    [0, 1],
    [2, 4],
    [3, 5],
  ]);
});
