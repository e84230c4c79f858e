import type { TestContext } from 'node:test';

const stepMs = 10;

/**
 * Stops the clock for the rest of the test: `performance.now()`, timeouts and intervals. The function that it returns
 * lets so many milliseconds pass, however busy the machine is.
 */
export function stopClock(t: TestContext): (ms: number) => void {
  let now = performance.now();
  t.mock.method(performance, 'now', () => now);
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  return (ms) => {
    // A timer that starts again when it fires must find the time at which it does.
    for (let passed = 0; passed < ms; passed += stepMs) {
      now += stepMs;
      t.mock.timers.tick(stepMs);
    }
  };
}
