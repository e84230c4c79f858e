import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { stopClock } from '../../harness/support/clock.ts';
import type { Database } from '../database/databases.ts';
import { createLastUse } from './last-use.ts';

test('notes are written for all keys together, regularly, and kept while they cannot be written', async (t) => {
  const pass = stopClock(t);
  const written: string[][] = [];
  const errors: unknown[] = [];
  let isDown = false;
  const keys = {
    query: async (_statement: unknown, [ids]: [string[], Date[]]) => {
      if (isDown) throw new Error('down');
      written.push(ids);
    },
  };
  const lastUse = createLastUse(keys as unknown as Database, (error) => errors.push(error), 20);
  for (let i = 0; i < 100; i += 1) lastUse.note(String(i % 3));
  assert.deepEqual(written, []);
  pass(20);
  await nextTurn();
  assert.deepEqual(written, [['0', '1', '2']]);
  isDown = true;
  lastUse.note('4');
  pass(20);
  await nextTurn();
  assert.equal(errors.length, 1);
  isDown = false;
  lastUse.note('5');
  await lastUse.close();
  assert.deepEqual(written[1], ['4', '5']);
  lastUse.note('6');
  pass(60);
  await nextTurn();
  assert.equal(written.length, 2);
});
