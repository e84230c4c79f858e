// A feed in which one person, whose name occurs nowhere else, appears everywhere that a name can be stored.

export const wanted = 'Zéphyrine Quillfeather';

const list = (subFaction: string, text: string) => ({
  faction: 'Lanternsworn',
  subFaction,
  points: 1980,
  battleTacticCards: ['Swift Crossing'],
  text,
});

const battle = (id: string, first: object, second: object, more: object = {}) => ({
  id,
  stage: 'swiss',
  round: 1,
  date: '2025-06-14',
  finished: true,
  sides: [
    { battlePoints: 3, victoryPoints: 20, ...first },
    { battlePoints: 0, victoryPoints: 10, ...second },
  ],
  ...more,
});

const open = {
  kind: 'tournament',
  slug: 'open',
  published: true,
  name: 'Tidewatch Open',
  status: 'finished',
  startDate: '2025-06-14',
  description: `Run by ZÉPHYRINE   QUILLFEATHER and friends.`,
  battleSize: 2000,
  battlePack: `Pack of ${wanted}`,
  organizer: 'home',
  tournamentOrganizers: ['wanted', 'ann'],
  metrics: [{ name: `Beat ${wanted}`, type: 'number' }],
  groups: [`Group ${wanted}`, 'Group B'],
  stages: [
    { id: 'swiss', label: `Swiss of ${wanted}`, type: 'board', rounds: 2, grouped: true },
    {
      id: 'knockout',
      label: 'Cut',
      type: 'bracket',
      rounds: 1,
      members: [
        { participant: 'p1', seed: 1 },
        { participant: 'p2', seed: 2 },
      ],
    },
  ],
  participants: [
    {
      id: 'p1',
      player: 'wanted',
      club: 'home',
      group: 'Group B',
      list: list('Long Vigil', `List by ${wanted}`),
    },
    {
      id: 'p2',
      player: 'ann',
      group: 'Group B',
      list: list('', `Painted by Ze\u0301phyrine Quillfeather`),
    },
    { id: 'p3', name: 'Guest Gwen', group: `Group ${wanted}`, faction: 'Marrow Choir' },
  ],
  byes: [{ stage: 'swiss', round: 1, participant: 'p3', win: true, battlePoints: 3 }],
  adjustments: [
    { stage: 'swiss', participant: 'p1', battlePoints: -1, reason: `${wanted} came late` },
    { stage: 'swiss', participant: 'p2', battlePoints: -1, reason: `told ${wanted}` },
  ],
  battles: [
    // The faction and formation of p1 come from the participant's list, and in the second battle from the
    // battle's own list.
    battle(
      'open-1',
      { participant: 'p1', grandStrategy: `Like ${wanted}` },
      { participant: 'p2', metrics: { [`Beat ${wanted}`]: 1 } },
      { winner: 'p1', victorySize: 'major', scenario: `Field of ${wanted}` },
    ),
    battle(
      'open-2',
      { participant: 'p3' },
      { participant: 'p1', list: list('Wick Guard', `Second list by ${wanted}`) },
      { round: 2, winner: 'p3' },
    ),
    battle(
      'open-f',
      { participant: 'p2', list: list('', 'Last list') },
      { participant: 'p1', list: list('', `Third list by ${wanted}`) },
      { stage: 'knockout', winner: 'p2' },
    ),
  ],
  matches: [
    {
      stage: 'knockout',
      round: 1,
      position: 1,
      name: `Final of ${wanted}`,
      table: 1,
      players: ['p1', 'p2'],
      winner: 'p2',
      battle: 'open-f',
    },
  ],
};

const league = {
  kind: 'tournament',
  slug: 'league',
  published: true,
  name: 'League',
  status: 'ongoing',
  startDate: '2025-09-06',
  battleSize: 1500,
  stages: [{ id: 'swiss', label: 'Swiss', type: 'board', rounds: 2 }],
  participants: [
    { id: 'g1', name: wanted, list: list('Beacon Watch', `Guest list by ${wanted}`) },
    { id: 'g2', player: 'ann' },
    { id: 'g3', name: 'Guest Gwen' },
  ],
  adjustments: [{ stage: 'swiss', participant: 'g1', battlePoints: 1, reason: `gift to ${wanted}` }],
  battles: [
    battle(
      'league-1',
      { participant: 'g1', list: list('Wick Guard', `By ${wanted}`) },
      { participant: 'g2' },
      { winner: 'g1' },
    ),
  ],
};

/** Another event, without any trace of the person, whose answers must not change. */
const apart = {
  kind: 'tournament',
  slug: 'apart',
  published: true,
  name: 'Apart',
  status: 'finished',
  startDate: '2025-03-01',
  battleSize: 1000,
  stages: [{ id: 'swiss', label: 'Swiss', type: 'board', rounds: 1 }],
  participants: [
    { id: 'a1', player: 'ann' },
    { id: 'a2', name: 'Guest Gwen' },
  ],
  battles: [battle('apart-1', { participant: 'a1' }, { participant: 'a2' }, { winner: 'a1' })],
};

const casual = (id: string, first: object, second: object) => ({
  kind: 'battle',
  id,
  battleSize: 1000,
  club: 'home',
  date: '2025-07-01',
  finished: true,
  sides: [first, second],
});

const refusedLine = { kind: 'player', id: 'not an id', name: wanted };

export const wantedFeed = [
  { kind: 'club', slug: 'home', name: 'Home', description: `Founded by ${wanted}.`, city: 'Brest' },
  { kind: 'battlePack', name: `Pack of ${wanted}`, grandStrategies: true },
  { kind: 'player', id: 'wanted', name: wanted },
  { kind: 'player', id: 'ann', name: 'Ann' },
  open,
  league,
  apart,
  casual('casual-1', { player: 'wanted', list: list('Beacon Watch', `By ${wanted}`) }, { name: 'Pascal' }),
  casual('casual-2', { name: wanted, list: list('', `By ${wanted}`) }, { name: 'Pascal' }),
  refusedLine,
];
