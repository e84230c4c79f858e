import type {
  Battle,
  BattleDetail,
  BattlePlayer,
  BattlePlayerDetail,
  PlayerRound,
} from '../../src/contract/battle.ts';
import type { Club } from '../../src/contract/club.ts';
import type { Tournament } from '../../src/contract/tournament.ts';

// The examples show a club, two tournaments and three battles. The numbers agree with each other (the points
// of a battle are the sum of its rounds), because readers check their own arithmetic against examples.

const site = 'https://wartable.example';

export const club: Club = {
  slug: 'lantern-street-gamers',
  name: 'Lantern Street Gamers',
  description: 'Tables every Thursday above the old ferry hall. Guests welcome.',
  city: 'Aveiro',
  country: 'Portugal',
  members: 64,
  website: 'https://lantern-street.example',
  url: `${site}/clubs/lantern-street-gamers`,
};

export const championship: Tournament = {
  slug: 'harbour-lights-gt-2026',
  name: 'Harbour Lights GT 2026',
  status: 'finished',
  startDate: '2026-03-14',
  endDate: '2026-03-15',
  description: 'Five rounds of Swiss, then a top four.',
  city: 'Aveiro',
  country: 'Portugal',
  players: 32,
  rounds: 8,
  battleSize: 2000,
  battlePack: "Warden's Almanac 2025",
  organizer: 'lantern-street-gamers',
  tournamentOrganizers: [
    { name: 'Duarte Pinho', playerId: 'p_mm20Xz' },
    { name: 'Łucja Baran', playerId: 'p_0aBq9T' },
  ],
  stages: [
    { id: 'swiss', name: 'Swiss Stage', type: 'board', rounds: 5 },
    { id: 'knockout', name: 'Top Cut', type: 'bracket', rounds: 2, players: 4 },
    { id: 'placement-3', name: 'Third Place', type: 'bracket', rounds: 1 },
    { id: 'standings', name: 'Final Standings', type: 'board' },
  ],
  url: `${site}/tournaments/harbour-lights-gt-2026`,
};

export const plannedTournament: Tournament = {
  slug: 'midsummer-muster-2026',
  name: 'Midsummer Muster 2026',
  status: 'planned',
  startDate: '2026-06-20',
  endDate: null,
  description: '',
  city: null,
  country: null,
  players: 12,
  rounds: 3,
  battleSize: 1000,
  battlePack: null,
  organizer: 'lantern-street-gamers',
  tournamentOrganizers: [],
  stages: [{ id: 'swiss', name: 'Swiss Stage', type: 'board', rounds: 3 }],
  url: `${site}/tournaments/midsummer-muster-2026`,
};

const winningSide: BattlePlayer = {
  player: 'Inês Carvalho',
  playerId: 'p_7Kd2mQ',
  faction: 'Lanternsworn',
  subFaction: 'Beacon Watch',
  outcome: 'win',
  battlePoints: 3,
  victoryPoints: 40,
  objectivePoints: 24,
  battleTacticsScored: 4,
  drops: 2,
  role: 'attacker',
  metrics: { 'Enemy generals slain': 1, 'Points destroyed': 1460 },
};

const losingSide: BattlePlayer = {
  player: 'Tomasz Wrona',
  playerId: 'p_c4Zp8L',
  faction: 'Quarry Giants',
  subFaction: 'Boulder Kin',
  outcome: 'loss',
  battlePoints: 0,
  victoryPoints: 28,
  objectivePoints: 16,
  battleTacticsScored: 3,
  drops: 1,
  role: 'defender',
  metrics: { 'Enemy generals slain': 0, 'Points destroyed': 930 },
};

export const winner: BattlePlayerDetail = {
  ...winningSide,
  list: {
    faction: 'Lanternsworn',
    subFaction: 'Beacon Watch',
    points: 1990,
    battleTacticCards: ['Swift Crossing', 'Plant the Flag', 'Counterblow', 'Final Push'],
    text: 'Lanternsworn: Beacon Watch\n\nKeeper of the Ninth Lamp (210)\n10 Wick Guard (160)\n5 Beacon Riders (240)\n…\nTotal: 1990/2000',
  },
  rounds: [
    playerRound(1, ['West bank', 'Causeway'], 5, 'Swift Crossing', true, false),
    playerRound(2, ['West bank'], 4, 'Plant the Flag', true, true),
    playerRound(3, ['West bank', 'Causeway', 'East bank'], 6, 'Counterblow', true, true),
    playerRound(4, ['West bank'], 4, 'Named Quarry', false, false),
    playerRound(5, ['West bank', 'Causeway'], 5, 'Final Push', true, true),
  ],
};

const loser: BattlePlayerDetail = {
  ...losingSide,
  list: null,
  rounds: [
    playerRound(1, ['East bank'], 3, 'Take the Bridge', true, true),
    playerRound(2, ['East bank', 'Causeway'], 4, 'Steady Ranks', true, false),
    playerRound(3, [], 2, 'Double Envelopment', false, false),
    playerRound(4, ['East bank', 'Causeway'], 4, '', false, true),
    playerRound(5, ['East bank'], 3, 'Cut the Supply', true, false),
  ],
};

const final = {
  id: 'b_9fXw41',
  date: '2026-03-15',
  tournament: 'harbour-lights-gt-2026',
  stage: 'knockout',
  round: 2,
  scenario: 'Broken Causeway',
  battlePack: "Warden's Almanac 2025",
  battleSize: 2000,
  winner: 'Inês Carvalho',
  victorySize: 'major',
  url: `${site}/battles/b_9fXw41`,
} as const;

export const causewayBattle: Battle = { ...final, players: [winningSide, losingSide] };

export const causewayBattleDetail: BattleDetail = { ...final, players: [winner, loser] };

export const semifinalBattle: Battle = {
  ...final,
  id: 'b_5rTq07',
  round: 1,
  scenario: 'Three Wells',
  victorySize: 'minor',
  players: [
    {
      ...winningSide,
      victoryPoints: 33,
      objectivePoints: 21,
      battleTacticsScored: 3,
      role: null,
      metrics: {},
    },
    {
      ...losingSide,
      player: 'Noor Haddad',
      playerId: 'p_ee81Vb',
      faction: 'Marrow Choir',
      subFaction: 'Pale Hunt',
      victoryPoints: 29,
      objectivePoints: 17,
      battleTacticsScored: 3,
      role: null,
      metrics: {},
    },
  ],
  url: `${site}/battles/b_5rTq07`,
};

export const guest: BattlePlayer = {
  player: 'Maren',
  playerId: null,
  faction: 'Hollow Orchard',
  subFaction: null,
  outcome: 'draw',
  battlePoints: null,
  victoryPoints: 19,
  objectivePoints: 11,
  battleTacticsScored: 2,
  grandStrategy: null,
  grandStrategyScored: false,
  drops: null,
  role: null,
  metrics: {},
};

/** A casual draw against a guest, with a pack that scores grand strategies. */
export const friendlyBattle: Battle = {
  id: 'b_L2m8sE',
  date: '2026-04-02',
  tournament: null,
  stage: null,
  round: null,
  scenario: null,
  battlePack: "Warden's Almanac 2022",
  battleSize: 1000,
  winner: null,
  victorySize: null,
  players: [
    {
      ...guest,
      player: 'Inês Carvalho',
      playerId: 'p_7Kd2mQ',
      faction: 'Lanternsworn',
      objectivePoints: 12,
      battleTacticsScored: 1,
      grandStrategy: 'Keep the Heartland',
      grandStrategyScored: true,
    },
    guest,
  ],
  url: `${site}/battles/b_L2m8sE`,
};

function playerRound(
  round: number,
  objectives: string[],
  objectivePoints: number,
  battleTactic: string,
  battleTacticScored: boolean,
  priority: boolean,
): PlayerRound {
  const tacticPoints = battleTacticScored ? 4 : 0;
  return {
    round,
    victoryPoints: objectivePoints + tacticPoints,
    objectivePoints,
    objectives,
    battleTactic,
    battleTacticScored,
    priority,
  };
}
