import type { FeedRecord } from '../../src/record/feed/records.ts';
import type { Random } from '../../src/world/chance/random.ts';

/** Yields everything once. The other records only change these things, remove them or bring them back. */
export function* everyThing(random: Random, size: number): Generator<FeedRecord> {
  const numbers = Array.from({ length: size }, (_, i) => i);
  for (const make of [club, player, tournament, casualBattle])
    for (const number of numbers) yield make(random, number, size);
}

/**
 * Returns a random change to one of these things. Some changes are refused, because another one removed what
 * they refer to.
 */
export function randomRecord(random: Random, size: number): FeedRecord {
  const number = random.below(size);
  const slug = `cup-${number}`;
  const changes: [weight: number, make: () => FeedRecord][] = [
    [3, () => club(random, number)],
    [1, () => ({ kind: 'remove', of: 'club', id: `club-${number}` })],
    [1, () => player(random, number)],
    [1, () => ({ kind: 'player', id: `player-${number}`, erased: true })],
    [2, () => tournament(random, number, size)],
    [3, () => ({ kind: 'tournament', slug, description: textOf(random) })],
    [2, () => ({ kind: 'tournament', slug, published: random.chance(0.6) })],
    [1, () => ({ kind: 'remove', of: 'tournament', id: slug })],
    [5, () => ({ kind: 'battle', tournament: slug, ...battle(random, slug, random.between(1, 3)) })],
    [1, () => ({ kind: 'remove', of: 'battle', id: `${slug}-${random.between(1, 3)}` })],
    [4, () => casualBattle(random, number, size)],
    [2, () => ({ kind: 'remove', of: 'battle', id: `casual-${number}` })],
  ];
  return random.pick(changes.flatMap(([weight, make]) => Array.from({ length: weight }, () => make)))();
}

function club(random: Random, number: number): FeedRecord {
  return { kind: 'club', slug: `club-${number}`, name: `Club ${textOf(random)}` };
}

/** Returns a player. This also undoes an erasure. */
function player(random: Random, number: number): FeedRecord {
  return { kind: 'player', id: `player-${number}`, name: `Player ${textOf(random)}`, erased: false };
}

function tournament(random: Random, number: number, size: number): FeedRecord {
  const slug = `cup-${number}`;
  const someone = () => `player-${random.below(size)}`;
  return {
    kind: 'tournament',
    slug,
    published: random.chance(0.8),
    name: `Cup ${textOf(random)}`,
    status: random.pick(['planned', 'ongoing', 'finished']),
    battleSize: 1000,
    startDate: '2026-04-18',
    organizer: random.chance(0.5) ? `club-${random.below(size)}` : null,
    stages: [{ id: 'swiss', label: 'Swiss', type: 'board', rounds: 3 }],
    participants: [
      { id: 'a', player: someone() },
      { id: 'b', name: `Guest ${textOf(random)}` },
    ],
    battles: [1, 2].map((round) => battle(random, slug, round)),
  };
}

function battle(random: Random, slug: string, round: number) {
  const sides = ['a', 'b'].map((participant) => ({ participant, victoryPoints: random.below(99) }));
  return { id: `${slug}-${round}`, stage: 'swiss', round, scenario: textOf(random), finished: true, sides };
}

function casualBattle(random: Random, number: number, size: number): FeedRecord {
  const other = (number + 1 + random.below(size - 1)) % size;
  return {
    kind: 'battle',
    id: `casual-${number}`,
    battleSize: 1000,
    scenario: textOf(random),
    sides: [{ player: `player-${number}` }, { player: `player-${other}` }],
  };
}

function textOf(random: Random): string {
  return String(random.bits());
}
