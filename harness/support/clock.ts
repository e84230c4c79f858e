import type { TestContext } from 'node:test';

const stepMs = 10;

/**
 * Stops the clock for the rest of the test: `performance.now()`, timeouts and intervals. The returned
 * function lets that many milliseconds pass, however busy the machine is.
 */
export function stopClock(t: TestContext): (ms: number) => void {
  // A whole number, so that 25 steps of 10 ms are exactly 250 ms.
  let now = Math.round(performance.now());
  t.mock.method(performance, 'now', () => now);
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  return (ms) => {
    // A timer that starts again when it fires must see the time at which it fires.
    for (let passed = 0; passed < ms; passed += stepMs) {
      now += stepMs;
      t.mock.timers.tick(stepMs);
    }
  };
}

/**
 * Slows `performance.now()` down for the rest of the test, so that nothing happens only because time has
 * passed. The returned function skips that many milliseconds.
 */
export function slowClock(t: TestContext): (ms: number) => void {
  let now = performance.now();
  t.mock.method(performance, 'now', () => (now += 0.001));
  return (ms) => void (now += ms);
}
