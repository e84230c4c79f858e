import { type Endpoint, endpoints, keysOf } from './endpoints.ts';
import { judgeLimit } from './bars.ts';
import { buffersOf } from './buffers.ts';
import { machineLine, machineOf } from '../scripts/machine.ts';
import type { Measurement } from './measurement.ts';
import { quantile } from './spread.ts';
import { table } from './table.ts';
import { type World, withServer, withWorld, sizesLine } from './world.ts';

const sampledKeys = 200;
/** Owners with pages of the same length in worlds of all sizes: full ones, but for clubs with their few tournaments. */
const equalPages: Record<string, string> = {
  participants: 'select tournament as key from published.participant group by 1 having count(*) > 20',
  'tournament battles':
    'select tournament as key from published.battle where tournament is not null group by 1 having count(*) > 20',
  'club tournaments': `select organizer as key from published.tournament join published.club on club.slug = organizer
      group by 1 having count(*) = 3`,
  'club battles': 'select club as key from published.club_battle group by 1 having count(*) > 20',
  'player battles': 'select player as key from published.player_battle group by 1 having count(*) > 20',
};

/**
 * Pages of memory per answer in worlds of several sizes (`--sizes`), the same kind of page in each. Ten million battles
 * need about 54 GB on disk and two hours: ask for them with `--sizes 100000,10000000` where that fits.
 */
export const growth: Measurement = (options) =>
  withServer(options, async (serverUrl) => {
    const worlds: { size: number; sizes: World['sizes']; buffers: Record<string, number> }[] = [];
    let machine = '';
    for (const size of options.sizes) {
      options.say(`a world of ${size} battles …`);
      await withWorld({ serverUrl, battles: size }, async (world) => {
        machine = machineLine(await machineOf(world.pool));
        const buffers: Record<string, number> = {};
        for (const endpoint of endpoints) buffers[endpoint.name] = await medianBuffers(world, endpoint);
        worlds.push({ size, sizes: world.sizes, buffers });
      });
    }
    const [first, last] = [worlds[0], worlds.at(-1)];
    const ratios = Object.fromEntries(
      endpoints.map(({ name }) => [name, (last?.buffers[name] ?? 0) / (first?.buffers[name] ?? 0)]),
    );
    // A single document is one look into an index: there, one more level of its tree is already half as much again.
    const judged = endpoints
      .filter(({ isList }) => isList)
      .map(({ name }) => judgeLimit(name, ratios[name] ?? Number.NaN, 'growth'));
    return {
      lines: [
        machine,
        ...worlds.map(({ sizes }) => sizesLine(sizes)),
        '',
        `Pages of memory (8 kB) per answer: median of up to ${sampledKeys} keys`,
        ...table([
          ['', ...worlds.map(({ size }) => String(size)), 'ratio'],
          ...endpoints.map(({ name }) => [
            name,
            ...worlds.map(({ buffers }) => String(buffers[name])),
            (ratios[name] ?? 0).toFixed(2),
          ]),
        ]),
        '',
        ...judged.flatMap(({ lines }) => lines),
      ],
      figures: { machine, worlds, ratios },
      failures: judged.flatMap(({ failures }) => failures),
    };
  });

async function medianBuffers({ pool }: World, endpoint: Endpoint): Promise<number> {
  const keys = equalPages[endpoint.name] ?? endpoint.keys;
  const counts: number[] = [];
  for (const key of await keysOf(pool, { ...endpoint, keys }, sampledKeys)) {
    counts.push(await buffersOf(pool, endpoint.statement, endpoint.values(key)));
  }
  return quantile(
    counts.toSorted((a, b) => a - b),
    0.5,
  );
}
