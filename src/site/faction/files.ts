import type { CsvColumn } from '../../text/csv.ts';
import { attachment, csv, csvType } from '../parts/csv.ts';
import { factionParameters, factionQuery, keptForMs, readFactions } from './query.ts';
import type { MadePage, PageRoute } from '../page.ts';
import { type RatedFaction, type WinRate, winRate } from '../../published/win-rate.ts';
import { monthsOf } from './faction.ts';

/**
 * Serves the tables of factions as files for spreadsheets. Rates are fractions of one, as statistics programs
 * expect them.
 */
export function factionFiles(): PageRoute[] {
  return [
    {
      path: '/factions.csv',
      query: ['table', ...factionParameters],
      scope: () => 'factions',
      make: async ({ query, read }) => {
        const { factions } = await readFactions(read, factionQuery(query));
        return query['table'] === 'matrix'
          ? file('faction-matrix', await csv(matrixColumns, matchUps(factions)))
          : file('factions', await csv(factionColumns(factions), factions));
      },
    },
    {
      path: '/factions/:name/months.csv',
      query: factionParameters,
      scope: () => 'factions',
      make: async ({ params: { name = '' }, query, read }) => {
        const months = monthsOf(name, await readFactions(read, factionQuery(query)));
        return months.length === 0 ? undefined : file('faction-months', await csv(monthColumns, months));
      },
    },
  ];
}

function file(name: string, text: string): MadePage {
  return { text, type: csvType, headers: attachment(name), keptForMs };
}

type Rated = { rated: WinRate };

const rateColumns: CsvColumn<Rated>[] = [
  { header: 'games', cell: ({ rated }) => rated.games },
  { header: 'wins', cell: ({ rated }) => rated.wins },
  { header: 'draws', cell: ({ rated }) => rated.draws },
  { header: 'losses', cell: ({ rated }) => rated.losses },
  { header: 'winRate', cell: ({ rated }) => played(rated, rated.rate) },
  { header: 'low', cell: ({ rated }) => played(rated, rated.low) },
  { header: 'high', cell: ({ rated }) => played(rated, rated.high) },
];

function factionColumns(factions: readonly RatedFaction[]): CsvColumn<RatedFaction>[] {
  const all = factions.reduce((sum, { entries }) => sum + entries, 0);
  return [
    { header: 'faction', cell: ({ faction }) => faction },
    ...rateColumns,
    { header: 'entries', cell: ({ entries }) => entries },
    { header: 'shareOfField', cell: ({ entries }) => (all === 0 ? null : share((100 * entries) / all)) },
    { header: 'unbeaten', cell: ({ unbeaten }) => unbeaten },
    { header: 'eventWins', cell: ({ eventWins }) => eventWins },
  ];
}

const monthColumns: CsvColumn<ReturnType<typeof monthsOf>[0]>[] = [
  { header: 'month', cell: ({ month }) => month.slice(0, 7) },
  ...rateColumns,
];

interface MatchUp extends Rated {
  faction: string;
  opponent: string;
}

const matrixColumns: CsvColumn<MatchUp>[] = [
  { header: 'faction', cell: ({ faction }) => faction },
  { header: 'opponent', cell: ({ opponent }) => opponent },
  ...rateColumns,
];

function* matchUps(factions: readonly RatedFaction[]): Generator<MatchUp> {
  for (const { faction, against } of factions) {
    for (const [opponent, score] of against) yield { faction, opponent, rated: winRate(score) };
  }
}

/** Returns the rate as a fraction, or null without battles, because then there is no rate. */
function played({ games }: WinRate, percent: number): string | null {
  return games === 0 ? null : share(percent);
}

function share(percent: number): string {
  return (percent / 100).toFixed(4);
}
