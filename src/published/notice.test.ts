import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decodeNotice, encodeNotices, type MovedThings, movedKinds, movedLists } from './notice.ts';

test('nothing moved: no notice', () => {
  assert.deepEqual(encodeNotices({}), []);
  assert.deepEqual(encodeNotices({ club: new Map() }), []);
});

// The servers and the publisher may be from two different releases, so the written form must not change.
test('one notice names the revisions that moved', () => {
  const moved: MovedThings = {
    tournament: new Map([['spring-cup', 7n]]),
    player: new Map([
      ['ann', 8n],
      ['bob', 9n],
    ]),
    tournaments: 10n,
    search: 11n,
  };
  const payload =
    '{"moved":{"tournament":{"spring-cup":"7"},"player":{"ann":"8","bob":"9"},"tournaments":"10","search":"11"}}';
  assert.deepEqual(encodeNotices(moved), [payload]);
  assert.deepEqual(decodeNotice(payload), moved);
});

test('a server reads exactly what the publisher wrote', () => {
  const key = fc.oneof(fc.constant('__proto__'), fc.stringMatching(/^[A-Za-z0-9_-]{1,100}$/));
  const revision = fc.bigInt({ min: 0n, max: 10n ** 18n - 1n });
  const revisions = fc.array(fc.tuple(key, revision)).map((pairs) => new Map(pairs));
  const anyMoved: fc.Arbitrary<MovedThings> = fc.record(
    {
      tournament: revisions,
      battle: revisions,
      club: revisions,
      player: revisions,
      tournaments: revision,
      search: revision,
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(anyMoved, (moved) => {
      assert.deepEqual(entriesOf(encodeNotices(moved).map(decoded)), entriesOf([moved]));
    }),
  );
});

test('many revisions are split below the limit of a payload, and each is said once', () => {
  const player = new Map(Array.from({ length: 1_500 }, (_, i) => [`player-${i}`.padEnd(64, 'x'), BigInt(i)]));
  const moved: MovedThings = { player, battle: new Map([['b', 5n]]), tournaments: 3n, search: 4n };
  const payloads = encodeNotices(moved);
  assert.ok(payloads.length > 1 && payloads.length <= 16);
  for (const payload of payloads) assert.ok(Buffer.byteLength(payload) < 8_000);
  assert.deepEqual(entriesOf(payloads.map(decoded)), entriesOf([moved]));
});

test('a flood becomes: everything', () => {
  const battle = new Map(Array.from({ length: 8_000 }, (_, i) => [`battle-${i}`, BigInt(i)]));
  assert.deepEqual(encodeNotices({ battle }), ['{"everything":true}']);
});

for (const payload of [
  '{"everything":true}',
  '',
  'x',
  'null',
  '[]',
  '{"moved":1}',
  '{"moved":{"club":1}}',
  '{"moved":{"club":{"a":1}}}',
  '{"moved":{"club":{"a":"1"},"player":{"b":"-1"}}}',
  '{"moved":{"club":{"a":"1e9"}}}',
  '{"moved":{"club":{"a":"99999999999999999999"}}}',
  '{"moved":{"tournaments":1}}',
  '{"moved":{"toString":{"a":"1"}}}',
  '{"moved":{"club":{"a":"1"},"search":{"a":"1"}}}',
  '{"moved":{"club":{"a":"1"},"of a later version":"1"}}',
]) {
  test(`${payload === '' ? 'an empty notice' : payload} says that everything may have moved`, () => {
    assert.equal(decodeNotice(payload), 'everything');
  });
}

/** Returns each revision once, in an order that does not depend on how the notices were cut. */
function entriesOf(parts: MovedThings[]): string[] {
  return parts
    .flatMap((part) => [
      ...movedKinds.flatMap((kind) => [...(part[kind] ?? [])].map((entry) => `${kind} ${entry.join(' ')}`)),
      ...movedLists.flatMap((list) => (part[list] === undefined ? [] : [`${list} ${part[list]}`])),
    ])
    .toSorted();
}

function decoded(payload: string): MovedThings {
  const moved = decodeNotice(payload);
  assert.ok(moved !== 'everything', payload);
  return moved;
}
