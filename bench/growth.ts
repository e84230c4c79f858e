import { startPostgres } from '../harness/support/postgres.ts';
import { withDatabase } from '../harness/proofs/proof.ts';
import { growthBar } from './bars.ts';
import { endpoints } from './endpoints.ts';
import { coldTimes, pagesOfMemory } from './growth-answers.ts';
import { addCopies, maxImported } from './growth-copies.ts';
import { delaysOf, publishEvent } from './growth-delays.ts';
import { dumpAndRestore, workOf } from './growth-work.ts';
import { machineLine, machineOf } from '../scripts/machine.ts';
import type { BenchOptions, Measured, Measurement } from './measurement.ts';
import { startServe } from '../harness/measure/serve-process.ts';
import { quantile } from '../harness/measure/spread.ts';
import { table } from './table.ts';
import { fill, sizesLine, type World, withWorld } from './world.ts';

/** The number of results of a live event that are followed until a server shows them. */
const results = 30;

interface Grown {
  sizes: World['sizes'];
  machine: string;
  /** Pages of memory per answer, milliseconds and seconds, by what is measured. */
  pages: Record<string, number>;
  ms: Record<string, number>;
  s: Record<string, number>;
}

export interface GrowthRow {
  name: string;
  unit: 'pages' | 'ms' | 's';
  /** One value for each world, the smallest first. */
  values: number[];
  /** The ratio of the largest world to each of the others. */
  ratios: number[];
  /** True if it must stay within the bar. */
  isJudged: boolean;
}

/**
 * Measures the same things in worlds of several sizes (`--sizes`), by letting one world grow. Ten million
 * battles need 60 GB of disk and two hours. `--database URL,URL` measures existing worlds. Their server needs
 * pg_stat_statements in shared_preload_libraries, and track_commit_timestamp.
 */
export const growth: Measurement = async (options) => {
  const worlds: Grown[] = [];
  const measure = async (world: World) => {
    options.say(sizesLine(world.sizes));
    const measured = await grown(world);
    worlds.push(measured);
    return measured;
  };
  if (options.database !== undefined) {
    for (const database of options.database.split(',')) {
      await withWorld({ database, battles: 0 }, measure);
    }
  } else {
    await withGrowingWorld(options, async (url, size) => {
      const measured = await withWorld({ database: url, battles: size }, measure);
      options.say('dump and restore …');
      Object.assign(measured.s, await dumpAndRestore(url, size !== options.sizes.at(-1)));
    });
  }
  return report(worlds);
};

async function withGrowingWorld(
  { sizes, say }: BenchOptions,
  measure: (url: string, size: number) => Promise<void>,
): Promise<void> {
  // Version 15 because of Debian's pg_dump, which must not be older than the server.
  const postgres = await startPostgres('15', [
    "shared_preload_libraries = 'pg_stat_statements'",
    'track_commit_timestamp = on',
  ]);
  try {
    await withDatabase(postgres.url, async (url) => {
      for (const [at, size] of sizes.entries()) {
        say(`a world of ${size} battles …`);
        const before = sizes[at - 1] ?? 0;
        await fill(url, Math.min(size, maxImported) - before, at + 1);
        if (size > maxImported) await addCopies(url, Math.round(size / maxImported) - 1);
        await measure(url, size);
      }
    });
  } finally {
    await postgres.remove();
  }
}

async function grown(world: World): Promise<Grown> {
  await world.pool.query('create extension if not exists pg_stat_statements');
  const event = await publishEvent(world.pool);
  // Without a cache every answer is read.
  const server = await startServe(world.url, { CACHE_MB: '0' });
  try {
    const pages = await pagesOfMemory(world, server);
    const cold = await coldTimes(world, server);
    const delays = await delaysOf(world, server, event, results);
    return {
      sizes: world.sizes,
      machine: machineLine(await machineOf(world.pool)),
      pages,
      ms: {
        'cold answer, half': cold.p50,
        'cold answer, 99 %': cold.p99,
        'a result, commit to visible, half': quantile(delays, 0.5),
        'a result, commit to visible, 90 %': quantile(delays, 0.9),
      },
      s: await workOf(world),
    };
  } finally {
    await server.close();
    await world.pool.query('drop extension pg_stat_statements');
  }
}

function report(worlds: Grown[]): Measured {
  const last = worlds.at(-1);
  // A single document takes one index lookup, for which one more level of the tree already means half as many
  // pages again.
  const lists = new Set(endpoints.filter(({ isList }) => isList).map(({ name }) => name));
  const rows = (['pages', 'ms', 's'] as const).flatMap((unit) =>
    Object.keys(last?.[unit] ?? {}).map((name): GrowthRow => {
      const values = worlds.map((world) => world[unit][name] ?? Number.NaN);
      const ratios = values.slice(0, -1).map((value) => (values.at(-1) ?? 0) / value);
      return { name, unit, values, ratios, isJudged: unit === 'pages' && lists.has(name) };
    }),
  );
  const failures = rows
    .filter(({ isJudged, values }) => {
      const [first = 0, most = Number.NaN] = [values[0], values.at(-1)];
      return isJudged && !(most <= Math.max(first * growthBar.most, first + growthBar.morePages));
    })
    .map(({ name, values }) => `${name}: ${values.map(shown).join(' → ')} pages`);
  const battles = worlds.map(({ sizes }) => sizes.battles);
  return {
    lines: [
      last?.machine ?? '',
      ...worlds.map(({ sizes }) => sizesLine(sizes)),
      '',
      'Pages are pages of memory (8 kB) that PostgreSQL reads for a cold answer. The last columns are the largest world to each other one.',
      ...table([
        ['battles', '', ...battles.map(String), ...battles.slice(0, -1).map((each) => `to ${each}`)],
        ...rows.map(({ name, unit, values, ratios }) => [
          name,
          unit,
          ...values.map(shown),
          ...ratios.map((ratio) => (Number.isNaN(ratio) ? '–' : ratio.toFixed(2))),
        ]),
      ]),
      '',
      `A list must read at most ${growthBar.most} times the pages of the smallest world, or ${growthBar.morePages} more.`,
    ],
    figures: { machine: last?.machine, worlds: worlds.map(({ sizes }) => sizes), growth: rows },
    failures,
  };
}

function shown(value: number): string {
  if (Number.isNaN(value)) return '–';
  return value >= 100 || Number.isInteger(value) ? String(Math.round(value)) : value.toPrecision(2);
}
