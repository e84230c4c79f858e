import assert from 'node:assert/strict';
import { test } from 'node:test';
import { databaseDrills } from './databases.ts';
import { withThreeDatabases } from './three-databases.ts';

test('requests outlive a database', (t) =>
  withThreeDatabases(async (databases) => {
    for (const { name, expected, on } of databaseDrills) {
      await t.test(`${name}: ${expected}`, async () => {
        const { met, figures } = await on(databases, 'small');
        assert.ok(met, figures);
      });
    }
  }));
