import type { BenchRow } from '../harness/evidence/evidence.ts';
import { growthBar, type JudgedRatio, memoryBar } from './bars.ts';
import type { Column, MeasuredEndpoint } from './columns.ts';
import { maxImported } from './growth-copies.ts';
import type { GrowthRow } from './growth.ts';
import { rebuildBars } from './rebuild.ts';
import { type Cost, type Crowds, mostPhonesDirectly, refusalsOf } from './spectators.ts';

const meaning: Record<string, string> = {
  'hot to map': 'Answers from memory, compared with a map that also checks the key, logs and sends headers',
  'hot to bare': 'Answers from memory, compared with a bare map of answers',
  'listener to bare': 'The listener alone, compared with a bare map of answers',
  'gzip to hot': 'Answers compressed with gzip, compared with uncompressed ones',
  'br to hot': 'Answers compressed with br, compared with uncompressed ones',
  'cold to driver': 'Answers that are not in memory, compared with a bare driver',
  'hot to fastify': 'Answers from memory, compared with Fastify and `pg`, written in an afternoon',
  'cold to fastify': 'Answers that are not in memory, compared with the same program',
};

const rateMeaning: Partial<Record<Column, string>> = {
  hot: 'Requests per second on this machine, answered from memory',
  cold: 'Requests per second on this machine, not in memory',
  fastify: 'Requests per second on this machine by Fastify and `pg`, written in an afternoon',
};

/** Turns the figures of each measurement into rows for the table of evidence. */
const rowsOf: Record<string, (figures: never) => BenchRow[]> = {
  endpoints: ({ ratios, endpoints }: { ratios: JudgedRatio[]; endpoints: MeasuredEndpoint[] }) => [
    ...ratios.map(({ what, least, lists, items }) => ({
      claim: `${meaning[what] ?? what}${least === undefined ? '' : `: at least ${least}`}`,
      figure: `lists ${range(Object.values(lists))}, single resources ${range(Object.values(items))}`,
    })),
    ...Object.entries(rateMeaning).map(([column, claim]) => ({
      claim,
      figure: `lists ${rates(endpoints, column as Column, true)}, single resources ${rates(endpoints, column as Column, false)}`,
    })),
  ],
  growth: ({ growth, worlds }: { growth: GrowthRow[]; worlds: { battles: number }[] }) => {
    const valuesOf = (name: string) => growth.find((row) => row.name === name)?.values ?? [];
    const sizes = worlds.map(({ battles }) => `${Number((battles / 1e6).toPrecision(2))} M`).join(', ');
    const areCopied = worlds.some(({ battles }) => battles > maxImported);
    const copied = areCopied ? ' (beyond a million, copies of the first million)' : '';
    const lists = growth.filter(({ isJudged }) => isJudged).map(({ ratios }) => ratios[0] ?? Number.NaN);
    return [
      {
        claim: `Database pages for a list of the largest world: at most ${growthBar.most} times those of the smallest, or ${growthBar.morePages} more`,
        figure: `${range(lists)} times`,
      },
      {
        claim: `Median time of an answer that is not in memory, with ten callers and ${sizes} battles${copied}`,
        figure: `${valuesOf('cold answer, half').map(Math.round).join(', ')} ms`,
      },
      {
        claim: `Median time from the commit of a result until it is visible, with ${sizes} battles${copied}`,
        figure: `${valuesOf('a result, commit to visible, half').map(Math.round).join(', ')} ms`,
      },
      ...(['pg_dump', 'pg_restore'] as const).map((program) => ({
        claim: `Time that ${program} takes with ${sizes} battles${copied}; a dash where the disk had no room`,
        figure: `${valuesOf(program)
          .map((value) => (Number.isFinite(value) ? Math.round(value) : '–'))
          .join(', ')} s`,
      })),
    ];
  },
  memory: ({ peak, cacheMb }: { peak: number; cacheMb: number }) => [
    {
      claim: `Memory of a server in addition to its cache: at most ${memoryBar} MB`,
      figure: `${peak - cacheMb} MB`,
    },
  ],
  publishers: ({ 4: four }: Record<number, { waiting: number }>) => [
    {
      claim: 'Time that four publishers spend waiting for each other, while results of 150 events arrive',
      figure: `${(100 * (four?.waiting ?? Number.NaN)).toFixed(1)} %`,
    },
  ],
  rebuild: ({ changed, derived }: { changed: number; derived: number }) => [
    {
      claim: `Publishing after a change of standings, compared with a rebuild that changes everything: at most ${rebuildBars.changed}`,
      figure: String(changed),
    },
    {
      claim: `The same, compared with a rebuild that derives everything and changes only standings: at most ${rebuildBars.derived}`,
      figure: String(derived),
    },
  ],
  site: (figures: Record<'cold' | 'hot', { ratio: number; least?: number }>) =>
    (['cold', 'hot'] as const).map((name) => {
      const { ratio, least } = figures[name];
      const bar = least === undefined ? '' : `: at least ${least}`;
      return {
        claim: `A page ${name === 'hot' ? 'from memory' : 'that is not in memory'}, compared with the answer of the API${bar}`,
        figure: String(ratio),
      };
    }),
  spectators: ({ quiet, rounds, languages, lone }: Crowds) => [
    { claim: 'Phones behind nginx in a quiet time', figure: costOf(quiet) },
    ...rounds.flatMap(({ throughNginx, direct }) => [
      {
        claim:
          'Phones behind nginx when a round ends: no refusal, p99 2 s, a result after 15 s, 4,600 kB per phone and hour',
        figure: `${costOf(throughNginx)}, ${throughNginx.lag} s, ${throughNginx.kilobytesAPhoneAndHour} kB`,
      },
      {
        claim: `The same directly at two servers${direct.spectators <= mostPhonesDirectly ? ': no refusal' : ''}`,
        figure: costOf(direct),
      },
    ]),
    { claim: 'The same behind nginx, in six languages', figure: costOf(languages) },
    {
      claim: 'Phones behind Caddy and one server when a round ends: no refusal',
      figure: `${costOf(lone)}, ${lone.lag} s`,
    },
  ],
};

export function benchRows(name: string, figures: Record<string, unknown>): BenchRow[] {
  return rowsOf[name]?.(figures as never) ?? [];
}

function costOf(cost: Cost): string {
  const all = Object.values(cost.answers).reduce((sum, each) => sum + each, 0);
  return `${cost.spectators} phones: ${refusalsOf(cost)} of ${all} refused, ${cost.processorPercent} % of a core, p99 ${cost.p99} ms`;
}

/** Returns the lowest and the highest rate of lists or of single resources, in requests per second. */
function rates(endpoints: readonly MeasuredEndpoint[], column: Column, isList: boolean): string {
  const found = endpoints
    .filter((each) => each.isList === isList)
    .flatMap(({ columns }) => columns[column]?.median ?? []);
  const inWords = (rate: number) => Math.round(rate).toLocaleString('en');
  return found.length === 0
    ? 'not measured'
    : `${inWords(Math.min(...found))}–${inWords(Math.max(...found))}`;
}

function range(values: number[]): string {
  if (values.length === 0) return 'not measured';
  return `${Math.min(...values).toFixed(2)}–${Math.max(...values).toFixed(2)}`;
}
