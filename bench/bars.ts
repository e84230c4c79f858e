import type { Column, MeasuredEndpoint } from './columns.ts';

// What a run must show, as ratios of two columns of the same run. There are no bars on times.
//
// A bar that is not enforced is reported only. To switch one on, set `enforced` to true. Then `npm run bench` fails
// below the bar. The quick run shares its machine with other tests, so it fails below half of the bar. It also has its
// load from Node, which takes more of the machine than pgbench does, so it does not judge ratios to `pg`.
interface Bar {
  column: Column;
  of: Column;
  least: number;
  /** What we want beyond the bar. */
  aim: number;
  enforced: boolean;
  /** It judges the single resources, not the lists. */
  isOfItems?: true;
}

// Ratios to `pg` depend on the statement: where it is cheap, even `map` is hardly faster.
const bars: Bar[] = [
  { column: 'hot', of: 'map', least: 0.75, aim: 0.85, enforced: false },
  { column: 'hot', of: 'pg', least: 2.2, aim: 3, enforced: false },
  { column: '304', of: 'pg', least: 3, aim: 4, enforced: false },
  { column: 'gzip', of: 'hot', least: 0.8, aim: 1, enforced: false },
  { column: 'br', of: 'hot', least: 0.8, aim: 1, enforced: false },
  // Not to `pg`: a server with this driver and nothing else reaches 0.28 to 0.44 of it.
  { column: 'cold', of: 'driver', least: 0.45, aim: 0.6, enforced: false },
  { column: 'cold', of: 'driver', least: 0.5, aim: 0.6, enforced: false, isOfItems: true },
];

// The bars of the other measurements. None is a time: how long something takes depends on the machine.
export const limits = {
  /** Pages of memory per list page: the largest world to the smallest. */
  growth: { most: 1.3, enforced: true },
  /** Pages of memory: page 1,000 of the tournament list to page 1. */
  deepPage: { most: 1.1, enforced: true },
  /** Megabytes of a server beside its cache. */
  memoryBesideCache: { most: 256, enforced: false },
  /** Statements of the document sessions for answers that are repeated. */
  statementsWhenHot: { most: 0, enforced: true },
};

/** Says whether a figure keeps its limit. */
export function judgeLimit(what: string, value: number, name: keyof typeof limits): Judged {
  const { most, enforced } = limits[name];
  const shown = Number.isInteger(value) ? value : value.toFixed(2);
  const line = `${what}: ${shown}, at most ${most}${enforced ? '' : ' (reported only)'}`;
  return { lines: [line], failures: enforced && !(value <= most) ? [line] : [] };
}

export interface Judged {
  /** One line for each bar, with the ratio of every endpoint that it judges. */
  lines: string[];
  /** The ratios below an enforced bar. */
  failures: string[];
}

/** Judges the list pages, and the single resources where a bar says so. */
export function judge(measured: MeasuredEndpoint[], quick: boolean, judged: Bar[] = bars): Judged {
  const share = quick ? 0.5 : 1;
  const lines: string[] = [];
  const failures: string[] = [];
  for (const { column, of, least, aim, enforced: isOn, isOfItems = false } of judged) {
    const enforced = isOn && !(quick && of === 'pg');
    const bar = `${column} to ${of}${isOfItems ? ', single resources' : ''}, at least ${least} (aim ${aim}${enforced ? '' : ', reported only'})`;
    const ratios: string[] = [];
    for (const endpoint of measured.filter(({ isList }) => isList !== isOfItems)) {
      const ratio = ratioOf(endpoint, column, of);
      const shown = `${endpoint.endpoint} ${ratio?.toFixed(2) ?? 'not measured'}`;
      ratios.push(shown);
      if (enforced && ratio !== undefined && ratio < least * share) failures.push(`${bar}: ${shown}`);
    }
    lines.push(`${bar}: ${ratios.join(', ')}`);
  }
  return { lines, failures };
}

/** Ratio of the medians. Undefined when one of the columns was not measured. */
export function ratioOf(
  { columns }: Pick<MeasuredEndpoint, 'columns'>,
  column: Column,
  of: Column,
): number | undefined {
  const [above, below] = [columns[column], columns[of]];
  return above === undefined || below === undefined ? undefined : above.median / below.median;
}
