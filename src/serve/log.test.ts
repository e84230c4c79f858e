import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stopClock } from '../../harness/support/clock.ts';
import { answerLog, createLogger, gathered } from './log.ts';

test('the lines of a moment are written together, in their order', (t) => {
  const pass = stopClock(t);
  const written: string[] = [];
  const logger = createLogger('info', gathered({ write: (lines: string) => written.push(lines) }));
  logger.info('one');
  logger.info('two');
  assert.deepEqual(written, []);
  pass(10);
  assert.equal(written.length, 1);
  assert.match(written.join(''), /"one"}\n.*"two"}\n$/);
  logger.info('three');
  pass(10);
  assert.equal(written.length, 2);
  for (let i = 0; i < 100; i += 1) logger.info('x'.repeat(1_000));
  assert.equal(written.length, 3);
});

test('the lines before a fatal error are written with it at once', () => {
  const written: string[] = [];
  const logger = createLogger('info', gathered({ write: (lines: string) => written.push(lines) }));
  logger.info('one');
  logger.fatal('two');
  assert.match(written.join(''), /"one"}\n.*"two"}\n$/);
});

test('a database that does not answer has a stack in the log only at debug; a defect always has one', () => {
  const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  for (const [level, error, hasStack] of [
    ['info', away, false],
    ['debug', away, true],
    ['info', new TypeError('a defect'), true],
  ] as const) {
    let written = '';
    createLogger(level, { write: (line) => void (written += line) }).warn({ err: error }, 'trouble');
    const { err } = JSON.parse(written) as { err: { message: string; stack?: string } };
    assert.equal(err.message, error.message);
    assert.equal(err.stack !== undefined, hasStack, written);
  }
});

test('each answer is logged with its own millisecond', (context) => {
  const lines: string[] = [];
  const logAnswer = answerLog(createLogger('info', { write: (line) => void lines.push(line) }));
  const answered = { requestId: 'a', method: 'GET', route: '/', path: '/', status: 200, ms: 1 };
  context.mock.timers.enable({ apis: ['Date'] });
  for (const now of [5, 5, 6, 5]) {
    context.mock.timers.setTime(now);
    logAnswer({ ...answered, caller: undefined, traceparent: undefined });
  }
  assert.deepEqual(
    lines.map((line) => Date.parse((JSON.parse(line) as { time: string }).time)),
    [5, 5, 6, 5],
  );
});
