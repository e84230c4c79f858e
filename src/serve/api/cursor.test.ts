import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCursors } from './cursor.ts';

const [newest, older] = ['n'.repeat(32), 'o'.repeat(32)];
const list = '/api/v1/tournaments?status=finished';
const position = ['2026-03-14', 'harbour-lights-gt-2026'];
const hour = 3_600_000;
const noon = Date.UTC(2026, 2, 14, 12);

test('a cursor gives back the position it was made of', () => {
  const cursors = createCursors([newest]);
  assert.deepEqual(cursors.read(list, cursors.era().write(list, position)), position);
});

test('every instance writes the same bytes, within an epoch', () => {
  const at = (time: number) => createCursors([newest], () => time);
  const first = at(noon).era().write(list, position);
  assert.equal(
    at(noon + 5.9 * hour)
      .era()
      .write(list, position),
    first,
  );
  assert.equal(at(noon + 5.9 * hour).era().id, at(noon).era().id);
  assert.notEqual(
    at(noon + 6 * hour)
      .era()
      .write(list, position),
    first,
  );
  assert.notEqual(at(noon + 6 * hour).era().id, at(noon).era().id);
});

test('a cursor lives 24 hours at least and 30 at most, from any moment that its answer was confirmed', () => {
  let time = noon;
  const cursors = createCursors([newest], () => time);
  for (const writtenAt of [noon, noon + 3 * hour, noon + 5.99 * hour]) {
    time = writtenAt;
    const cursor = cursors.era().write(list, position);
    time = writtenAt + 24 * hour;
    cursors.read(list, cursor);
    time = writtenAt + 30 * hour;
    assert.throws(() => cursors.read(list, cursor), /Invalid cursor/);
  }
});

test('new cursors are signed with the newest secret, older ones are read until their secret is removed', () => {
  const before = createCursors([older]);
  const during = createCursors([newest, older]);
  const after = createCursors([newest]);
  const cursor = before.era().write(list, position);
  assert.deepEqual(during.read(list, cursor), position);
  assert.throws(() => after.read(list, cursor), /Invalid cursor/);
  assert.deepEqual(after.read(list, during.era().write(list, position)), position);
  assert.notEqual(before.era().id, during.era().id);
  assert.equal(during.era().id, after.era().id);
});

test('a cursor of another list is invalid', () => {
  const cursors = createCursors([newest]);
  const cursor = cursors.era().write(list, position);
  for (const other of [
    '/api/v1/tournaments?',
    '/api/v1/tournaments?status=planned',
    '/api/v1/clubs/a/tournaments?',
  ]) {
    assert.throws(() => cursors.read(other, cursor), /Invalid cursor/);
  }
});

test('without a secret nothing is signed', () => {
  assert.throws(() => createCursors([]), /no secret/);
});
