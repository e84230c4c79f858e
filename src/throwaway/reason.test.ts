import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reasonOf } from './reason.ts';

const failed = (stderr: string, code: number | string = 1) =>
  Object.assign(new Error('PostgreSQL ended with code 1 while starting'), { code, stderr });

test("the reason is PostgreSQL's own sentence, without the hints and consequences around it", () => {
  for (const [stderr, problem] of [
    [
      '2026-11-14 10:00:00.000 UTC [7] FATAL:  could not map anonymous shared memory: Cannot allocate memory\n2026-11-14 10:00:00.000 UTC [7] HINT:  This error usually means …\n',
      'could not map anonymous shared memory: Cannot allocate memory',
    ],
    [
      '[7] FATAL:  could not write lock file: No space left on device\n[8] FATAL:  the database system is starting up\n',
      'could not write lock file: No space left on device',
    ],
    [
      'FATAL:  could not extend file "base/1": No space left on device\r\nchild process exited with exit code 1\r\ninitdb: removing data directory "C:/Temp/data"\r\n',
      'could not extend file "base/1": No space left on device',
    ],
    [
      'initdb: error: could not create directory "/x": Permission denied\n',
      'could not create directory "/x": Permission denied',
    ],
    [
      'postgres: some library.so.7: cannot open shared object file\nmore\n',
      'postgres: some library.so.7: cannot open shared object file',
    ],
    ['', 'PostgreSQL ended with code 1 while starting'],
  ] as const)
    assert.deepEqual(reasonOf(failed(stderr)), { problem });
  assert.deepEqual(reasonOf(new Error('spawn initdb ENOENT')), { problem: 'spawn initdb ENOENT' });
});

test('the exit code that means a missing library on Windows gets its own advice', () => {
  const { problem, advice = '' } = reasonOf(failed('', 0xc0_00_01_35));
  assert.equal(problem, 'the Microsoft Visual C++ runtime is missing');
  assert.match(advice, /^install it from https:\S+$/);
});
