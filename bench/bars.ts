import type { Column, MeasuredEndpoint } from './columns.ts';

// What a run must show, as ratios between two columns of the same run. There are no bars on times. Below a
// bar `npm run bench` fails. The quick run shares its machine with other tests, so it judges nothing.
interface Ratio {
  column: Column;
  of: Column;
  /** The bar. If it is missing, the ratio is only reported. */
  least?: number;
}

const ratios: Ratio[] = [
  { column: 'hot', of: 'map', least: 0.6 },
  { column: 'hot', of: 'bare' },
  { column: 'listener', of: 'bare' },
  { column: 'gzip', of: 'hot', least: 0.8 },
  { column: 'br', of: 'hot', least: 0.8 },
  { column: 'cold', of: 'driver', least: 0.45 },
  { column: 'hot', of: 'fastify' },
  { column: 'cold', of: 'fastify' },
];

/**
 * The bar for pages of memory per list page, comparing the largest world with the smallest. Each of up to
 * three indexes may be one level deeper.
 */
export const growthBar = { most: 1.3, morePages: 3 };
/** The limit in megabytes for the memory of a server besides its cache. */
export const memoryBar = 256;

/** One ratio for all the endpoints that have both columns. */
export interface JudgedRatio {
  what: string;
  least?: number | undefined;
  lists: Record<string, number>;
  items: Record<string, number>;
}

/**
 * Judges lists and single resources. `failures` contains the ratios below a bar; in a quick run there are
 * none.
 */
export function judge(
  measured: MeasuredEndpoint[],
  quick: boolean,
  judged: Ratio[] = ratios,
): { ratios: JudgedRatio[]; lines: string[]; failures: string[] } {
  const failures: string[] = [];
  const all = judged.map(({ column, of, least }): JudgedRatio => {
    const found: JudgedRatio = {
      what: `${column} to ${of}`,
      least,
      lists: {},
      items: {},
    };
    for (const endpoint of measured) {
      const ratio = ratioOf(endpoint, column, of);
      if (ratio === undefined) continue;
      found[endpoint.isList ? 'lists' : 'items'][endpoint.endpoint] = Number(ratio.toFixed(2));
      if (least !== undefined && !quick && ratio < least)
        failures.push(`${column} to ${of}, at least ${least}: ${endpoint.endpoint} ${ratio.toFixed(2)}`);
    }
    return found;
  });
  return { ratios: all, lines: all.map(lineOf), failures };
}

function lineOf({ what, least, lists, items }: JudgedRatio): string {
  const words = (kind: string, found: Record<string, number>) =>
    `${kind} ${Object.entries(found)
      .map(([name, ratio]) => `${name} ${ratio.toFixed(2)}`)
      .join(', ')}`;
  return `${what}${least === undefined ? '' : `, at least ${least}`}: ${words('lists', lists)}; ${words('single resources', items)}`;
}

/** Returns the ratio of the medians. Undefined if one of the columns was not measured. */
function ratioOf(
  { columns }: Pick<MeasuredEndpoint, 'columns'>,
  column: Column,
  of: Column,
): number | undefined {
  const [above, below] = [columns[column], columns[of]];
  return above === undefined || below === undefined ? undefined : above.median / below.median;
}
