import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { Redis } from 'ioredis';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { createLimiter, windowSeconds } from './limiter.ts';

test('a window in memory never lasts longer than it should', (context) => {
  const limiter = createLimiter(undefined);
  // In floating point, (18_765.4321 + 60_000) - 18_765.4321 may be slightly more than 60_000.
  let now = 10_000;
  context.mock.method(performance, 'now', () => (now += 0.7));
  for (let name = 0; name < 1_000; name += 1) {
    const { ms } = limiter.takeNow?.(String(name), 5, 1) ?? assert.fail();
    assert.ok(ms <= windowSeconds * 1_000, `${ms} ms`);
  }
});

test('a step of the clock makes no refusal longer than a window', async () => {
  const limiter = createLimiter(undefined);
  mock.timers.enable({ apis: ['Date'], now: Date.now() });
  try {
    await limiter.take('key:a', 10, 10);
    const hour = 3_600_000;
    mock.timers.setTime(Date.now() - 12 * hour);
    const left = await limiter.take('key:a', 10, 10);
    assert.ok(left.isRefused);
    assert.ok(left.ms <= windowSeconds * 1_000, `${left.ms} ms`);
    // Refusals do not depend on the system clock.
    mock.timers.setTime(Date.now() + 24 * hour);
    assert.ok((await limiter.take('key:a', 10, 10)).isRefused);
    assert.ok(limiter.refusedForMs('key:a', 10) > 0);
    assert.equal(limiter.refusedForMs('key:b', 10), 0);
  } finally {
    mock.timers.reset();
  }
});

test('a step of the clock while Redis is away does not move the end of the window', async () => {
  const away = new Redis('redis://127.0.0.1:1', {
    lazyConnect: true,
    enableOfflineQueue: false,
    retryStrategy: () => null,
  });
  away.on('error', () => {});
  mock.timers.enable({ apis: ['Date'], now: Date.now() });
  // `set` would begin a new window that also lasts for the hours by which the clock was changed.
  const set = mock.method(RateLimiterMemory.prototype, 'set');
  try {
    const limiter = createLimiter(away);
    assert.ok(!(await limiter.take('key:a', 20, 10)).isRefused);
    mock.timers.setTime(Date.now() - 12 * 3_600_000);
    assert.ok(!(await limiter.take('key:a', 20, 10)).isRefused);
    assert.ok((await limiter.take('key:a', 20, 10)).isRefused);
    assert.equal(set.mock.callCount(), 0);
  } finally {
    set.mock.restore();
    mock.timers.reset();
    away.disconnect();
  }
});
