import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Overloaded } from '../../database/unavailable.ts';
import type { WaitEnd } from '../http/queue.ts';
import { createGate, type GateOptions } from './gate.ts';

const here = new AbortController().signal;

test('when all places are taken, reads wait in a queue, first in, first out', async () => {
  const { gate, ends } = gateOf({ places: 2, mostWaiting: 10 });
  const order: number[] = [];
  let inside = 0;
  let most = 0;
  const reads = Array.from({ length: 8 }, (_, number) =>
    gate.pass(here, async () => {
      most = Math.max(most, (inside += 1));
      order.push(number);
      await sleep(2);
      inside -= 1;
      return number;
    }),
  );
  assert.deepEqual([gate.inside(), gate.waiting()], [2, 6]);
  assert.deepEqual(await Promise.all(reads), [0, 1, 2, 3, 4, 5, 6, 7]);
  assert.deepEqual(order, [0, 1, 2, 3, 4, 5, 6, 7]);
  assert.equal(most, 2);
  assert.deepEqual(ends, Array(6).fill('served'));
  assert.deepEqual([gate.inside(), gate.waiting()], [0, 0]);
});

test('a read that finds the queue full is refused at once', async () => {
  const { gate, ends } = gateOf({ places: 1, mostWaiting: 2 });
  const first = held();
  const reads = [first.work, noWork, noWork].map((work) => gate.pass(here, work));
  await assert.rejects(gate.pass(here, noWork), new Overloaded('too many requests are waiting'));
  assert.deepEqual(ends, ['full']);
  first.end();
  await Promise.all(reads);
});

test('a read that waits too long is refused, and keeps no place', async () => {
  const { gate, ends } = gateOf({ places: 1, mostWaiting: 2, longestWaitMs: 20 });
  const first = held();
  const read = gate.pass(here, first.work);
  await assert.rejects(gate.pass(here, noWork), new Overloaded('there was no room in time'));
  assert.deepEqual([gate.inside(), gate.waiting(), ends], [1, 0, ['late']]);
  first.end();
  await read;
  await gate.pass(here, noWork);
  assert.equal(gate.inside(), 0);
});

test('a read whose caller goes away leaves the queue, and the next moves up', async () => {
  const { gate, ends } = gateOf({ places: 1, mostWaiting: 2 });
  const first = held();
  const caller = new AbortController();
  const read = gate.pass(here, first.work);
  const gone = gate.pass(caller.signal, () => assert.fail('the caller is gone'));
  const next = gate.pass(here, noWork);
  caller.abort();
  await assert.rejects(gone, Overloaded);
  assert.equal(gate.waiting(), 1);
  first.end();
  await Promise.all([read, next]);
  await assert.rejects(gate.pass(caller.signal, noWork), Overloaded);
  assert.deepEqual(ends, ['gone', 'served']);
});

test('a read that fails gives its place to the next', async () => {
  const { gate } = gateOf({ places: 1, mostWaiting: 2 });
  const failing = gate.pass(here, () => Promise.reject(new Error('broken')));
  const next = gate.pass(here, noWork);
  await assert.rejects(failing, new Error('broken'));
  await next;
  assert.equal(gate.inside(), 0);
});

function gateOf(options: Pick<GateOptions, 'places' | 'mostWaiting'> & Partial<GateOptions>) {
  const ends: WaitEnd[] = [];
  const gate = createGate({ longestWaitMs: 5_000, onWaited: (_, end) => void ends.push(end), ...options });
  return { gate, ends };
}

async function noWork(): Promise<void> {}

function held() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { work: () => promise, end: resolve };
}
