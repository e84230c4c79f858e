import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createQueue, type Queue, type WaitEnd } from './queue.ts';

const here = new AbortController().signal;

/** Lets in those who begin so, and tells who. */
function letInOf(queue: Queue<string>, start: string, most?: number): string[] {
  const letIn: string[] = [];
  queue.letIn((wish) => wish.startsWith(start) && letIn.push(wish) > 0, most);
  return letIn;
}

test('first in, first out in each lane; a lane that cannot go on does not hold up another', async () => {
  const queue = createQueue<string>({ mostWaiting: 10, longestWaitMs: 1_000, onWaited: () => {} });
  const wishes = ['large 1', 'small 1', 'large 2', 'small 2'];
  const waits = wishes.map((wish) => queue.wait(wish, here, wish.slice(0, 5)));
  assert.deepEqual(letInOf(queue, 'small'), ['small 1', 'small 2']);
  assert.deepEqual(letInOf(queue, '', 1), ['large 1']);
  assert.equal(queue.size(), 1);
  assert.deepEqual(letInOf(queue, ''), ['large 2']);
  assert.deepEqual(new Set(await Promise.all(waits)), new Set(['served']));
});

test('a lane that was served comes last the next time', () => {
  const queue = createQueue<string>({ mostWaiting: 10, longestWaitMs: 1_000, onWaited: () => {} });
  for (const wish of ['a1', 'a2', 'b1']) void queue.wait(wish, here, wish.slice(0, 1));
  const order = [1, 2, 3].flatMap(() => letInOf(queue, '', 1));
  assert.deepEqual(order, ['a1', 'b1', 'a2']);
});

test('a burst may fill the queue; one that stands takes only what is served soon', async (t) => {
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  const ends: WaitEnd[] = [];
  const queue = createQueue<number>({
    mostWaiting: 1_000,
    longestWaitMs: 500,
    onWaited: (_, end) => ends.push(end),
  });
  const gone = new AbortController();
  const join = (count: number) => Array.from({ length: count }, (_, i) => queue.wait(i, gone.signal));
  const waits = join(1_000);
  assert.equal(await queue.wait(0, here), 'full', 'the burst');
  // 700 are served in half a second, but as many come: 70 more would wait 50 ms, and 256 are always let in.
  for (let served = 0; served < 700; served += 1) {
    queue.letIn(() => true, 1);
    if (served >= 400) waits.push(...join(1));
  }
  now = 500;
  assert.equal(queue.size(), 600);
  assert.ok(queue.isFull());
  queue.letIn(() => true, 350);
  assert.equal(queue.size(), 250);
  assert.ok(!queue.isFull());
  queue.letIn(() => true);
  waits.push(...join(900));
  assert.ok(!queue.isFull(), 'it was empty in between');
  gone.abort();
  await Promise.all(waits);
  assert.equal(ends.filter((end) => end === 'full').length, 1);
});

test('a queue that stands holds no more than are served in half of the longest wait', async (t) => {
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  const queue = createQueue<number>({ mostWaiting: 1_000, longestWaitMs: 500, onWaited: () => {} });
  const gone = new AbortController();
  const waits = Array.from({ length: 1_000 }, (_, i) => queue.wait(i, gone.signal));
  queue.letIn(() => true, 200);
  now = 500;
  assert.ok(queue.isFull());
  queue.letIn(() => true, 700);
  assert.equal(queue.size(), 100);
  assert.ok(queue.isFull(), '200 in half a second');
  queue.letIn(() => true, 1);
  assert.ok(!queue.isFull());
  gone.abort();
  await Promise.all(waits);
});

test('a full queue still takes from a lane that has less than its share: the first of the longest lane goes', async () => {
  const queue = createQueue<string>({ mostWaiting: 10, longestWaitMs: 1_000, onWaited: () => {} });
  const waits = new Map<string, Promise<WaitEnd>>();
  const join = (count: number, lane: string) => {
    for (let i = 0; i < count; i += 1) waits.set(`${lane}${i}`, queue.wait(`${lane}${i}`, here, lane));
  };
  join(12, 'a');
  assert.equal(queue.size(), 10);
  assert.ok(queue.isFull('a') && !queue.isFull('b'));
  join(12, 'b');
  assert.equal(queue.size(), 10);
  assert.deepEqual(letInOf(queue, '').toSorted(), [
    'a5',
    'a6',
    'a7',
    'a8',
    'a9',
    'b0',
    'b1',
    'b2',
    'b3',
    'b4',
  ]);
  for (const wish of ['a0', 'a4', 'a10', 'b5']) assert.equal(await waits.get(wish), 'full', wish);
});

test('any number of lanes that fill the queue do not keep out a polite one', () => {
  const queue = createQueue<number>({ mostWaiting: 100, longestWaitMs: 1_000, onWaited: () => {} });
  for (let lane = 0; lane < 50; lane += 1)
    for (let i = 0; i < 100; i += 1) void queue.wait(i, here, `lane ${lane}`);
  assert.equal(queue.size(), 100);
  assert.ok(!queue.isFull('polite'));
  for (let lane = 0; lane < 1_000; lane += 1) void queue.wait(0, here, `other ${lane}`);
  assert.equal(queue.size(), 100);
  assert.ok(queue.isFull('polite'), 'each lane has one');
  queue.letIn(() => true);
  assert.equal(queue.size(), 0);
});

test('keys that ask for ten times of what is served push out only few of each other', () => {
  const ends: WaitEnd[] = [];
  const queue = createQueue<number>({
    mostWaiting: 256,
    longestWaitMs: 1_000,
    onWaited: (_, end) => ends.push(end),
  });
  let pushedOut = 0;
  for (let i = 0; i < 20_000; i += 1) {
    const lane = `key ${(i * 7_919) % 10}`;
    // A request that finds the queue full is refused early, in front of the framework.
    if (!queue.isFull(lane)) {
      const before = ends.length;
      void queue.wait(i, here, lane);
      pushedOut += ends.length - before;
    }
    if (i % 10 === 9) queue.letIn(() => true, 1);
  }
  assert.ok(queue.size() > 200, `${queue.size()} wait`);
  assert.ok(pushedOut < 100, `${pushedOut} were pushed out`);
  queue.letIn(() => true);
});

test('some who do not fit do not hold up the next of their lane', () => {
  const queue = createQueue<string>({ mostWaiting: 10, longestWaitMs: 1_000, onWaited: () => {} });
  for (const wish of ['large', 'small']) void queue.wait(wish, here, 'a');
  assert.deepEqual(letInOf(queue, 'small'), ['small']);
  assert.deepEqual(letInOf(queue, ''), ['large']);
});
