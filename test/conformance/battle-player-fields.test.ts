import assert from 'node:assert/strict';
import { battlesShown, playersOf } from './battles-shown.ts';
import { armyList } from './feed/grand-muster.ts';
import { byName, fieldRules } from './fields.ts';
import { rule } from './rule.ts';
import { type Row, startWorld } from './world.ts';

// Tests the fields of the two sides of a battle, and of their rounds.

const world = await startWorld();
const { listed, inFull } = await battlesShown(world);
const sidesOf = (battles: Map<string, Row>) =>
  new Map(
    [...battles].flatMap(([id, battle]) => [
      ...byName(playersOf(battle), ({ player }) => `${id} ${String(player)}`),
    ]),
  );
// Erik recorded all four values in every battle, and Luka none of them, so what is shown depends on the pack
// alone.
const packs = [
  'all three',
  'objectives, tactics',
  'objectives',
  'tactics',
  'strategies',
  'nothing',
  'no pack',
];
const byPack = (erik: unknown, luka: unknown, ...scoring: string[]) =>
  Object.fromEntries(
    packs.flatMap((pack, i) => {
      const isScored = scoring.includes(pack);
      return [
        [`pack-${i + 1} Erik Voss`, isScored ? erik : undefined],
        [`pack-${i + 1} Luka Horvat`, isScored ? luka : undefined],
      ];
    }),
  );
fieldRules(
  'BattlePlayer',
  sidesOf(listed),
  {
    player: {
      'gm-r1-2 bjørn Aas': 'bjørn Aas',
      'friendly-won Pascal': 'Pascal',
      'gm-r1-5 Deleted player': 'Deleted player',
    },
    playerId: { 'gm-r1-2 bjørn Aas': 'bjorn', 'friendly-won Pascal': null, 'gm-r1-5 Deleted player': null },
    faction: {
      'gm-r1-1 Ana Quiroga': 'Lanternsworn',
      'gm-r1-1 gwen Harte': 'Marrow Choir',
      'gm-final Chidi Eze': 'Quarry Giants',
      'gm-r1-2 bjørn Aas': 'Rimehold Kin',
      'gm-r2-4 gwen Harte': null,
      'friendly-won Pascal': null,
    },
    subFaction: {
      'gm-r1-1 Ana Quiroga': 'Long Vigil',
      'gm-r1-1 gwen Harte': 'Dirge Walk',
      'gm-final Chidi Eze': '',
      'friendly-won Pascal': null,
    },
    outcome: {
      'gm-r1-1 Ana Quiroga': 'win',
      'gm-r1-1 gwen Harte': 'loss',
      'friendly-undated Ana Quiroga': 'loss',
      'friendly-undated Pascal': 'win',
      'gm-r1-4 Erik Voss': 'draw',
      'gc-4 Ana Quiroga': null,
      'gc-4 Luka Horvat': null,
    },
    battlePoints: {
      'gm-r1-1 Ana Quiroga': 3,
      'gm-r1-1 gwen Harte': 0,
      'gm-r1-4 Erik Voss': 1.5,
      'gm-final Chidi Eze': null,
      'gc-4 Ana Quiroga': null,
    },
    victoryPoints: {
      'gm-r1-1 Ana Quiroga': 30 + 32,
      'gm-r1-1 gwen Harte': 40,
      'gc-4 Ana Quiroga': 12,
      'gc-4 Luka Horvat': null,
    },
    objectivePoints: {
      'gm-r1-1 Ana Quiroga': 20 + 22,
      'gm-r1-1 gwen Harte': 25,
      ...byPack(7, 0, 'all three', 'objectives, tactics', 'objectives'),
    },
    battleTacticsScored: {
      'gm-r1-1 Ana Quiroga': 1,
      'gm-r1-1 gwen Harte': 2,
      ...byPack(3, 0, 'all three', 'objectives, tactics', 'tactics'),
    },
    grandStrategy: {
      'gm-final Ana Quiroga': 'No Ground Given',
      'gm-r1-1 Ana Quiroga': undefined,
      ...byPack('Feed the Crows', null, 'all three', 'strategies'),
    },
    grandStrategyScored: {
      'gm-final Chidi Eze': true,
      'gm-final Ana Quiroga': false,
      ...byPack(true, false, 'all three', 'strategies'),
    },
    drops: { 'gm-r1-1 Ana Quiroga': 2, 'gm-r1-1 gwen Harte': 4, 'gm-r1-2 bjørn Aas': null },
    role: { 'gm-r1-1 Ana Quiroga': 'attacker', 'gm-r1-1 gwen Harte': 'defender', 'gm-r1-2 bjørn Aas': null },
    metrics: {
      'gm-r1-1 Ana Quiroga': { 'Generals slain': 3, Painted: 2 },
      'gm-r1-1 gwen Harte': { 'Generals slain': 1 },
    },
  },
  ({ isOnlyInFull }) => !isOnlyInFull,
);
const sides = sidesOf(inFull);
const ana = sides.get('gm-r1-1 Ana Quiroga') ?? {};
const metrics = ana['metrics'] as Row;
rule('BattlePlayer', '`metrics`: numbers are totalled', () => assert.equal(metrics['Generals slain'], 1 + 2));
rule('BattlePlayer', '`metrics`: yes/no metrics are counted', () => assert.equal(metrics['Painted'], 2));
rule('BattlePlayer', '`metrics`: empty object when nothing extra', () => {
  for (const name of ['gm-r1-2 bjørn Aas', 'gc-1 Ana Quiroga', 'friendly-won Pascal']) {
    assert.deepEqual(sides.get(name)?.['metrics'], {});
  }
});
fieldRules(
  'BattlePlayer',
  sides,
  {
    list: {
      'gm-r1-1 Ana Quiroga': armyList,
      'gm-quarter-1 Ana Quiroga': armyList,
      'gm-r1-1 gwen Harte': null,
    },
    rounds: { 'gm-r1-1 gwen Harte': [] },
  },
  ({ isOnlyInFull }) => isOnlyInFull,
);
rule('BattlePlayer', '`list` repeats faction and subFaction, which also stay on the player', () => {
  const textsOf = (row: Row | undefined) => [row?.['faction'], row?.['subFaction']];
  assert.deepEqual(textsOf(ana), ['Lanternsworn', 'Long Vigil']);
  // This list has no formation.
  assert.deepEqual(textsOf(sides.get('gm-final Chidi Eze')), ['Quarry Giants', '']);
  for (const [name, side] of sides) {
    if (side['list'] === null) continue;
    assert.deepEqual(textsOf(side['list'] as Row), textsOf(side), name);
    assert.deepEqual(textsOf(sidesOf(listed).get(name)), textsOf(side), name);
  }
});
rule('BattlePlayer', 'Battle listings do not carry `list` or `rounds` on players', async () => {
  const lists = ['/tournaments/grand-muster', '/clubs/lantern-street', '/users/ana'];
  for (const path of lists) {
    for (const player of (await world.all(`${path}/battles`)).flatMap(playersOf)) {
      assert.ok(!('list' in player) && !('rounds' in player), path);
    }
  }
});

// Values of the third round that nobody recorded are shown as the empty value of their type, never as null.
const rounds = byName(ana['rounds'] as Row[], (_, index) => `number ${index + 1}`);
fieldRules('PlayerRound', rounds, {
  round: { 'number 1': 1, 'number 2': 2, 'number 3': 3 },
  victoryPoints: { 'number 1': 30, 'number 2': 32, 'number 3': 0 },
  objectivePoints: { 'number 1': 20, 'number 2': 22, 'number 3': 0 },
  objectives: { 'number 1': ['West bank', 'Mill'], 'number 2': ['Mill'], 'number 3': [] },
  battleTactic: { 'number 1': 'Swift Crossing', 'number 2': 'Steady Ranks', 'number 3': '' },
  battleTacticScored: { 'number 1': true, 'number 2': false, 'number 3': false },
  priority: { 'number 1': true, 'number 2': false, 'number 3': false },
});
