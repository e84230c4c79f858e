import type { TournamentRecord } from '../../src/record/feed/records.ts';

type Battle = NonNullable<TournamentRecord['battles']>[number];

const given = ['Ana', 'Björn', 'Chidi', 'Dagmar', 'Edurne', 'Farid', 'Grethe', 'Håkon', 'Inês', 'Jürgen'];
const family = [
  'Abrantes',
  'Bækkeløv',
  'Castañeda',
  'Dąbrówka',
  'Ellingløv',
  'Falkenhof',
  'Gjerholt',
  'Hathaton',
];
const factions = [
  'Starless Pact',
  'Marrow Choir',
  'Moth Parliament',
  'Thornback Clans',
  'Gearwright Concord',
];

/** Returns players' records as the feed sends them. */
export function hallPlayers(count: number) {
  return Array.from({ length: count }, (_, i) => ({
    kind: 'player' as const,
    id: `h${i + 1}`,
    name: `${given[i % 10]} ${family[Math.floor(i / 10) % 8]}${i < 80 ? '' : `-${family[Math.floor(i / 80)]}`}`,
  }));
}

/**
 * Returns a running event in its third round of five. `results` is the number of results of the round that
 * have arrived.
 */
export function hallEvent(slug: string, count: number, results: number): TournamentRecord {
  const tables = Math.floor(count / 2);
  const battles = [1, 2, 3].flatMap((round) =>
    Array.from({ length: tables }, (_, i): Battle => {
      // The upper half meets the lower half, each time one table further on.
      const second = tables + ((i + round) % tables);
      const isOver = round < 3 || i < results;
      const side = (index: number, victoryPoints: number) => ({
        participant: `e${index + 1}`,
        ...(isOver && { victoryPoints, battlePoints: victoryPoints > 30 ? 20 : 4 + (index % 3) }),
      });
      return {
        id: `${slug}-${round}-${i + 1}`,
        stage: 'swiss',
        round,
        table: i + 1,
        scenario: 'Twin Gates',
        ...(isOver && { finished: true, winner: `e${i + 1}` }),
        sides: [side(i, 40 + (i % 7)), side(second, 20 + (i % 9))],
      };
    }),
  );
  return {
    kind: 'tournament',
    slug,
    published: true,
    name: 'Ångstad Border Muster 2026',
    status: 'ongoing',
    startDate: new Date().toISOString().slice(0, 10),
    city: 'Ångstad',
    battleSize: 2000,
    stages: [{ id: 'swiss', label: 'Swiss Stage', type: 'board', rounds: 5, phase: 1 }],
    participants: Array.from({ length: count }, (_, i) => ({
      id: `e${i + 1}`,
      player: `h${i + 1}`,
      faction: factions[i % 5] ?? '',
    })),
    battles,
  };
}
