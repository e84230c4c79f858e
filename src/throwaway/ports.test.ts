import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '../config/config.ts';
import { ListenError } from '../serve/listeners.ts';
import { onFreePorts } from './ports.ts';

const config = readConfig({
  DATABASE_URL: 'postgres://localhost/none',
  CURSOR_SECRETS: 'x'.repeat(32),
});
const failure = (code: string) =>
  new ListenError('ops', '127.0.0.1', 9090, Object.assign(new Error('no'), { code }));

test('a port that another program takes between the choice and the start is chosen again', async () => {
  let starts = 0;
  const { started } = await onFreePorts(config, {}, async ({ apiPort, sitePort, opsPort }) => {
    starts += 1;
    if (starts < 3) throw failure('EADDRINUSE');
    return new Set([apiPort, sitePort, opsPort]).size;
  });
  assert.equal(started, 3);
  assert.equal(starts, 3);
});

test('it does not try for ever, and not at all after another failure', async () => {
  for (const [code, tries] of [
    ['EADDRINUSE', 5],
    ['EACCES', 1],
  ] as const) {
    let starts = 0;
    const start = () => {
      starts += 1;
      return Promise.reject(failure(code));
    };
    await assert.rejects(onFreePorts(config, {}, start), ListenError);
    assert.equal(starts, tries);
  }
});
