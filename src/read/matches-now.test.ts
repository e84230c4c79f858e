import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BattlePlayer } from '../contract/battle.ts';
import { type MatchOfRound, outcomeOf } from './matches-now.ts';

const match = (fields: Partial<MatchOfRound>): MatchOfRound => ({
  round: 'Final',
  inRound: 1,
  table: 1,
  players: ['Ann', 'Ann'],
  winner: 'Ann',
  battle: null,
  playerIds: [null, null],
  guests: { players: [null, null], winner: null },
  ...fields,
});
const side = (playerId: string, outcome: BattlePlayer['outcome']): BattlePlayer => ({
  player: 'Ann',
  playerId,
  faction: null,
  subFaction: null,
  outcome,
  battlePoints: null,
  victoryPoints: null,
  drops: null,
  role: null,
  metrics: {},
});
const outcomes = (fields: Partial<MatchOfRound>, ...players: BattlePlayer[]) =>
  ([0, 1] as const).map((index) => outcomeOf(match(fields), { players }, index));

test('of two registered players of one name, the battle tells who won, and without it nobody is said to have', () => {
  const playerIds = ['x', 'y'];
  assert.deepEqual(outcomes({ playerIds }), [null, null]);
  assert.deepEqual(outcomes({ playerIds }, side('y', 'win'), side('x', 'loss')), ['loss', 'win']);
});

test('of a guest and a registered player of one name, the winner is known without a battle', () => {
  const [playerIds, players] = [
    [null, 'y'],
    ['p1', null],
  ];
  assert.deepEqual(outcomes({ playerIds, guests: { players, winner: null } }), ['loss', 'win']);
  assert.deepEqual(outcomes({ playerIds, guests: { players, winner: 'p1' } }), ['win', 'loss']);
});

test('of two erased players nobody knows who won without a battle', () => {
  assert.deepEqual(outcomes({}), [null, null]);
  assert.deepEqual(outcomes({ guests: { players: [] } }), [null, null]);
});

test('before a match is decided, its battle says how it ended', () => {
  const open = { winner: null, playerIds: ['x', 'y'] };
  assert.deepEqual(outcomes(open), [null, null]);
  assert.deepEqual(outcomes(open, side('x', null), side('y', null)), [null, null]);
  assert.deepEqual(outcomes(open, side('x', 'draw'), side('y', 'draw')), ['draw', 'draw']);
});
