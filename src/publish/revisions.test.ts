import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextRevision } from './revisions.ts';

test('a revision only ever grows, even if the clock stands still or steps back', () => {
  assert.equal(nextRevision(undefined, 50n), 50n);
  assert.equal(nextRevision(49n, 50n), 50n);
  assert.equal(nextRevision(50n, 50n), 51n);
  assert.equal(nextRevision(70n, 50n), 71n);
});
