import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { createUnreadBytes } from './unread-bytes.ts';

const response = () => new EventEmitter() as ServerResponse;

test('an owner may leave a quarter unread, and all of them together the whole', () => {
  let freed = 0;
  const unread = createUnreadBytes({ maxBytes: 1_000, onFreed: () => (freed += 1) });
  const first = response();
  unread.add('a', Buffer.alloc(240), first);
  assert.ok(unread.hasRoom('a'));
  unread.add('a', Buffer.alloc(200), response());
  assert.ok(!unread.hasRoom('a'));
  assert.ok(unread.hasRoom('b'));
  for (const owner of ['b', 'c', 'd']) unread.add(owner, Buffer.alloc(200), response());
  assert.equal(unread.used(), 1_040);
  assert.ok(!unread.hasRoom('e'));
  first.emit('close');
  assert.equal(unread.used(), 800);
  assert.equal(freed, 1);
  assert.ok(unread.hasRoom('a') && unread.hasRoom('e'));
});

test('a response that is closed already counts nothing', () => {
  const unread = createUnreadBytes({ maxBytes: 1_000, onFreed: () => {} });
  unread.add('a', Buffer.alloc(500), Object.assign(response(), { closed: true }));
  assert.equal(unread.used(), 0);
});

test('answers that share their bytes count once in all, and once for each owner', () => {
  const unread = createUnreadBytes({ maxBytes: 1_000, onFreed: () => {} });
  const bytes = Buffer.alloc(200);
  const responses = ['a', 'a', 'b'].map((owner) => {
    const each = response();
    unread.add(owner, bytes, each);
    return each;
  });
  assert.equal(unread.used(), 200);
  assert.ok(unread.hasRoom('a'));
  unread.add('a', Buffer.alloc(50), response());
  assert.ok(!unread.hasRoom('a'));
  assert.ok(unread.hasRoom('b'));
  responses[0]?.emit('close');
  assert.equal(unread.used(), 250);
  assert.ok(!unread.hasRoom('a'));
  responses[1]?.emit('close');
  assert.ok(unread.hasRoom('a'));
  responses[2]?.emit('close');
  assert.equal(unread.used(), 50);
});
