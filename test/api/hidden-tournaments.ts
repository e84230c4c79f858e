// A small season as a feed: what everybody may see, and tournaments that nobody may see, with the same clubs
// and players.
import type { FeedRecord, TournamentRecord } from '../../src/record/feed/records.ts';

export const openSlugs = ['open-1', 'open-2', 'open-3'];
export const clubSlugs = ['tidewatch', 'lantern-hall'];
/** Players in both the open and the hidden tournaments. */
const regulars = ['ana', 'bjorn', 'chidi'];

/** Returns everything except the hidden tournaments. Players who play in no others are still players. */
export function openFeed(hidden: readonly string[]): FeedRecord[] {
  return [
    ...clubSlugs.map((slug): FeedRecord => ({ kind: 'club', slug, name: slug, members: 12 })),
    ...playersOf(hidden).map((id): FeedRecord => ({ kind: 'player', id, name: `Player ${id}` })),
    { kind: 'battlePack', name: 'Almanac', objectives: true },
    { kind: 'battlePack', name: 'Secret Almanac', objectives: true },
    tournament('open-1', { status: 'finished', startDate: '2025-06-14', third: 'chidi' }),
    tournament('open-2', { status: 'ongoing', startDate: '2025-07-05', third: 'chidi' }),
    tournament('open-3', { status: 'planned', startDate: null, third: 'chidi' }),
    ...['2025-05-01', '2025-06-30', null].map((date, i): FeedRecord => ({
      kind: 'battle',
      id: `casual-${i}`,
      battleSize: 1000,
      date,
      club: 'tidewatch',
      sides: [{ player: 'ana' }, { player: 'bjorn' }],
    })),
  ];
}

export function playersOf(hidden: readonly string[]): string[] {
  return [...regulars, ...hidden.map(onlyPlayer)];
}

/** Returns a player who is in no other tournament. */
export function onlyPlayer(slug: string): string {
  return `only-${slug}`;
}

/** Returns a hidden tournament. In lists these come first, last and between the open ones. */
export function hiddenTournament(slug: string, number: number, published: boolean): TournamentRecord {
  const startDate = ['2025-06-14', '2025-06-20', '2025-09-01', null][number % 4] ?? null;
  const status = number % 2 === 0 ? 'finished' : 'ongoing';
  const third = onlyPlayer(slug);
  return {
    ...tournament(slug, { status, startDate, third }),
    published,
    battlePack: 'Secret Almanac',
    tournamentOrganizers: [third],
  };
}

export function battlesOf(slug: string): string[] {
  return [1, 2, 3].map((number) => `${slug}-b${number}`);
}

interface Setting {
  status: 'planned' | 'ongoing' | 'finished';
  startDate: string | null;
  third: string;
}

function tournament(slug: string, { status, startDate, third }: Setting): TournamentRecord {
  const list = { faction: 'Lanternsworn', subFaction: '', points: 1990, battleTacticCards: [], text: slug };
  const finalists = [{ participant: 'a' }, { participant: 'b' }];
  const [first = '', second = '', final = ''] = battlesOf(slug);
  const result = { date: startDate, finished: true, winner: 'a', victorySize: 'major' } as const;
  const sides = (...pair: string[]) =>
    pair.map((participant, i) => ({ participant, battlePoints: 3 - 3 * i, victoryPoints: 30 - 9 * i }));
  return {
    kind: 'tournament',
    slug,
    published: true,
    name: `Tournament ${slug}`,
    status,
    startDate,
    battleSize: 2000,
    battlePack: 'Almanac',
    organizer: 'tidewatch',
    tournamentOrganizers: ['chidi'],
    stages: [
      { id: 'swiss', label: 'Swiss Stage', type: 'board', rounds: 2 },
      { id: 'knockout', label: 'Top Cut', type: 'bracket', rounds: 1, members: finalists },
    ],
    participants: [
      { id: 'a', player: 'ana', club: 'lantern-hall', list },
      { id: 'b', player: 'bjorn', faction: 'Quarry Giants' },
      { id: 'c', player: third, club: 'lantern-hall' },
      { id: 'd', name: `Guest of ${slug}` },
    ],
    battles: [
      { id: first, stage: 'swiss', round: 1, ...result, sides: sides('a', 'c') },
      { id: second, stage: 'swiss', round: 2, date: startDate, sides: sides('c', 'd') },
      { id: final, stage: 'knockout', round: 1, ...result, sides: sides('a', 'b') },
    ],
    matches: [
      { stage: 'knockout', round: 1, position: 1, table: 1, players: ['a', 'b'], winner: 'a', battle: final },
    ],
  };
}
