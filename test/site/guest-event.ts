import type { TournamentRecord } from '../../src/record/feed/records.ts';

// An event as a sheet produces it: only guests, with the ids p1 to p9, which every other sheet also has. Two
// of them have the same name.
const guests: Record<string, string> = {
  p1: 'Ada North',
  p2: 'Sam Twin',
  p3: 'Cleo Marsh',
  p4: 'Sam Twin',
  p5: 'Eve Hollow',
  p6: 'Fay Rook',
  p7: 'Gus Wanted',
  p8: 'Hal Stone',
  p9: 'Ida Ferry',
};

/** The pairings in the order of the tables. The first of each pair wins: `p1 p8`. */
const pairings = ['p1-p8 p2-p7 p3-p6 p4-p5', 'p1-p2 p7-p4 p3-p9 p5-p8', 'p7-p1 p3-p4 p2-p5 p6-p9'];
const byes = ['p9', 'p6', 'p8'];

/** Returns the event. With `open`, the last of that many rounds has no results yet. */
export function guestCup(
  slug: string,
  rounds: number,
  { open = true, ...facts }: Partial<TournamentRecord> & { open?: boolean } = {},
): TournamentRecord {
  const shown = pairings.slice(0, rounds);
  return {
    kind: 'tournament',
    slug,
    published: true,
    name: `Guests of ${slug}`,
    status: 'ongoing',
    startDate: new Date().toISOString().slice(0, 10),
    battleSize: 2000,
    stages: [{ id: 'swiss', label: 'Swiss', type: 'board', rounds: 3 }],
    participants: Object.entries(guests).map(([id, name], index) => ({
      id,
      name,
      faction: `Faction ${index + 1}`,
      list: {
        faction: `Faction ${index + 1}`,
        subFaction: '',
        points: 2000,
        battleTacticCards: [],
        text: `List of ${id}`,
      },
    })),
    byes: byes.slice(0, rounds).map((participant, index) => ({
      stage: 'swiss',
      round: index + 1,
      participant,
      win: true,
      battlePoints: 2,
    })),
    battles: shown.flatMap((texts, index) =>
      texts.split(' ').map((text, table) => {
        const [first = '', second = ''] = text.split('-');
        const isOver = !open || index + 1 < rounds;
        const side = (participant: string, points: number) => ({
          participant,
          ...(isOver && { victoryPoints: points, battlePoints: points > 20 ? 3 : 0 }),
        });
        return {
          id: `${slug}-${index + 1}-${table + 1}`,
          stage: 'swiss',
          round: index + 1,
          table: table + 1,
          ...(isOver && { finished: true, winner: first }),
          sides: [side(first, 30 + index), side(second, 10 + table)],
        };
      }),
    ),
    ...facts,
  };
}
