import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Overloaded } from '../../database/unavailable.ts';
import { createByteBudget } from './byte-budget.ts';

const kB = 1_024;
const MB = 1_024 * kB;
const here = new AbortController().signal;

test('a read counts 256 kB, then its real size, until the response closes', async () => {
  const { budget, request } = stage();
  const read = request('a').read('list', 20 * kB);
  await read.hasBegun;
  assert.equal(budget.used(), 256 * kB);
  read.end();
  await read.answer;
  assert.equal(budget.used(), 20 * kB);
  read.close();
  assert.equal(budget.used(), 0);
});

test('the next read of a large answer counts its last known size', async () => {
  const { budget, request } = stage();
  const first = request('a').read('list', 9 * MB);
  first.end();
  await first.answer;
  first.close();
  const second = request('a').read('list', 9 * MB);
  await second.hasBegun;
  assert.equal(budget.used(), 9 * MB);
});

test('an unknown page of a list counts as much as the last page of that list', async () => {
  const { budget, request } = stage();
  const first = request('a').read('page 1', 9 * MB, 'list');
  first.end();
  await first.answer;
  first.close();
  const second = request('a').read('page 2', 9 * MB, 'list');
  await second.hasBegun;
  assert.equal(budget.used(), 9 * MB);
});

test('an owner above a quarter waits, and is refused when no room becomes free in time', async () => {
  const { ends, request } = stage({ longestWaitMs: 30 });
  const first = request('a').sends(Buffer.alloc(10 * MB));
  await first.answer;
  await assert.rejects(request('a').sends(Buffer.alloc(7 * MB)).answer, Overloaded);
  await request('b').sends(Buffer.alloc(7 * MB)).answer;
  assert.deepEqual(ends, ['late']);
});

test('an owner who waits gets in as soon as room is free', async () => {
  const { ends, request } = stage();
  const first = request('a').sends(Buffer.alloc(10 * MB));
  await first.answer;
  const second = request('a').sends(Buffer.alloc(7 * MB));
  await sleep(5);
  first.close();
  await second.answer;
  assert.deepEqual(ends, ['served']);
});

test('large answers leave a quarter of the room to usual ones', async () => {
  const { budget, request } = stage({ longestWaitMs: 10 });
  for (const owner of ['a', 'b', 'c']) await request(owner).sends(Buffer.alloc(16 * MB)).answer;
  await assert.rejects(request('d').sends(Buffer.alloc(300 * kB)).answer, Overloaded);
  await request('d').sends(Buffer.alloc(200 * kB)).answer;
  const read = request('d').read('list', 20 * kB);
  await read.hasBegun;
  assert.ok(budget.used() <= 64 * MB);
});

test('large reads of all owners together use at most a quarter, and the next begins when one ends', async () => {
  const { budget, request } = stage();
  const known = ['a', 'b', 'c'].map((owner) => request(owner).read(`of ${owner}`, 9 * MB));
  for (const each of known) {
    each.end();
    await each.answer;
    each.close();
  }
  const [first, second] = [request('a').read('of a', 9 * MB), request('b').read('of b', 9 * MB)];
  await first.hasBegun;
  await sleep(5);
  assert.deepEqual([second.reads(), budget.used()], [0, 9 * MB]);
  await request('c').read('usual', kB).hasBegun;
  first.end();
  await second.hasBegun;
  assert.ok(budget.used() > 18 * MB);
});

test('a buffer that many are sent counts once, and once for each owner', async () => {
  const { budget, request } = stage({ longestWaitMs: 10 });
  const bytes = Buffer.alloc(10 * MB);
  const sent = Array.from({ length: 100 }, () => request('a').sends(bytes));
  await Promise.all(sent.map(({ answer }) => answer));
  await request('b').sends(bytes).answer;
  assert.equal(budget.used(), 10 * MB);
  await assert.rejects(request('b').sends(Buffer.alloc(7 * MB)).answer, Overloaded);
  for (const each of sent) each.close();
  assert.equal(budget.used(), 10 * MB);
});

test('requests that share a read count it once, before and after', async () => {
  const { budget, request } = stage();
  const bytes = Buffer.alloc(10 * MB);
  for (const expected of [256 * kB, 10 * MB]) {
    const shared = Array.from({ length: 50 }, () => request('a').read('list', bytes));
    await Promise.all(shared.map(({ hasBegun }) => hasBegun));
    assert.equal(budget.used(), expected);
    for (const each of shared) each.end();
    await Promise.all(shared.map(({ answer }) => answer));
    assert.equal(budget.used(), 10 * MB);
    for (const each of shared) each.close();
    assert.equal(budget.used(), 0);
  }
});

test('an answer that is larger than expected is dropped, and read again when there is room', async () => {
  const { budget, request } = stage();
  const first = request('a').read('one', 10 * MB);
  const second = request('a').read('two', 10 * MB);
  first.end();
  second.end();
  await first.answer;
  await sleep(5);
  assert.equal(budget.used(), 10 * MB);
  first.close();
  await second.answer;
  assert.equal(second.reads(), 2);
  assert.equal(budget.used(), 10 * MB);
});

test('one answer that is larger than the share is sent while its owner has no other', async () => {
  const { request } = stage({ longestWaitMs: 10 });
  const first = request('a').read('one', 40 * MB);
  first.end();
  await first.answer;
  await assert.rejects(request('a').read('two', kB).answer, Overloaded);
});

test('a caller who goes away leaves the queue and counts nothing', async () => {
  const { budget, request, ends } = stage();
  await request('a').sends(Buffer.alloc(16 * MB)).answer;
  const gone = new AbortController();
  const waiting = request('a').sends(Buffer.alloc(MB), gone.signal);
  await sleep(1);
  gone.abort();
  await assert.rejects(waiting.answer, Overloaded);
  assert.deepEqual(ends, ['gone']);
  const read = request('b').read('list', 9 * MB);
  await read.hasBegun;
  read.close();
  read.end();
  await read.answer;
  assert.equal(budget.used(), 16 * MB);
});

test('usual reads of other owners do not keep out large answers, one at a time', async () => {
  const { budget, request } = stage({ longestWaitMs: 10 });
  const busy = ['a', 'b', 'c'].flatMap((owner) =>
    Array.from({ length: 64 }, (_, i) => request(owner).read(`${owner} ${i}`, kB)),
  );
  await Promise.all(busy.map(({ hasBegun }) => hasBegun));
  assert.ok(!budget.hasLarge());
  await request('d').sends(Buffer.alloc(400 * kB)).answer;
  assert.ok(budget.hasLarge());
  await assert.rejects(request('d').sends(Buffer.alloc(401 * kB)).answer, Overloaded);
});

test('a read counts until it ends, also when its caller leaves', async () => {
  const { budget, request } = stage();
  const first = request('a').read('list', 9 * MB);
  await first.hasBegun;
  first.close();
  assert.equal(budget.used(), 256 * kB);
  first.end();
  await first.answer;
  assert.equal(budget.used(), 0);
});

test('an owner who waits for its own slow callers does not shorten the queue of others', async () => {
  const { ends, request } = stage({ longestWaitMs: 60 });
  await request('a').sends(Buffer.alloc(15 * MB)).answer;
  const late = () => assert.rejects(request('a').sends(Buffer.alloc(14 * MB)).answer, Overloaded);
  const waits = [late()];
  await sleep(40);
  waits.push(late());
  await sleep(40);
  const burst = Array.from({ length: 200 }, (_, i) => request('b').read(`b ${i}`, kB));
  assert.ok(!ends.includes('full'), `${ends.length} were refused`);
  for (const { end } of burst) end();
  await Promise.allSettled([...waits, ...burst.map(({ answer }) => answer)]);
});

function stage({ longestWaitMs = 500 } = {}) {
  const ends: string[] = [];
  const budget = createByteBudget({
    mostBytes: 64 * MB,
    mostWaiting: 1_000,
    longestWaitMs,
    onWaited: (_ms, end) => ends.push(end),
  });

  function request(owner: string) {
    const response = new EventEmitter() as ServerResponse;
    const claim = budget.claimFor(owner, response);
    const close = () => response.emit('close');
    return {
      sends: (bytes: Buffer, signal = here) => ({
        answer: claim.obtain({ ask: async () => bytes, bytesOf: (each) => each, family: '', signal }),
        close,
      }),
      read(name: string, sizeOrBytes: number | Buffer, family = name) {
        const begun = Promise.withResolvers<void>();
        const ended = Promise.withResolvers<void>();
        let reads = 0;
        const answer = claim.obtain({
          ask: async (beforeRead) => {
            await beforeRead(name, name);
            reads += 1;
            begun.resolve();
            await ended.promise;
            return typeof sizeOrBytes === 'number' ? Buffer.alloc(sizeOrBytes) : sizeOrBytes;
          },
          bytesOf: (bytes) => bytes,
          family,
          signal: here,
        });
        return { hasBegun: begun.promise, end: ended.resolve, answer, close, reads: () => reads };
      },
    };
  }
  return { budget, request, ends };
}
