import type { FeedRecord } from '../../src/record/feed/records.ts';

/** Returns an event with a round of 30 tables, and its results one by one. */
export function oneRound(): { before: FeedRecord[]; results: FeedRecord[] } {
  const names = Array.from({ length: 60 }, (_, index) => `Player ${index + 1}`);
  const battle = (index: number, isOver: boolean): FeedRecord => {
    const side = (participant: string, victoryPoints: number) => ({
      participant,
      ...(isOver && { victoryPoints, battlePoints: victoryPoints > 20 ? 3 : 0 }),
    });
    return {
      kind: 'battle',
      tournament: 'one-round',
      id: `one-round-${index}`,
      stage: 'swiss',
      round: 1,
      table: index + 1,
      ...(isOver && { finished: true, winner: `p${2 * index}` }),
      sides: [side(`p${2 * index}`, 30), side(`p${2 * index + 1}`, 10)],
    };
  };
  const tables = Array.from({ length: 30 }, (_, index) => index);
  return {
    before: [
      ...names.map((name, index): FeedRecord => ({ kind: 'player', id: `p${index}`, name })),
      {
        kind: 'tournament',
        slug: 'one-round',
        published: true,
        name: 'One Round',
        status: 'ongoing',
        startDate: new Date().toISOString().slice(0, 10),
        battleSize: 2000,
        stages: [{ id: 'swiss', label: 'Swiss', type: 'board', rounds: 3, phase: 1 }],
        participants: names.map((_, index) => ({ id: `p${index}`, player: `p${index}` })),
      },
      ...tables.map((index) => battle(index, false)),
    ],
    results: tables.map((index) => battle(index, true)),
  };
}
