// The changes during the walks: things appear, change, move and disappear, again and again. A thing that
// appears, moves or disappears has `touched` in its id or name. A thing that only changes in place does not.
import type {
  BattleEntry,
  CasualBattleRecord,
  TournamentBattleRecord,
} from '../../src/record/feed/tournament-records.ts';
import type { FeedRecord, TournamentRecord } from '../../src/record/feed/records.ts';
import { bigEvent, dayOf, participantId, stages, two, type WalkedWorld } from './walked-world.ts';

export function isTouched(id: string): boolean {
  return id.includes('touched');
}

/**
 * Yields records without end. The records of one thing are in order, and the next thing is chosen at random.
 */
export function* restlessFeed(world: WalkedWorld): Generator<FeedRecord, never> {
  for (let i = 0; i < 12; i += 1) yield { kind: 'player', id: playerOf(i), name: nameOf(i) };
  const lives = Array.from({ length: 12 }, (_, i) => [
    tournamentLife(i),
    participantLife(i),
    tournamentBattleLife(i),
    casualBattleLife(i),
  ]).flat();
  lives.push(steadyLife(world), steadyLife(world), steadyLife(world));
  for (;;) yield pick(lives).next().value;
}

type Life = Generator<FeedRecord, never>;

function* tournamentLife(i: number): Life {
  const slug = `touched-${i}`;
  const change = (): Partial<TournamentRecord> => {
    const startDate = someDay();
    return pick<Partial<TournamentRecord>>([
      { startDate, endDate: null },
      { status: pick(['planned', 'ongoing', 'finished']) },
      { organizer: pick(['club-0', 'club-1', null]) },
      { description: someText() },
      { published: false },
      { published: true },
      { battles: eventBattles(slug) },
    ]);
  };
  for (;;) {
    yield {
      kind: 'tournament',
      slug,
      name: `Touched ${i}`,
      status: pick(['planned', 'ongoing', 'finished']),
      published: chance(0.8),
      startDate: someDay(),
      endDate: null,
      battleSize: 2000,
      organizer: 'club-0',
      stages,
      participants: [
        { id: 'a', player: 'p_1' },
        { id: 'b', player: playerOf(i), club: 'club-1' },
      ],
      battles: eventBattles(slug),
    };
    while (chance(0.8)) yield { kind: 'tournament', slug, ...change() };
    yield { kind: 'remove', of: 'tournament', id: slug };
  }
}

function eventBattles(slug: string): BattleEntry[] {
  return [1, 2, 3].map((k) => ({
    id: `${slug}-${k}`,
    ...somePlace(),
    scenario: someText(),
    sides: [{ participant: 'a' }, { participant: 'b' }],
  }));
}

/** Half of them are registered players who are renamed, and the others are guests who get another name. */
function* participantLife(i: number): Life {
  const id = `t_${two(i)}`;
  const entry = { kind: 'participant', tournament: bigEvent, id } as const;
  const isGuest = i % 2 === 0;
  for (;;) {
    yield isGuest ? { ...entry, name: nameOf(i) } : { ...entry, player: playerOf(i) };
    while (chance(0.7)) {
      yield isGuest
        ? { ...entry, name: nameOf(i), faction: someText() }
        : { kind: 'player', id: playerOf(i), name: nameOf(i) };
    }
    yield { kind: 'remove', of: 'participant', tournament: bigEvent, id };
  }
}

function* tournamentBattleLife(i: number): Life {
  const id = `touched_b_${i}`;
  for (;;) {
    do {
      const battle: TournamentBattleRecord = {
        kind: 'battle',
        tournament: bigEvent,
        id,
        ...somePlace(),
        scenario: someText(),
        archived: chance(0.2),
        sides: [{ participant: participantId(1) }, { participant: participantId(10 + i) }],
      };
      yield battle;
    } while (chance(0.8));
    yield { kind: 'remove', of: 'battle', id };
  }
}

function* casualBattleLife(i: number): Life {
  const id = `touched_c_${i}`;
  for (;;) {
    do {
      const battle: CasualBattleRecord = {
        kind: 'battle',
        id,
        battleSize: 1000,
        date: someDay(),
        club: pick(['club-0', 'club-1', null]),
        scenario: someText(),
        sides: [{ player: pick(['p_1', 'p_2']) }, { player: playerOf(i) }],
      };
      yield battle;
    } while (chance(0.8));
    yield { kind: 'remove', of: 'battle', id };
  }
}

/** Changes the content of rows that do not move. */
function* steadyLife({ tournaments, casualBattles }: WalkedWorld): Life {
  for (;;) {
    const { slug, battles = [], participants = [] } = pick(tournaments);
    yield { kind: 'tournament', slug, description: someText() };
    yield { kind: 'battle', tournament: slug, ...pick(battles), scenario: someText() };
    yield { kind: 'participant', tournament: slug, ...pick(participants), faction: someText() };
    yield { ...pick(casualBattles), scenario: someText() };
  }
}

const playerOf = (i: number): string => `touched_${i}`;

/** Returns a name that sorts before, between or after the other names. */
const nameOf = (i: number): string => `Player ${two(Math.floor(Math.random() * 21))} touched ${i}`;

function somePlace(): { stage: string; round: number; date: string | null } {
  return { stage: pick(stages).id, round: pick([1, 2]), date: someDay() };
}

function someDay(): string | null {
  return chance(0.2) ? null : dayOf(Math.floor(Math.random() * 17));
}

function someText(): string {
  return String(Math.random());
}

function chance(share: number): boolean {
  return Math.random() < share;
}

function pick<T>(from: readonly T[]): T {
  const chosen = from[Math.floor(Math.random() * from.length)];
  if (chosen === undefined) throw new Error('there is nothing to choose from');
  return chosen;
}
