import assert from 'node:assert/strict';
import { test } from 'node:test';
import { en } from '../words/en.ts';
import { boardProgress } from './board-progress.ts';

type Group = Parameters<typeof boardProgress>[1][number];
type Played = Parameters<typeof boardProgress>[2];

/** `Red 2 1/2` is a group in round 2 with one of two results. */
function said(groups: string[], complete: Record<string, number> = {}, byes: Record<string, number> = {}) {
  const ofGroup = (group: string) => (group === '-' ? {} : { group });
  const now = groups.map((text): Group => {
    const [group = '', round, results = ''] = text.split(' ');
    const [count, of] = results.split('/').map(Number);
    return { ...ofGroup(group), round: Number(round), results: count ?? 0, isOver: count === of };
  });
  const each = (of: Record<string, number>) =>
    Object.entries(of).map(([group, round]) => ({ ...ofGroup(group), round }));
  const played: Played = {
    complete: each(complete).map((one) => ({ ...one, rounds: [one.round], leaders: [] })),
    byes: each(byes).map((one) => ({ ...one, player: 'Eve', playerId: null, entry: 'e' })),
  };
  return boardProgress(en, now, played);
}

test('a board is called after its last complete round, until a result of the next one counts', () => {
  assert.equal(said([]), '');
  assert.equal(said(['- 1 0/2']), '');
  assert.equal(said(['- 1 1/2']), 'Provisional: round 1 in progress');
  assert.equal(said(['- 1 2/2'], { '-': 1 }), 'After round 1');
  assert.equal(said(['- 2 0/2'], { '-': 1 }), 'After round 1');
  assert.equal(said(['- 2 1/2'], { '-': 1 }), 'Provisional: round 2 in progress');
});

test('a board is called after a round that the organiser has ranked, and not after one that has a later result', () => {
  assert.equal(said(['- 2 1/2'], { '-': 2 }), 'After round 2');
  // A result of round 2 is still missing, but round 3 has been played.
  assert.equal(said(['- 3 2/2'], { '-': 1 }), '');
});

test('a bye counts as soon as it is known, so a board with one is not called after the round before', () => {
  assert.equal(said(['- 1 0/2'], {}, { '-': 1 }), 'Provisional: round 1 in progress');
  assert.equal(said(['- 1 2/2'], { '-': 1 }, { '-': 1 }), 'After round 1');
  assert.equal(said(['- 2 0/2'], { '-': 1 }, { '-': 2 }), 'Provisional: round 2 in progress');
  assert.equal(said(['- 2 0/2'], { '-': 1 }, { '-': 1 }), 'After round 1');
  assert.equal(said(['- 2 2/2'], { '-': 2 }, { '-': 2 }), 'After round 2');
  // Nothing is in progress while only the bye of round 2 is known.
  assert.equal(said(['- 1 2/2'], { '-': 1 }, { '-': 2 }), '');
  assert.equal(said(['- 2 0/2'], { '-': 1 }, { '-': 3 }), '');
  assert.equal(
    said(['Red 2 0/2', 'Blue 2 0/2'], { Red: 1, Blue: 1 }, { Blue: 2 }),
    'Provisional: round 2 in progress',
  );
});

test('nothing is said of all groups that is true of only some', () => {
  assert.equal(said(['Red 2 1/2', 'Blue 1 2/2'], { Red: 1, Blue: 1 }), '');
  assert.equal(said(['Red 2 2/2', 'Blue 1 2/2'], { Red: 2, Blue: 1 }), '');
  assert.equal(said(['Red 2 2/2', 'Blue 1 1/2'], { Red: 2 }), '');
  assert.equal(said(['Red 2 0/2', 'Blue 1 2/2'], { Red: 1, Blue: 1 }), 'After round 1');
  assert.equal(
    said(['Red 2 0/2', 'Blue 1 2/2'], { Red: 1, Blue: 1 }, { Red: 2 }),
    '',
    'a bye puts the red group ahead',
  );
  assert.equal(said(['Red 3 0/2', 'Blue 3 0/2'], { Red: 2, Blue: 1 }), '');
});

test('groups in one round: it is in progress while one of them has a result and another game to play', () => {
  const both = { Red: 1, Blue: 1 };
  assert.equal(said(['Red 2 2/2', 'Blue 2 2/2'], { Red: 2, Blue: 2 }), 'After round 2');
  for (const groups of [
    ['Red 2 1/2', 'Blue 2 0/2'],
    ['Red 2 1/2', 'Blue 2 1/2'],
  ])
    assert.equal(said(groups, both), 'Provisional: round 2 in progress');
  assert.equal(said(['Red 2 2/2', 'Blue 2 1/2'], { Red: 2, Blue: 1 }), 'Provisional: round 2 in progress');
  assert.equal(said(['Red 2 2/2', 'Blue 2 0/2'], { Red: 2, Blue: 1 }), '');
});
