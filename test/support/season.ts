// A season of invented events as feed records, of any size, the same for the same seed. It is for proofs of speed,
// memory and kills, where only the amount and the shape matter. (The demo world is more realistic.)
import type {
  BattleEntry,
  ParticipantEntry,
  TournamentSide,
} from '../../src/record/feed/tournament-records.ts';
import type { FeedRecord, TournamentRecord } from '../../src/record/feed/records.ts';

export interface SeasonOptions {
  events: number;
  /** Registered players to draw from. */
  players: number;
  /** One event with this many players, besides the ordinary ones of 8 to 40. */
  major?: number;
  seed?: number;
}

export function* season({ events, players, major = 0, seed = 1 }: SeasonOptions): Generator<FeedRecord> {
  const random = randomFrom(seed);
  yield { kind: 'battlePack', name: pack, objectives: true, battleTactics: true, grandStrategies: true };
  for (let club = 0; club < 20; club++)
    yield { kind: 'club', slug: `club-${club}`, name: `Club ${club}`, members: club };
  for (let id = 0; id < players; id++)
    yield { kind: 'player', id: `player${id}`, name: `Player Número ${id}` };
  for (let event = 0; event < events; event++) {
    const size = 8 + 2 * Math.floor(random() * 16);
    yield tournamentRecord(`event-${seed}-${event}`, size, 5, players, random);
  }
  if (major > 0) yield tournamentRecord(`major-${seed}`, major, 8, players, random);
}

const pack = "Warden's Almanac 2022";
const factions = ['Emberwake Legion', 'Tidebound Court', 'Hollow Orchard', 'Marrow Choir', 'Lanternsworn'];
const tactics = ['Swift Crossing', 'Cut the Supply', 'Named Quarry', 'Plant the Flag', 'Steady Ranks'];

function tournamentRecord(
  slug: string,
  size: number,
  rounds: number,
  players: number,
  random: () => number,
): TournamentRecord {
  const start = Math.floor(random() * players);
  const participants = Array.from({ length: size }, (_, index): ParticipantEntry => {
    const faction = factions[(start + index) % factions.length] ?? '';
    const text = `Beacon Keeper, general\n${'10 Wick Guard with lanterns and long spears\n'.repeat(12)}`;
    const list = {
      faction,
      subFaction: 'Long Vigil',
      points: 1990,
      battleTacticCards: tactics.slice(0, 2),
      text,
    };
    const who =
      index < players && index % 16 !== 15
        ? { player: `player${(start + index) % players}` }
        : { name: `Guest ${index}` };
    return { id: `e${index}`, ...who, club: `club-${index % 20}`, list };
  });
  const battles: BattleEntry[] = [];
  for (let round = 1; round <= rounds; round++) {
    for (let table = 0; table < size / 2; table++) {
      const first = table * 2;
      const second = (first + 2 * round - 1) % size;
      battles.push(battleEntry(`${slug}-${round}-${table}`, round, table + 1, first, second, random));
    }
  }
  return {
    kind: 'tournament',
    slug,
    published: true,
    name: `Event ${slug}`,
    status: 'finished',
    startDate: '2025-05-03',
    endDate: '2025-05-04',
    battleSize: 2000,
    battlePack: pack,
    organizer: `club-${start % 20}`,
    tournamentOrganizers: players > 0 ? [`player${start}`] : [],
    stages: [{ id: 'swiss', label: 'Swiss Stage', type: 'board', rounds }],
    participants,
    battles,
  };
}

function battleEntry(
  id: string,
  round: number,
  table: number,
  first: number,
  second: number,
  random: () => number,
): BattleEntry {
  const sides = [first, second].map((participant, which): TournamentSide => {
    const scores = [1, 2, 3, 4, 5].map((number) => ({
      round: number,
      victoryPoints: Math.floor(random() * 11),
      objectivePoints: Math.floor(random() * 7),
      objectives: ['north', 'ford'],
      battleTactic: tactics[number - 1] ?? '',
      battleTacticScored: random() < 0.7,
      priority: random() < 0.5,
    }));
    return {
      participant: `e${participant}`,
      battlePoints: which === 0 ? 3 : 0,
      victoryPoints: scores.reduce((sum, score) => sum + score.victoryPoints, 0),
      objectivePoints: 14,
      battleTacticsScored: 3,
      grandStrategy: 'Keep the Heartland',
      grandStrategyScored: which === 0,
      drops: 1 + Math.floor(random() * 5),
      role: which === 0 ? 'attacker' : 'defender',
      rounds: scores,
    };
  });
  const winner = `e${first}`;
  return {
    id,
    stage: 'swiss',
    round,
    table,
    date: '2025-05-03',
    scenario: 'Three Wells',
    finished: true,
    winner,
    victorySize: 'major',
    sides,
  };
}

/** mulberry32: small, fast, the same everywhere. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
