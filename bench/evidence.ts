import type { BenchRow } from '../scripts/evidence.ts';
import { limits, ratioOf } from './bars.ts';
import type { MeasuredEndpoint } from './columns.ts';
import { type GrowthRow, shown } from './growth.ts';
import { type Cost, costWords, misses, spectatorBar } from './spectators.ts';

interface Delays {
  p50: number;
  p99: number;
  wantedP99: number;
}

const growthClaims = {
  pages: 'Pages of memory per cold answer',
  ms: 'Milliseconds, ten callers',
  s: 'Seconds of an operator',
};

/** What the table of evidence shows of each measurement, from its figures. */
const rowsOf: Record<string, (figures: never) => BenchRow[]> = {
  endpoints: ({ bars, endpoints }: { bars: string[]; endpoints: MeasuredEndpoint[] }) => [
    ...bars.map((line) => {
      const [, columns = '', least = '', ratios = ''] =
        /^(.+?), (at least [\d.]+) \(.*?\): (.+)$/.exec(line) ?? [];
      const isBelow = ratios.split(', ').some((each) => numberAtEnd(each) < numberAtEnd(least));
      return { claim: `Answers a second, ${columns}`, figure: ratios, bar: barOf(least, isBelow) };
    }),
    ...(['hot', 'front'] as const).map((column) => ({
      claim: `Answers a second, ${column} to bare: a server that checks no key, writes no log and has no headers of ours`,
      figure: endpoints
        .filter(({ isList }) => isList)
        .map((each) => `${each.endpoint} ${ratioOf(each, column, 'bare')?.toFixed(2) ?? 'not measured'}`)
        .join(', '),
      bar: '',
    })),
  ],
  growth: ({
    growth,
    worlds,
    missed,
  }: {
    growth: GrowthRow[];
    worlds: { battles: number }[];
    missed: string[];
  }) =>
    (['pages', 'ms', 's'] as const).map((unit) => ({
      claim: `${growthClaims[unit]}, ${worlds.map(({ battles }) => battles).join(' → ')} battles`,
      figure: growth
        .filter((row) => row.unit === unit)
        .map(({ name, values }) => `${name} ${values.map(shown).join(' → ')}`)
        .join(', '),
      bar:
        unit === 'pages'
          ? barOf(`lists at most ${limits.growth.most} of the smallest`, missed.length > 0)
          : '',
    })),
  pages: ({ ratio }: { ratio: number }) => [
    atMost('Pages of memory, page 1,000 of a list to page 1', ratio, 'deepPage'),
  ],
  memory: ({ peak, cacheMb }: { peak: number; cacheMb: number }) => [
    atMost('Megabytes of a server beside its cache', peak - cacheMb, 'memoryBesideCache'),
  ],
  statements: ({ statements }: { statements: Record<string, number> }) =>
    Object.entries(statements).map(([name, count]) =>
      atMost(`Statements for repeated answers, ${name}`, count, 'statementsWhenHot'),
    ),
  site: (figures: Record<'cold' | 'hot' | 'fragments', { ratio: number; wanted: number }>) =>
    (['cold', 'hot', 'fragments'] as const).map((name) => ({
      claim:
        name === 'fragments'
          ? 'The fragment of a running event to the answer of the API, hot'
          : `The standings page to the answer of the API, ${name}`,
      figure: String(figures[name].ratio),
      bar: barOf(`at least ${figures[name].wanted}`, figures[name].ratio < figures[name].wanted),
    })),
  spectators: ({ quiet, busy, direct }: Record<'quiet' | 'busy' | 'direct', Cost>) => [
    { claim: 'Spectators of one event behind nginx, quiet', figure: costWords(quiet), bar: '' },
    {
      claim: 'Spectators behind nginx while a round of 500 tables ends',
      figure: costWords(busy),
      bar: barOf(spectatorBar, misses(busy).length > 0),
    },
    { claim: 'The same directly at two servers', figure: costWords(direct), bar: '' },
  ],
  fresh: (figures: Record<string, Delays>) =>
    Object.entries(figures)
      .filter(([name]) => name.includes(' players, '))
      .map(([name, { p50, p99, wantedP99 }]) => ({
        claim: `From the commit of a result to the answer of three servers, ${name}`,
        figure: `half within ${p50} ms, 99 % within ${p99} ms`,
        bar: barOf(`99 % at most ${wantedP99} ms`, p99 > wantedP99),
      })),
};

export function benchRows(name: string, figures: Record<string, unknown>): BenchRow[] {
  return rowsOf[name]?.(figures as never) ?? [];
}

function atMost(claim: string, value: number, name: keyof typeof limits): BenchRow {
  const { most } = limits[name];
  const figure = Number.isInteger(value) ? String(value) : value.toFixed(2);
  return { claim, figure, bar: barOf(`at most ${most}`, value > most) };
}

function barOf(bar: string, isMissed: boolean): string {
  return isMissed ? `${bar}, **missed**` : bar;
}

function numberAtEnd(text: string): number {
  return Number(/[\d.]+$/.exec(text)?.[0]);
}
