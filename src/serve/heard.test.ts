import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createHeard } from './heard.ts';

test('a copy is old when a newer revision was heard of, or when there is none of what was heard of', () => {
  const heard = createHeard();
  const moved = { tournament: { a: '20' }, club: { c: '5' }, tournaments: '21' };
  assert.ok(heard.apply(JSON.stringify({ moved })));
  assert.ok(heard.isNewer('tournament:a', '19'));
  assert.ok(!heard.isNewer('tournament:a', '20'));
  assert.ok(!heard.isNewer('tournament:a', '100'));
  assert.ok(heard.isNewer('tournament:a', undefined));
  assert.ok(!heard.isNewer('tournament:b', undefined));
  assert.ok(!heard.isNewer('club:a', '1'));
  assert.ok(heard.isNewer('club:c', '4'));
  assert.ok(heard.isNewer('tournaments', '20'));
});

test('an older notice that comes late changes nothing', () => {
  const heard = createHeard();
  heard.apply('{"moved":{"player":{"p":"9"}}}');
  heard.apply('{"moved":{"player":{"p":"8"}}}');
  assert.ok(heard.isNewer('player:p', '8'));
  assert.ok(!heard.isNewer('player:p', '9'));
});

for (const payload of [
  '{"everything":true}',
  '',
  'x',
  'null',
  '[]',
  '{"moved":1}',
  '{"moved":{"club":{"a":1}}}',
  '{"moved":{"club":{"a":"1e9"}}}',
  '{"moved":{"club":{"a":"99999999999999999999"}}}',
]) {
  test(`${payload === '' ? 'an empty notice' : payload} says that anything may have moved`, () => {
    assert.equal(createHeard().apply(payload), false);
  });
}

test('what is kept is bounded: beyond it, anything may have moved', () => {
  const heard = createHeard(2);
  assert.ok(heard.apply('{"moved":{"club":{"a":"1","b":"1"}}}'));
  assert.ok(!heard.apply('{"moved":{"club":{"c":"1"}}}'));
  assert.ok(!heard.isNewer('club:a', undefined));
});
