import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { Debounce } from './debounce.ts';

mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1_000_000 });

test('the debounce after a publish takes as long as the publish, from 20 to 300 ms', async () => {
  for (const [publishMs, restMs] of [
    [3, 20],
    [120, 120],
    [4_000, 300],
  ] as const) {
    const debounce = new Debounce();
    debounce.begin(publishMs);
    assert.equal(await lengthOf(debounce.untilQuiet()), restMs);
    assert.equal(await debounce.untilQuiet(), false);
  }
});

test('before the first publish, and long after the last one, there is no debounce', async () => {
  const debounce = new Debounce();
  debounce.wake();
  assert.equal(await lengthOf(debounce.untilQuiet()), 0);
  debounce.begin(100);
  mock.timers.tick(100);
  assert.equal(await lengthOf(debounce.untilQuiet()), 0);
  mock.timers.tick(10_000);
  debounce.wake();
  assert.equal(await lengthOf(debounce.untilQuiet()), 0);
});

test('the debounce goes on while results arrive, but not for ever', async () => {
  const debounce = new Debounce();
  // There is one wake every 5 ms, and the pause ends 10 ms after the last one.
  for (const [wakes, restMs] of [
    [12, 70],
    [20, 110],
    [1_000, 300],
  ] as const) {
    debounce.begin(50);
    let left: number = wakes;
    const length = await lengthOf(debounce.untilQuiet(), (ms) => {
      if (ms % 5 === 0 && left-- > 0) debounce.wake();
    });
    assert.equal(length, restMs, `${wakes} wakes`);
  }
});

test('a wake while the publisher works ends its next wait at once, and only that one', async () => {
  const debounce = new Debounce();
  debounce.wake();
  assert.equal(await lengthOf(debounce.untilWoken(100)), 0);
  assert.equal(await lengthOf(debounce.untilWoken(100)), 100);
  const wakeAt = (at: number) => (ms: number) => ms === at && debounce.wake();
  assert.equal(await lengthOf(debounce.untilWoken(100), wakeAt(30)), 30);
  // The pause after a publish does not use up a wake.
  debounce.begin(50);
  assert.equal(await lengthOf(debounce.untilQuiet(), wakeAt(5)), 50);
  assert.equal(await lengthOf(debounce.untilWoken(100)), 0);
});

test('the end of the recording ends every pause', async () => {
  const debounce = new Debounce();
  debounce.begin(300);
  assert.equal(await lengthOf(debounce.untilQuiet(), (ms) => ms === 7 && debounce.end()), 7);
  assert.equal(await lengthOf(debounce.untilQuiet()), 0);
  assert.equal(await lengthOf(debounce.untilWoken(100)), 0);
});

/** Returns the number of milliseconds until the pause is over. */
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
