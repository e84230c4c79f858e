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
fieldRules('BattlePlayer', sidesOf(listed), [
  [
    'player',
    'string',
    'display name',
    {
      'gm-r1-2 bjørn Aas': 'bjørn Aas',
      'friendly-won Pascal': 'Pascal',
      'gm-r1-5 Deleted player': 'Deleted player',
    },
  ],
  [
    'playerId',
    'string | null',
    'public player id, when one exists',
    { 'gm-r1-2 bjørn Aas': 'bjorn', 'friendly-won Pascal': null, 'gm-r1-5 Deleted player': null },
  ],
  [
    'faction',
    'string | null',
    'faction played',
    {
      'gm-r1-1 Ana Quiroga': 'Lanternsworn',
      'gm-r1-1 gwen Harte': 'Marrow Choir',
      'gm-final Chidi Eze': 'Quarry Giants',
      'gm-r1-2 bjørn Aas': 'Rimehold Kin',
      'gm-r2-4 gwen Harte': null,
      'friendly-won Pascal': null,
    },
  ],
  [
    'subFaction',
    'string | null',
    'battle formation',
    {
      'gm-r1-1 Ana Quiroga': 'Long Vigil',
      'gm-r1-1 gwen Harte': 'Dirge Walk',
      'gm-final Chidi Eze': '',
      'friendly-won Pascal': null,
    },
  ],
  [
    'outcome',
    '"win" | "loss" | "draw" | null',
    'null while the battle is unfinished',
    {
      'gm-r1-1 Ana Quiroga': 'win',
      'gm-r1-1 gwen Harte': 'loss',
      'friendly-undated Ana Quiroga': 'loss',
      'friendly-undated Pascal': 'win',
      'gm-r1-4 Erik Voss': 'draw',
      'gc-4 Ana Quiroga': null,
      'gc-4 Luka Horvat': null,
    },
  ],
  [
    'battlePoints',
    'number | null',
    'battle points earned from this battle',
    {
      'gm-r1-1 Ana Quiroga': 3,
      'gm-r1-1 gwen Harte': 0,
      'gm-r1-4 Erik Voss': 1.5,
      'gm-final Chidi Eze': null,
      'gc-4 Ana Quiroga': null,
    },
  ],
  [
    'victoryPoints',
    'number | null',
    'victory points across every round',
    {
      'gm-r1-1 Ana Quiroga': 30 + 32,
      'gm-r1-1 gwen Harte': 40,
      'gc-4 Ana Quiroga': 12,
      'gc-4 Luka Horvat': null,
    },
  ],
  [
    'objectivePoints',
    'number, optional',
    'present when the battle pack scores objectives',
    {
      'gm-r1-1 Ana Quiroga': 20 + 22,
      'gm-r1-1 gwen Harte': 25,
      ...byPack(7, 0, 'all three', 'objectives, tactics', 'objectives'),
    },
  ],
  [
    'battleTacticsScored',
    'number, optional',
    'present when the battle pack uses battle tactics; count completed',
    {
      'gm-r1-1 Ana Quiroga': 1,
      'gm-r1-1 gwen Harte': 2,
      ...byPack(3, 0, 'all three', 'objectives, tactics', 'tactics'),
    },
  ],
  [
    'grandStrategy',
    'string | null, optional',
    'present when the battle pack uses grand strategies; the one picked',
    {
      'gm-final Ana Quiroga': 'No Ground Given',
      'gm-r1-1 Ana Quiroga': undefined,
      ...byPack('Feed the Crows', null, 'all three', 'strategies'),
    },
  ],
  [
    'grandStrategyScored',
    'boolean, optional',
    'present when the battle pack uses grand strategies; whether it came off',
    {
      'gm-final Chidi Eze': true,
      'gm-final Ana Quiroga': false,
      ...byPack(true, false, 'all three', 'strategies'),
    },
  ],
  [
    'drops',
    'number | null',
    'number of deployment drops; null when none recorded',
    { 'gm-r1-1 Ana Quiroga': 2, 'gm-r1-1 gwen Harte': 4, 'gm-r1-2 bjørn Aas': null },
  ],
  [
    'role',
    '"attacker" | "defender" | null',
    'null when the battle did not record roles',
    { 'gm-r1-1 Ana Quiroga': 'attacker', 'gm-r1-1 gwen Harte': 'defender', 'gm-r1-2 bjørn Aas': null },
  ],
  [
    'metrics',
    'object',
    "always present; keyed by the organiser's name for them",
    {
      'gm-r1-1 Ana Quiroga': { 'Generals slain': 3, Painted: 2 },
      'gm-r1-1 gwen Harte': { 'Generals slain': 1 },
    },
  ],
]);
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
fieldRules('BattlePlayer', sides, [
  [
    'list',
    'object | null',
    'only in the battle-by-id response; null when none recorded',
    { 'gm-r1-1 Ana Quiroga': armyList, 'gm-quarter-1 Ana Quiroga': armyList, 'gm-r1-1 gwen Harte': null },
  ],
  [
    'rounds',
    'array',
    'only in the battle-by-id response; round-by-round detail',
    { 'gm-r1-1 gwen Harte': [] },
  ],
]);
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
fieldRules('PlayerRound', rounds, [
  ['round', 'number', '', { 'number 1': 1, 'number 2': 2, 'number 3': 3 }],
  ['victoryPoints', 'number', '', { 'number 1': 30, 'number 2': 32, 'number 3': 0 }],
  ['objectivePoints', 'number', '', { 'number 1': 20, 'number 2': 22, 'number 3': 0 }],
  ['objectives', 'array', '', { 'number 1': ['West bank', 'Mill'], 'number 2': ['Mill'], 'number 3': [] }],
  [
    'battleTactic',
    'string',
    '',
    { 'number 1': 'Swift Crossing', 'number 2': 'Steady Ranks', 'number 3': '' },
  ],
  ['battleTacticScored', 'boolean', '', { 'number 1': true, 'number 2': false, 'number 3': false }],
  ['priority', 'boolean', '', { 'number 1': true, 'number 2': false, 'number 3': false }],
]);
