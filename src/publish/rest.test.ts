import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { Rest } from './rest.ts';

mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1_000_000 });

test('the rest after a publish takes as long as the publish, from 20 to 300 ms', async () => {
  for (const [publishMs, restMs] of [
    [3, 20],
    [120, 120],
    [4_000, 300],
  ] as const) {
    const rest = new Rest();
    rest.begin(publishMs);
    assert.equal(await lengthOf(rest.untilRested()), restMs);
    assert.equal(await rest.untilRested(), false);
  }
});

test('before the first publish, and long after the last one, there is no rest', async () => {
  const rest = new Rest();
  rest.wake();
  assert.equal(await lengthOf(rest.untilRested()), 0);
  rest.begin(100);
  mock.timers.tick(100);
  assert.equal(await lengthOf(rest.untilRested()), 0);
  mock.timers.tick(10_000);
  rest.wake();
  assert.equal(await lengthOf(rest.untilRested()), 0);
});

test('the rest goes on while results arrive, but not for ever', async () => {
  const rest = new Rest();
  // One wake every 5 ms. It ends 10 ms after the last wake.
  for (const [wakes, restMs] of [
    [12, 70],
    [20, 110],
    [1_000, 300],
  ] as const) {
    rest.begin(50);
    let left: number = wakes;
    const length = await lengthOf(rest.untilRested(), (ms) => {
      if (ms % 5 === 0 && left-- > 0) rest.wake();
    });
    assert.equal(length, restMs, `${wakes} wakes`);
  }
});

test('a wake while the publisher works ends its next wait at once, and only that one', async () => {
  const rest = new Rest();
  rest.wake();
  assert.equal(await lengthOf(rest.untilWoken(100)), 0);
  assert.equal(await lengthOf(rest.untilWoken(100)), 100);
  const wakeAt = (at: number) => (ms: number) => ms === at && rest.wake();
  assert.equal(await lengthOf(rest.untilWoken(100), wakeAt(30)), 30);
  // A rest uses up no wake.
  rest.begin(50);
  assert.equal(await lengthOf(rest.untilRested(), wakeAt(5)), 50);
  assert.equal(await lengthOf(rest.untilWoken(100)), 0);
});

test('the end of the recording ends every pause', async () => {
  const rest = new Rest();
  rest.begin(300);
  assert.equal(await lengthOf(rest.untilRested(), (ms) => ms === 7 && rest.end()), 7);
  assert.equal(await lengthOf(rest.untilRested()), 0);
  assert.equal(await lengthOf(rest.untilWoken(100)), 0);
});

/** Milliseconds until it is done. */
async function lengthOf(pause: Promise<unknown>, each: (ms: number) => unknown = () => {}): Promise<number> {
  let isDone = false;
  const done = pause.then(() => (isDone = true));
  for (let ms = 0; ; ms += 1) {
    // Let everything run that is ready.
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
    if (isDone) return ms;
    assert.ok(ms < 1_000, 'it never ends');
    mock.timers.tick(1);
    each(ms + 1);
    await Promise.race([done, Promise.resolve()]);
  }
}
