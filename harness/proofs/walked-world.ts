// The world of the walks, as a feed. Rows share days, names and rounds, so that the rest of the sort key
// decides.
import type {
  BattleEntry,
  CasualBattleRecord,
  StageEntry,
} from '../../src/record/feed/tournament-records.ts';
import type {
  ClubRecord,
  FeedRecord,
  PlayerRecord,
  TournamentRecord,
} from '../../src/record/feed/records.ts';

export interface WalkedWorld {
  clubs: ClubRecord[];
  players: PlayerRecord[];
  tournaments: TournamentRecord[];
  casualBattles: CasualBattleRecord[];
}

export function walkedWorld(): WalkedWorld {
  return {
    clubs: ['club-0', 'club-1'].map((slug) => ({ kind: 'club', slug, name: slug })),
    players: numbers(40).map((i) => ({ kind: 'player', id: `p_${i}`, name: `Player ${two(i >> 1)}` })),
    tournaments: numbers(45).map(tournament),
    casualBattles: numbers(30).map(casualBattle),
  };
}

export function recordsOf({ clubs, players, tournaments, casualBattles }: WalkedWorld): FeedRecord[] {
  return [...clubs, ...players, ...tournaments, ...casualBattles];
}

/** The large tournament whose participants and battles are walked. */
export const bigEvent = 'event-0';

export const stages: StageEntry[] = [
  { id: 'swiss', label: 'Swiss Stage', type: 'board', rounds: 5 },
  { id: 'placement-swiss', label: 'Placement', type: 'board', rounds: 2 },
];

export function dayOf(day: number): string {
  return new Date(Date.UTC(2024, 0, 1) + day * 86_400_000).toISOString().slice(0, 10);
}

export const two = (number: number): string => String(number).padStart(2, '0');

/** Returns the participant id of a player in a tournament. */
export const participantId = (player: number): string => `e_${two(player)}`;

function tournament(i: number): TournamentRecord {
  const slug = `event-${i}`;
  const day = i % 9 === 8 ? null : dayOf(Math.floor(i / 3));
  const pair: [number, number] = [i % 4 === 0 ? 1 : 0, 2 + (i % 38)];
  const isBig = slug === bigEvent;
  return {
    kind: 'tournament',
    slug,
    published: true,
    name: `Event ${i}`,
    status: (['ongoing', 'finished', 'finished', 'planned'] as const)[i % 4] ?? 'planned',
    startDate: day,
    endDate: day,
    battleSize: 2000,
    organizer: ['club-0', 'club-1', 'club-0', null][i % 4] ?? null,
    stages,
    participants: (isBig ? numbers(40) : pair).map((player) => ({
      id: participantId(player),
      player: `p_${player}`,
      club: isBig && player % 2 === 1 ? 'club-1' : null,
    })),
    battles: isBig
      ? numbers(40).map(bigEventBattle)
      : numbers(2).map((k) => ({
          id: `b_${i}_${k}`,
          stage: stages[k]?.id ?? '',
          round: 1 + (i % 2),
          date: day,
          sides: pair.map((player) => ({ participant: participantId(player) })),
        })),
  };
}

function bigEventBattle(k: number): BattleEntry {
  return {
    id: `b_0_${k}`,
    stage: stages[k % 4 === 3 ? 1 : 0]?.id ?? '',
    round: 1 + (k % 2),
    date: k % 11 === 10 ? null : dayOf(k % 3),
    sides: [k % 8, 8 + (k % 32)].map((player) => ({ participant: participantId(player) })),
  };
}

function casualBattle(i: number): CasualBattleRecord {
  return {
    kind: 'battle',
    id: `c_${i}`,
    battleSize: 1000,
    date: i % 7 === 6 ? null : dayOf(Math.floor(i / 3)),
    club: i % 3 === 2 ? 'club-1' : 'club-0',
    sides: [{ player: i % 2 === 0 ? 'p_1' : 'p_0' }, i % 4 === 0 ? { name: 'A guest' } : { player: 'p_9' }],
  };
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i);
}
