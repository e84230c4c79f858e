import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Moved, noticesOf } from './notice.ts';

const nothing: Moved = { tournament: new Map(), battle: new Map(), club: new Map(), player: new Map() };

test('nothing moved: no notice', () => {
  assert.deepEqual(noticesOf(nothing), []);
});

test('one notice says what moved and where to', () => {
  const [payload, ...more] = noticesOf({
    ...nothing,
    tournament: new Map([['spring-cup', 7n]]),
    player: new Map([
      ['ann', 8n],
      ['bob', 9n],
    ]),
    tournaments: 10n,
  });
  assert.deepEqual(JSON.parse(payload ?? ''), {
    moved: { tournament: { 'spring-cup': '7' }, player: { ann: '8', bob: '9' }, tournaments: '10' },
  });
  assert.deepEqual(more, []);
});

test('many are split below the limit of a payload, and nothing is lost or said twice', () => {
  const player = new Map(Array.from({ length: 1_500 }, (_, i) => [`player-${i}`.padEnd(64, 'x'), BigInt(i)]));
  const battle = new Map([['b', 5n]]);
  const payloads = noticesOf({ ...nothing, player, battle, tournaments: 3n });
  assert.ok(payloads.length > 1 && payloads.length <= 16);
  const heard: [string, string][] = [];
  for (const payload of payloads) {
    assert.ok(Buffer.byteLength(payload) < 8_000);
    const { moved } = JSON.parse(payload) as { moved: { player?: Record<string, string> } };
    heard.push(...Object.entries(moved.player ?? {}));
  }
  assert.equal(heard.length, 1_500);
  assert.deepEqual(new Map(heard.map(([key, revision]) => [key, BigInt(revision)])), player);
  assert.equal(payloads.filter((payload) => payload.includes('"tournaments":"3"')).length, 1);
});

test('a flood becomes: everything', () => {
  const battle = new Map(Array.from({ length: 8_000 }, (_, i) => [`battle-${i}`, BigInt(i)]));
  assert.deepEqual(noticesOf({ ...nothing, battle }), ['{"everything":true}']);
});
