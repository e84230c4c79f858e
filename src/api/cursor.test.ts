import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCursors } from './cursor.ts';

const [newest, older] = ['n'.repeat(32), 'o'.repeat(32)];
const list = '/api/v1/tournaments?status=finished';
const position = ['2026-03-14', 'harbour-lights-gt-2026'];
const hour = 3_600_000;
/** The start of an epoch of this list. */
const noon = createCursors([newest], () => Date.UTC(2026, 2, 14)).cursorEpoch(list).endsAt;

test('a cursor gives back the position it was made of', () => {
  const cursors = createCursors([newest]);
  assert.deepEqual(cursors.read(list, cursors.cursorEpoch(list).write(position)), position);
});

test('every instance writes the same bytes, within an epoch', () => {
  const at = (time: number) => createCursors([newest], () => time);
  const first = at(noon).cursorEpoch(list).write(position);
  assert.equal(
    at(noon + 5.9 * hour)
      .cursorEpoch(list)
      .write(position),
    first,
  );
  assert.equal(at(noon + 5.9 * hour).cursorEpoch(list).id, at(noon).cursorEpoch(list).id);
  assert.notEqual(
    at(noon + 6 * hour)
      .cursorEpoch(list)
      .write(position),
    first,
  );
  assert.notEqual(at(noon + 6 * hour).cursorEpoch(list).id, at(noon).cursorEpoch(list).id);
});

test('a cursor lives 24 hours at least and 30 at most, from any moment that its answer was confirmed', () => {
  let time = noon;
  const cursors = createCursors([newest], () => time);
  for (const writtenAt of [noon, noon + 3 * hour, noon + 5.99 * hour]) {
    time = writtenAt;
    const cursor = cursors.cursorEpoch(list).write(position);
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
  const cursor = before.cursorEpoch(list).write(position);
  assert.deepEqual(during.read(list, cursor), position);
  assert.throws(() => after.read(list, cursor), /Invalid cursor/);
  assert.deepEqual(after.read(list, during.cursorEpoch(list).write(position)), position);
  assert.notEqual(before.cursorEpoch(list).id, during.cursorEpoch(list).id);
  assert.equal(during.cursorEpoch(list).id, after.cursorEpoch(list).id);
});

test('a cursor of another list is invalid', () => {
  const cursors = createCursors([newest]);
  const cursor = cursors.cursorEpoch(list).write(position);
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

test('epochs of different lists end at different times', () => {
  const cursors = createCursors([newest], () => noon);
  const ends = Array.from(
    { length: 100 },
    (_, i) => cursors.cursorEpoch(`/api/v1/clubs/club-${i}/battles?`).endsAt,
  );
  assert.ok(new Set(ends).size > 95);
  for (const end of ends) assert.ok(end > noon && end <= noon + 6 * hour);
});
