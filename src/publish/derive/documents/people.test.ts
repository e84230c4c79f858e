import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alphabetically, boardName, guestName, shownName, shownPlayerId } from '../fragments/people.ts';

const registered = { playerId: 'ana', name: 'Ana', erased: false };
const guest = { playerId: null, name: 'Gwen', erased: false };
const erased = { playerId: 'zoe', name: null, erased: true };

test('a registered player has a name and an id, a guest a name alone', () => {
  assert.deepEqual(
    [shownName(registered), boardName(registered), shownPlayerId(registered)],
    ['Ana', 'Ana', 'ana'],
  );
  assert.deepEqual([shownName(guest), boardName(guest), shownPlayerId(guest)], ['Gwen', 'Gwen', null]);
});

test('an erased player has no id, no name on boards, and "Deleted player" elsewhere', () => {
  assert.deepEqual(
    [shownName(erased), boardName(erased), shownPlayerId(erased)],
    ['Deleted player', null, null],
  );
});

test('people are sorted by shown name, then by id', () => {
  const people = [
    { ...guest, id: 'd' },
    { ...erased, id: 'c' },
    { ...registered, name: 'ána', id: 'b' },
    { ...registered, id: 'a' },
  ];
  assert.deepEqual(
    alphabetically(people, ({ id }) => id).map(({ id }) => id),
    ['a', 'b', 'c', 'd'],
  );
});

test('a guest has a name to be found by, unless it is the one of the erased', () => {
  const others = [registered, erased, { ...guest, erased: true }, { ...guest, name: 'Deleted player' }];
  assert.deepEqual([guest, ...others].map(guestName), ['Gwen', null, null, null, null]);
});
