import assert from 'node:assert/strict';
import { test } from 'node:test';
import { warningLine } from './warning.ts';
import { recordWarnings, roundWarnings } from './record-warnings.ts';
import type { FeedRecord } from './records.ts';

const lines = (record: object): string[] =>
  recordWarnings(record as FeedRecord).map((warning) => warningLine('f', 1, warning));

function battle(first: object, second: object, more: object = { winner: 'p1' }): object {
  const sides = [
    { participant: 'p1', ...first },
    { participant: 'p2', ...second },
  ];
  return { id: 'b', stage: 'swiss', round: 1, finished: true, sides, ...more };
}
const record = (...of: Parameters<typeof battle>): object => ({
  kind: 'battle',
  tournament: 'cup',
  ...battle(...of),
});
const rounds = (...points: number[]): object => ({
  rounds: points.map((victoryPoints, index) => ({ round: index + 1, victoryPoints })),
});
const [vp, bp] = [
  (victoryPoints: number) => ({ victoryPoints }),
  (battlePoints: number) => ({ battlePoints }),
];

test('scores that contradict the winner are warned about, in both scores and from the rounds', () => {
  const expected = 'f:1: warning: winner: expected the side with more points';
  assert.deepEqual(lines(record(vp(10), vp(11))), [`${expected} (10 to 11 victory points), found "p1"`]);
  assert.deepEqual(lines(record(bp(0), bp(3))), [`${expected} (0 to 3 battle points), found "p1"`]);
  assert.deepEqual(lines(record(rounds(5, 4), vp(9.5))), [
    `${expected} (9 to 9.5 victory points), found "p1"`,
  ]);
  // One battle causes only one warning.
  assert.equal(lines(record({ ...vp(1), ...bp(0) }, { ...vp(2), ...bp(3) })).length, 1);
  assert.deepEqual(
    lines({ kind: 'tournament', slug: 'cup', battles: [battle(vp(2), vp(1)), battle(vp(1), vp(2))] }),
    [
      'f:1: warning: battles[1].winner: expected the side with more points (1 to 2 victory points), found "p1"',
    ],
  );
  const casual = { kind: 'battle', id: 'c', battleSize: 1, finished: true, winner: 'Gwen' };
  const guests = (gwen: number) => [
    { player: 'ana', victoryPoints: 5 },
    { name: 'Gwen', victoryPoints: gwen },
  ];
  assert.deepEqual(lines({ ...casual, sides: guests(4) }), [
    'f:1: warning: winner: expected the side with more points (5 to 4 victory points), found "Gwen"',
  ]);
  assert.deepEqual(lines({ ...casual, sides: guests(6) }), []);
});

test('a win with equal or unknown scores, and an unfinished battle, are no warnings', () => {
  assert.deepEqual(lines(record(vp(10), vp(10))), []);
  assert.deepEqual(lines(record(vp(10), {})), []);
  assert.deepEqual(lines(record(vp(1), { rounds: [] })), []);
  assert.deepEqual(lines(record({ victoryPoints: null }, vp(3))), []);
  assert.deepEqual(lines(record(vp(10), vp(3), {})).length, 1);
  assert.deepEqual(lines(record(vp(10), vp(3), { finished: false })), []);
  // In binary, 0.1 + 0.2 is not 0.3.
  assert.deepEqual(lines(record(rounds(0.1, 0.2), vp(0.3), {})), []);
});

test('a draw with unequal scores is warned about', () => {
  const draw = 'f:1: warning: winner: expected a winner or equal scores, found a draw with';
  assert.deepEqual(lines(record(vp(10), vp(3), {})), [`${draw} 10 to 3 victory points`]);
  assert.deepEqual(lines(record(bp(3), bp(0), { winner: null })), [`${draw} 3 to 0 battle points`]);
  assert.deepEqual(lines(record({ ...vp(7), ...bp(1) }, { ...vp(7), ...bp(1) }, {})), []);
});

test('a round beyond the rounds of its stage is warned about', () => {
  const at = (round: number) => ({ stage: 'swiss', round });
  const parts = {
    battles: [at(3), at(4)],
    byes: [at(5)],
    matches: [{ stage: 'knockout', round: 2 }],
  } as unknown as Parameters<typeof roundWarnings>[0];
  const warnings = roundWarnings(
    parts,
    new Map([
      ['swiss', 3],
      ['knockout', 1],
    ]),
    (part, index) => `${part}[${index}].`,
  );
  assert.deepEqual(
    warnings.map((warning) => warningLine('f', 1, warning)),
    [
      'f:1: warning: battles[1].round: expected at most 3, the rounds of swiss, found 4',
      'f:1: warning: byes[0].round: expected at most 3, the rounds of swiss, found 5',
      'f:1: warning: matches[0].round: expected at most 1, the rounds of knockout, found 2',
    ],
  );
});

const list = { faction: 'Lanternsworn', points: 1, battleTacticCards: [], text: 'x' };
const sends = (subFaction: string, of?: object) => ({ subFaction, ...(of && { list: of }) });

test('a side that sends another sub-faction than its list is warned about', () => {
  const at = 'f:1: warning: sides[0].subFaction: expected';
  assert.deepEqual(lines(record(sends('Long Vigil', { ...list, subFaction: 'Wick Guard' }), {})), [
    `${at} the list's sub-faction ("Wick Guard"), found "Long Vigil"`,
  ]);
  assert.deepEqual(lines(record(sends('Long Vigil', { ...list, subFaction: '' }), {})), [
    `${at} the list's sub-faction (""), found "Long Vigil"`,
  ]);
  assert.equal(lines(record(sends('Long Vigil', { subFaction: 'Wick Guard' }), {})).length, 1);
  const casual = { kind: 'battle', id: 'c', battleSize: 1 };
  const guest = { name: 'Gwen', ...sends('Long Vigil', { ...list, subFaction: 'Wick Guard' }) };
  assert.deepEqual(lines({ ...casual, sides: [{ player: 'ana' }, guest] }), [
    `${at.replace('0', '1')} the list's sub-faction ("Wick Guard"), found "Long Vigil"`,
  ]);
  for (const same of [
    sends('Long Vigil'),
    sends('Long Vigil', { ...list, subFaction: 'Long Vigil' }),
    sends('', { ...list, subFaction: 'Long Vigil' }),
    sends('Long Vigil', { subFaction: '' }),
    { list: { ...list, subFaction: 'Long Vigil' } },
  ])
    assert.deepEqual(lines(record(same, {})), [], JSON.stringify(same));
});

test('a grouped swiss with another label than "Group Stage" is warned about', () => {
  const stage = (more: object) => ({ id: 'swiss', type: 'board', rounds: 3, grouped: true, ...more });
  const told = (...stages: object[]) => lines({ kind: 'tournament', slug: 'cup', stages });
  assert.deepEqual(told({ id: 'placement-3' }, stage({ label: 'Pools' })), [
    'f:1: warning: stages[1].label: expected "Group Stage" for a grouped swiss, found another label',
  ]);
  assert.deepEqual(told(stage({ label: 'Group Stage' })), []);
  assert.deepEqual(told(stage({})), []);
  assert.deepEqual(told(stage({ label: null })), []);
  assert.deepEqual(told(stage({ label: 'Pools', grouped: false })), []);
  assert.deepEqual(told(stage({ label: 'Pools', id: 'placement-swiss' })), []);
});

test('a total of less than its rounds is warned about, where both sides have the same rounds', () => {
  const warned = lines(record({ ...rounds(10, 10.5), ...vp(20) }, rounds(3, 4)));
  assert.deepEqual(warned, [
    'f:1: warning: sides[0].victoryPoints: expected at least 20.5, the sum of the rounds, found 20',
  ]);
  assert.equal(lines(record({ ...rounds(9, 9), ...vp(20) }, { ...rounds(9, 9), ...vp(17) })).length, 1);
  assert.deepEqual(lines(record({ ...rounds(10, 10), ...vp(20) }, rounds(3, 4))), []);
  // A pack may give points at the end of the battle.
  assert.deepEqual(lines(record({ ...rounds(10, 10), ...vp(50) }, rounds(3, 4))), []);
  assert.deepEqual(lines(record({ ...rounds(10, 10), ...vp(15) }, rounds(3))), []);
  assert.deepEqual(lines(record({ ...rounds(10, 10), ...vp(15) }, vp(3))), []);
  assert.deepEqual(lines(record({ rounds: [], ...vp(-5) }, { rounds: [], ...vp(-6) })), []);
});
