import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'node:test';
import type { Database } from '../database/databases.ts';
import { createLastUse } from './last-use.ts';

test('notes are written for all keys together, regularly, and kept while they cannot be written', async () => {
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
  await sleep(60);
  assert.deepEqual(written, [['0', '1', '2']]);
  isDown = true;
  lastUse.note('4');
  await sleep(60);
  assert.ok(errors.length > 0);
  isDown = false;
  lastUse.note('5');
  await lastUse.close();
  assert.deepEqual(written[1], ['4', '5']);
  lastUse.note('6');
  await sleep(60);
  assert.equal(written.length, 2);
});
