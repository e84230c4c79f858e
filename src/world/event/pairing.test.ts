import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { pair, type Pairing } from './pairing.ts';
import { stream } from '../chance/random.ts';

/** A field with scores in descending order, earlier pairings, and players who had a bye. */
const field = (maximum: number) =>
  fc.integer({ min: 1, max: maximum }).chain((size) =>
    fc.record({
      scores: fc
        .array(fc.integer({ min: 0, max: 3 }), { minLength: size, maxLength: size })
        .map((scores) => scores.toSorted((a, b) => b - a)),
      met: fc
        .array(fc.tuple(fc.nat(size - 1), fc.nat(size - 1)), { maxLength: size * 3 })
        .map((pairs) => new Set(pairs.flatMap(([a, b]) => [`${a} ${b}`, `${b} ${a}`]))),
      byes: fc.uniqueArray(fc.nat(size - 1), { maxLength: size - 1 }).map((byes) => new Set(byes)),
    }),
  );

const paired = ({ scores, met, byes }: { scores: number[]; met: Set<string>; byes: Set<number> }) =>
  pair(
    scores,
    (a, b) => met.has(`${a} ${b}`),
    (a) => byes.has(a),
  );

test('each player is paired once or has a bye, and no player has two byes', () => {
  fc.assert(
    fc.property(field(30), (given) => {
      const { pairs, bye } = paired(given);
      const seen = [...pairs.flat(), ...(bye === undefined ? [] : [bye])].toSorted((a, b) => a - b);
      assert.deepEqual(
        seen,
        given.scores.map((_, i) => i),
      );
      assert.ok(bye === undefined || !given.byes.has(bye));
    }),
    { numRuns: 1000 },
  );
});

test('a rematch happens only if every pairing has one (compared with all pairings of up to 8)', () => {
  let avoidable = 0;
  fc.assert(
    fc.property(field(8), (given) => {
      const possible = someLegalPairing(
        given.scores.map((_, i) => i),
        given,
      );
      if (possible) avoidable++;
      assert.equal(rematches(paired(given), given.met) === 0, possible);
    }),
    { numRuns: 3000, seed: 7 },
  );
  assert.ok(avoidable > 300 && avoidable < 2700, `one-sided: ${avoidable} of 3000`);
});

test('without earlier battles, only the odd player of a score group meets the next score', () => {
  fc.assert(
    fc.property(field(40), ({ scores }) => {
      const { pairs } = paired({ scores, met: new Set(), byes: new Set() });
      const across = pairs.filter(([a, b]) => scores[a] !== scores[b]);
      const groups = [...new Set(scores)];
      for (const [a, b] of across) {
        assert.equal(groups.indexOf(scores[b] ?? -1) - groups.indexOf(scores[a] ?? -1), 1);
      }
      assert.equal(new Set(across.map(([a]) => scores[a])).size, across.length);
    }),
  );
});

test('a score group is paired within itself whenever that is possible', () => {
  fc.assert(
    fc.property(field(8), (given) => {
      const top = given.scores.flatMap((score, i) => (score === given.scores[0] ? [i] : []));
      const rest = given.scores.flatMap((score, i) => (score === given.scores[0] ? [] : [i]));
      fc.pre(top.length % 2 === 0 && someLegalPairing(top, given) && someLegalPairing(rest, given));
      const { pairs } = paired(given);
      assert.ok(pairs.every(([a, b]) => top.includes(a) === top.includes(b)));
    }),
    { numRuns: 1000 },
  );
});

test('1,000 players over 8 rounds never meet twice, and few pairs are tried', () => {
  const random = stream(1, 'pairing test');
  const points = new Int32Array(1001);
  const win = (player: number) => points.set([(points[player] ?? 0) + 3], player);
  const met = new Set<number>();
  const byes = new Set<number>();
  let tried = 0;
  for (let round = 0; round < 8; round++) {
    const order = random.shuffle([...points.keys()]).toSorted((a, b) => (points[b] ?? 0) - (points[a] ?? 0));
    const who = (i: number) => order[i] ?? -1;
    const key = (a: number, b: number) => Math.min(a, b) * 2000 + Math.max(a, b);
    const { pairs, bye } = pair(
      order.map((player) => points[player] ?? 0),
      (a, b) => {
        tried += 1;
        return met.has(key(who(a), who(b)));
      },
      (a) => byes.has(who(a)),
    );
    assert.equal(pairs.length, 500);
    for (const [a, b] of pairs) {
      assert.ok(!met.has(key(who(a), who(b))), `rematch in round ${round + 1}`);
      met.add(key(who(a), who(b)));
      win(who(random.chance(0.5) ? a : b));
    }
    assert.ok(bye !== undefined && !byes.has(who(bye)));
    byes.add(who(bye));
    win(who(bye));
  }
  // Of 4,000 pairs. Trying all pairings would never end.
  assert.ok(tried < 40_000, `${tried} pairs were tried`);
});

function someLegalPairing(left: number[], given: { met: Set<string>; byes: Set<number> }): boolean {
  const [first, ...rest] = left;
  if (first === undefined) return true;
  const sitsOut = left.length % 2 === 1 && !given.byes.has(first) && someLegalPairing(rest, given);
  return (
    sitsOut ||
    rest.some(
      (other) =>
        !given.met.has(`${first} ${other}`) &&
        someLegalPairing(
          rest.filter((player) => player !== other),
          given,
        ),
    )
  );
}

function rematches({ pairs }: Pairing, met: Set<string>): number {
  return pairs.filter(([a, b]) => met.has(`${a} ${b}`)).length;
}
