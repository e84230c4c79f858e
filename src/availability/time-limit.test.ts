import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stopClock } from '../../harness/support/clock.ts';
import { TimeLimit, type Timed } from './time-limit.ts';

interface Named extends Timed {
  name: string;
}
const thing = (name: string): Named => ({ name, startedAt: 0, before: undefined, after: undefined });

test('what is still there after the limit is late, the oldest first, and only once', (t) => {
  const pass = stopClock(t);
  const late: string[] = [];
  const limit = new TimeLimit<Named>(40, ({ name }) => late.push(name));
  const [a, b, c, d] = [thing('a'), thing('b'), thing('c'), thing('d')];
  for (const each of [a, b, c, d]) limit.add(each);
  limit.remove(b);
  limit.remove(b);
  limit.remove(d);
  pass(30);
  assert.deepEqual(late, []);
  pass(10);
  assert.deepEqual(late, ['a', 'c']);
  limit.add(b);
  limit.remove(b);
  limit.add(d);
  pass(200);
  assert.deepEqual(late, ['a', 'c', 'd']);
});

test('each thing may be removed while all are visited', () => {
  const limit = new TimeLimit<Named>(1_000, () => {});
  const seen: string[] = [];
  for (const name of ['a', 'b', 'c']) limit.add(thing(name));
  limit.each((each) => {
    seen.push(each.name);
    limit.remove(each);
  });
  limit.each(({ name }) => seen.push(name));
  assert.deepEqual(seen, ['a', 'b', 'c']);
});
