import type { TournamentRecord } from '../../../src/record/feed/records.ts';
import { armyList } from './grand-muster.ts';
import { decided, drawn, entered, side, won } from './told.ts';

/** A running tournament with two groups of three. Ana and Luka are still playing. */
export const groupCup: TournamentRecord = {
  kind: 'tournament',
  slug: 'group-cup',
  published: true,
  name: 'Group Cup',
  status: 'ongoing',
  startDate: '2026-05-02',
  battleSize: 1500,
  battlePack: 'Skirmish Ledger',
  organizer: 'lantern-street',
  groups: ['Group A', 'Group B'],
  stages: [{ id: 'swiss', type: 'board', rounds: 3, grouped: true }],
  participants: [
    ...entered('mara', 'bjorn', 'zoe').map((each) => ({ ...each, group: 'Group B' })),
    ...entered('luka', 'ana', 'chidi').map((each) => ({ ...each, group: 'Group A' })),
  ],
  battles: [
    won('gc-1', 'swiss', 1, 'minor', ['chidi', 21, 2], ['ana', 18, 1]),
    won('gc-2', 'swiss', 1, 'major', ['mara', 30, 3], ['zoe', 10, 0]),
    drawn('gc-3', 'swiss', 2, ['bjorn', 15, 1], ['zoe', 15, 1]),
    { id: 'gc-4', stage: 'swiss', round: 2, sides: [side(['ana', 12, 1]), { participant: 'luka' }] },
  ].map((battle) => ({ ...battle, date: '2026-05-02' })),
};

/**
 * A tournament that is run by a person and not by a club. The knockout has begun, and its second semi-final
 * is being played.
 */
export const winterCut: TournamentRecord = {
  kind: 'tournament',
  slug: 'winter-cut',
  published: true,
  name: 'Winter Cut',
  status: 'ongoing',
  startDate: '2026-05-02',
  endDate: '2026-05-03',
  battleSize: 2000,
  tournamentOrganizers: ['to-1'],
  stages: [
    { id: 'swiss', label: 'Qualifier', type: 'board', rounds: 1 },
    {
      id: 'knockout',
      label: 'Top Four',
      type: 'bracket',
      rounds: 2,
      members: entered('ana', 'bjorn', 'chidi', 'emile').map(({ id }) => ({ participant: id })),
    },
    {
      id: 'placement-swiss',
      label: 'Sunday Swiss',
      type: 'board',
      rounds: 1,
      members: [{ participant: 'ida' }, { participant: 'jon' }],
    },
  ],
  participants: [
    ...entered('ana', 'bjorn', 'chidi', 'emile'),
    { id: 'ida', name: 'Ida Holm' },
    { id: 'jon', name: 'Jon Ek' },
  ],
  battles: [
    won('wc-1', 'swiss', 1, 'major', ['ana', 20, 3], ['emile', 10, 0]),
    won('wc-2', 'swiss', 1, 'major', ['bjorn', 20, 3], ['chidi', 11, 0]),
    won('wc-3', 'swiss', 1, 'major', ['ida', 20, 3], ['jon', 12, 0]),
    won('wc-semi-1', 'knockout', 1, 'minor', ['ana', 25], ['emile', 24]),
    {
      id: 'wc-semi-2',
      stage: 'knockout',
      round: 1,
      sides: [{ participant: 'bjorn' }, { participant: 'chidi' }],
    },
  ].map((battle) => ({ ...battle, date: battle.stage === 'swiss' ? '2026-05-02' : '2026-05-03' })),
  matches: [
    decided('knockout', 1, 1, 'ana', 'emile', 'wc-semi-1'),
    {
      stage: 'knockout',
      round: 1,
      position: 2,
      table: 2,
      players: ['bjorn', 'chidi'],
      battle: 'wc-semi-2',
    },
    { stage: 'knockout', round: 2, position: 1, table: 1, players: ['ana'] },
  ],
};

/** A tournament with groups that finished before placements were recorded. */
export const oldGuard: TournamentRecord = {
  kind: 'tournament',
  slug: 'old-guard',
  published: true,
  name: 'Old Guard 2019',
  status: 'finished',
  startDate: '2019-09-07',
  endDate: '2019-09-07',
  battleSize: 2000,
  standingsLabel: 'Roll of Honour',
  placementsRecorded: false,
  groups: ['North', 'South'],
  stages: [{ id: 'swiss', type: 'board', rounds: 1, grouped: true }],
  participants: [
    ...entered('ana', 'bjorn').map((each) => ({ ...each, group: 'North' })),
    ...entered('chidi', 'emile').map((each) => ({ ...each, group: 'South' })),
  ],
  battles: [
    won('og-1', 'swiss', 1, 'major', ['ana', 20, 3], ['bjorn', 10, 0]),
    won('og-2', 'swiss', 1, 'major', ['emile', 30, 3], ['chidi', 10, 0]),
  ].map((battle) => ({ ...battle, date: '2019-09-07' })),
};

export const ahead: TournamentRecord[] = [
  {
    kind: 'tournament',
    slug: 'spring-plan',
    published: true,
    name: 'Spring Plan',
    status: 'planned',
    startDate: '2026-06-20',
    battleSize: 2000,
    organizer: 'north-gate',
    stages: [
      { id: 'swiss', label: 'Swiss Stage', type: 'board', rounds: 3 },
      { id: 'knockout', label: 'Top Cut', type: 'bracket', rounds: 2, members: [] },
    ],
    participants: [
      { id: 'zoe', player: 'zoe', list: armyList },
      { id: 'ben', name: 'Ben Ito' },
      { id: 'ana', player: 'ana' },
    ],
  },
  {
    kind: 'tournament',
    slug: 'some-day',
    published: true,
    name: 'Some Day',
    status: 'planned',
    battleSize: 1000,
    organizer: 'lantern-street',
  },
  {
    kind: 'tournament',
    slug: 'hidden-cup',
    published: false,
    name: 'Hidden Cup',
    status: 'finished',
    startDate: '2026-05-09',
    battleSize: 2000,
    organizer: 'lantern-street',
    stages: [{ id: 'swiss', label: 'Swiss Stage', type: 'board', rounds: 1 }],
    participants: entered('ana', 'bjorn'),
    battles: [
      { ...won('hidden-1', 'swiss', 1, 'major', ['ana', 20, 3], ['bjorn', 10, 0]), date: '2026-05-09' },
    ],
  },
];

/** Enough evenings for a second page of every list that contains Ana or her club. */
export const leagueNights = Array.from({ length: 22 }, (_, i): TournamentRecord => {
  const night = String(i + 1).padStart(2, '0');
  const date = `2025-01-${night}`;
  return {
    kind: 'tournament',
    slug: `league-${night}`,
    published: true,
    name: `League Night ${night}`,
    status: 'finished',
    startDate: date,
    endDate: date,
    battleSize: 1000,
    battlePack: 'Open Field Compact',
    organizer: 'lantern-street',
    stages: [{ id: 'swiss', label: 'League Table', type: 'board', rounds: 1 }],
    participants: entered('ana', 'nils'),
    battles: [{ ...won(`league-${night}-1`, 'swiss', 1, 'major', ['ana', 20, 3], ['nils', 10, 0]), date }],
  };
});

/** A tournament with 24 guests and 108 battles, more than the largest page. */
export const fullHouse: TournamentRecord = {
  kind: 'tournament',
  slug: 'full-house',
  published: true,
  name: 'Full House',
  status: 'ongoing',
  startDate: '2024-06-01',
  battleSize: 1000,
  stages: [{ id: 'swiss', label: 'Swiss Stage', type: 'board', rounds: 9 }],
  participants: Array.from({ length: 24 }, (_, i) => ({ id: `g${i}`, name: `Guest ${10 + i}` })),
  battles: Array.from({ length: 108 }, (_, i) => {
    const [round, table] = [1 + Math.floor(i / 12), i % 12];
    const second = `g${12 + ((table + round) % 12)}`;
    const battle = drawn(`fh-${round}-${10 + table}`, 'swiss', round, [`g${table}`, 10, 1], [second, 10, 1]);
    return { ...battle, date: `2024-06-0${round}` };
  }),
};
