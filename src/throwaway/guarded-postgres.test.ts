import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noPostgres } from './guarded-postgres.ts';

test('a machine without a PostgreSQL is told how to get one, and Windows on ARM another way', () => {
  assert.match(noPostgres({ command: 'preview' }, 'linux-x64'), /optional dependencies/);
  const arm = noPostgres({ command: 'demo', otherWay: 'set DATABASE_URL' }, 'win32-arm64');
  assert.match(
    arm,
    /^There is no PostgreSQL for Windows on ARM: set DATABASE_URL, or install the x64 version/,
  );
});
