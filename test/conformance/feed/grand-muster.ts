import type { ArmyListEntry, BattleEntry } from '../../../src/record/feed/tournament-records.ts';
import type { TournamentRecord } from '../../../src/record/feed/records.ts';
import { decided, drawn, entered, side, won } from './told.ts';

const saturday = '2026-03-14';
const sunday = '2026-03-15';

/** The list of Ana here, and of Zoë elsewhere. */
export const armyList: ArmyListEntry = {
  faction: 'Lanternsworn',
  subFaction: 'Long Vigil',
  points: 1980,
  battleTacticCards: ['Swift Crossing', 'Steady Ranks'],
  text: 'Beacon Keeper\n10 Wick Guard\n\nTotal: 1980/2000',
};
/** Chidi's list, used only in the final. */
const finalList: ArmyListEntry = {
  faction: 'Quarry Giants',
  subFaction: '',
  points: 1500,
  battleTacticCards: [],
  text: 'Tollbridge Gang',
};

const battles: BattleEntry[] = [
  {
    id: 'gm-r1-1',
    stage: 'swiss',
    round: 1,
    date: saturday,
    scenario: 'Broken Causeway',
    finished: true,
    winner: 'ana',
    victorySize: 'major',
    sides: [
      {
        participant: 'ana',
        battlePoints: 3,
        drops: 2,
        role: 'attacker',
        rounds: [
          {
            round: 1,
            victoryPoints: 30,
            objectivePoints: 20,
            objectives: ['West bank', 'Mill'],
            battleTactic: 'Swift Crossing',
            battleTacticScored: true,
            priority: true,
            metrics: { 'Generals slain': 1, Painted: true },
          },
          {
            round: 2,
            victoryPoints: 32,
            objectivePoints: 22,
            objectives: ['Mill'],
            battleTactic: 'Steady Ranks',
            metrics: { 'Generals slain': 2, Painted: true },
          },
          { round: 3, metrics: { Painted: false } },
        ],
      },
      {
        participant: 'gwen',
        faction: 'Marrow Choir',
        subFaction: 'Dirge Walk',
        battlePoints: 0,
        victoryPoints: 40,
        objectivePoints: 25,
        battleTacticsScored: 2,
        drops: 4,
        role: 'defender',
        metrics: { 'Generals slain': 1 },
      },
    ],
  },
  won('gm-r1-2', 'swiss', 1, 'major', ['bjorn', 58, 3], ['nils', 30, 0]),
  won('gm-r1-3', 'swiss', 1, 'minor', ['chidi', 50, 2], ['mara', 48, 1]),
  { ...drawn('gm-r1-4', 'swiss', 1, ['emile', 44, 1.5], ['erik', 44, 1.5]), archived: true },
  won('gm-r1-5', 'swiss', 1, 'major', ['lucja', 60, 3], ['gone', 35, 0]),
  won('gm-r1-6', 'swiss', 1, 'minor', ['luka', 41, 2], ['tomas', 39, 1]),
  won('gm-r2-1', 'swiss', 2, 'major', ['ana', 66, 3], ['bjorn', 41, 0]),
  won('gm-r2-2', 'swiss', 2, 'minor', ['lucja', 52, 2], ['zoe', 47, 1]),
  won('gm-r2-3', 'swiss', 2, 'major', ['chidi', 57, 3], ['luka', 33, 0]),
  won('gm-r2-4', 'swiss', 2, 'major', ['emile', 55, 3], ['gwen', 21, 0]),
  won('gm-r2-5', 'swiss', 2, 'minor', ['erik', 49, 2], ['nils', 46, 1]),
  { ...won('gm-r2-6', 'swiss', 2, 'major', ['mara', 61, 3], ['gone', 38, 0]), date: null },
  won('gm-quarter-1', 'knockout', 1, 'major', ['ana', 50], ['erik', 30]),
  won('gm-quarter-2', 'knockout', 1, 'minor', ['mara', 45], ['emile', 44]),
  drawn('gm-quarter-3', 'knockout', 1, ['lucja', 40], ['bjorn', 40]),
  won('gm-semi-1', 'knockout', 2, 'major', ['ana', 55], ['mara', 35]),
  won('gm-semi-2', 'knockout', 2, 'minor', ['chidi', 48], ['lucja', 47]),
  {
    id: 'gm-final',
    stage: 'knockout',
    round: 3,
    battlePack: "Warden's Almanac 2022",
    battleSize: 1500,
    finished: true,
    winner: 'chidi',
    victorySize: 'minor',
    sides: [
      {
        ...side(['chidi', 52]),
        grandStrategy: 'Keep the Heartland',
        grandStrategyScored: true,
        list: finalList,
      },
      { ...side(['ana', 51]), grandStrategy: 'No Ground Given', grandStrategyScored: false },
    ],
  },
  won('gm-bronze', 'placement-3', 1, 'major', ['lucja', 60], ['mara', 20]),
  won('gm-fifth-1', 'placement-5-8', 1, 'minor', ['emile', 33], ['erik', 32]),
  won('gm-fifth-2', 'placement-5-8', 1, 'major', ['zoe', 42], ['bjorn', 22]),
  won('gm-fifth-3', 'placement-5-8', 2, 'minor', ['zoe', 36], ['emile', 31]),
  won('gm-fifth-4', 'placement-5-8', 2, 'major', ['bjorn', 37], ['erik', 27]),
  won('gm-rest-1', 'placement-swiss', 1, 'major', ['luka', 45, 3], ['gwen', 20, 0]),
  won('gm-rest-2', 'placement-swiss', 1, 'minor', ['gone', 40, 2], ['nils', 38, 1]),
];

/**
 * A tournament with two Swiss rounds, a knockout of the best eight with all its placements, and a separate
 * Swiss stage for four others.
 */
export const grandMuster: TournamentRecord = {
  kind: 'tournament',
  slug: 'grand-muster',
  published: true,
  name: 'Grand Muster 2026',
  status: 'finished',
  startDate: saturday,
  endDate: sunday,
  description: 'Two days & one cup.\n<b>No</b> markup.',
  city: 'Aveiro',
  country: 'Portugal',
  battleSize: 2000,
  battlePack: "Warden's Almanac 2025",
  organizer: 'lantern-street',
  tournamentOrganizers: ['to-1', 'gone', 'to-2', 'to-3'],
  metrics: [
    { name: 'Generals slain', type: 'number' },
    { name: 'Painted', type: 'yesNo' },
  ],
  stages: [
    { id: 'swiss', label: 'Swiss Stage', type: 'board', rounds: 2 },
    {
      id: 'knockout',
      label: 'Top Cut',
      type: 'bracket',
      rounds: 3,
      members: ['ana', 'lucja', 'chidi', 'emile', 'mara', 'zoe', 'bjorn', 'erik'].map((participant, i) => ({
        participant,
        seed: i + 1,
      })),
    },
    {
      id: 'placement-swiss',
      label: 'Consolation',
      type: 'board',
      rounds: 1,
      members: [
        { participant: 'luka' },
        { participant: 'nils' },
        { participant: 'gone' },
        { participant: 'gwen' },
      ],
    },
    { id: 'placement-3', label: 'Bronze', type: 'bracket', rounds: 1 },
    { id: 'placement-5-8', label: 'Places 5 to 8', type: 'bracket', rounds: 2 },
  ],
  participants: [
    ...entered('zoe', 'lucja', 'luka', 'erik', 'emile', 'gone', 'mara', 'nils'),
    { id: 'ana', player: 'ana', club: 'lantern-street', list: armyList },
    { id: 'bjorn', player: 'bjorn', club: 'north-gate', faction: 'Rimehold Kin' },
    { id: 'chidi', player: 'chidi', faction: 'Quarry Giants' },
    { id: 'gwen', name: 'gwen Harte' },
    { id: 'tomas', player: 'tomas', dropped: true },
    { id: 'pia', player: 'pia', noShow: true },
  ],
  byes: [
    {
      stage: 'swiss',
      round: 1,
      participant: 'zoe',
      win: true,
      battlePoints: 3,
      victoryPoints: 50,
      victoryPointsDiff: 10,
    },
  ],
  adjustments: [{ stage: 'swiss', participant: 'erik', battlePoints: -0.5, reason: 'late list' }],
  battles: battles.map((battle) => ({ date: battle.stage === 'swiss' ? saturday : sunday, ...battle })),
  matches: [
    { ...decided('knockout', 1, 1, 'ana', 'erik', 'gm-quarter-1'), name: 'Last Eight' },
    { ...decided('knockout', 1, 2, 'mara', 'emile', 'gm-quarter-2'), name: 'Last Eight' },
    { ...decided('knockout', 1, 3, 'lucja', 'bjorn', 'gm-quarter-3'), name: 'Last Eight' },
    { ...decided('knockout', 1, 4, 'chidi', 'zoe', null), name: 'Last Eight' },
    decided('knockout', 2, 1, 'ana', 'mara', 'gm-semi-1'),
    decided('knockout', 2, 2, 'chidi', 'lucja', 'gm-semi-2'),
    decided('knockout', 3, 1, 'chidi', 'ana', 'gm-final'),
    decided('placement-3', 1, 1, 'lucja', 'mara', 'gm-bronze'),
    decided('placement-5-8', 1, 1, 'emile', 'erik', 'gm-fifth-1'),
    decided('placement-5-8', 1, 2, 'zoe', 'bjorn', 'gm-fifth-2'),
    decided('placement-5-8', 2, 1, 'zoe', 'emile', 'gm-fifth-3'),
    decided('placement-5-8', 2, 2, 'bjorn', 'erik', 'gm-fifth-4'),
  ],
};
