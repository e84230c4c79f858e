import assert from 'node:assert/strict';
import { byStartDate } from '../src/api/order.ts';
import { tournaments } from '../src/read/lists.ts';
import { judgeLimit } from './bars.ts';
import { buffersOf } from './buffers.ts';
import { machineLine, machineOf } from '../scripts/machine.ts';
import type { Measurement } from './measurement.ts';
import { withServer, withWorld, type World } from './world.ts';

const limit = 20;
const deepPage = 1_000;
const any = { from: undefined, to: undefined };

/** Page 1 against page 1,000 of the tournament list, in pages of memory. */
export const deepPages: Measurement = (options) =>
  withServer(options, (serverUrl) =>
    // Always a database of our own, because we add tournaments to it.
    withWorld({ serverUrl, battles: options.battles }, async (world) => {
      const machine = machineLine(await machineOf(world.pool));
      const count = await addTournaments(world, limit * (deepPage + 1));
      const first = await cost(world, 1);
      const deep = await cost(world, deepPage);
      const ratio = deep / first;
      const { lines, failures } = judgeLimit(`page ${deepPage} to page 1`, ratio, 'deepPage');
      return {
        lines: [
          machine,
          `${count} tournaments, pages of ${limit}: page 1 touches ${first} pages of memory, page ${deepPage} touches ${deep}`,
          ...lines,
        ],
        figures: { machine, tournaments: count, limit, first, deep, ratio },
        failures,
      };
    }),
  );

/** Copies tournaments until the list is long enough: a world with so many would have a million battles. */
async function addTournaments({ pool }: World, least: number): Promise<number> {
  await pool.query(
    `insert into published.tournament
    select (jsonb_populate_record(original, jsonb_build_object(
      'slug', original.slug || '-' || copy, 'start_date', original.start_date - copy))).*
    from published.tournament original,
      (select count(*) from published.tournament where isfinite(start_date)) dated,
      generate_series(1, 1 + ($1 / dated.count)::int) copy
    where isfinite(original.start_date)`,
    [least],
  );
  await pool.query('vacuum analyze published.tournament');
  const { rows } = await pool.query<{ count: number }>(
    'select count(*)::int as count from published.tournament',
  );
  const count = rows[0]?.count ?? 0;
  assert.ok(count > least, `only ${count} tournaments`);
  return count;
}

async function cost({ pool }: World, page: number): Promise<number> {
  const { rows } = await pool.query<{ date: string; id: string }>(
    'select start_date as date, slug as id from published.tournament order by start_date desc, slug desc offset $1 limit 1',
    [Math.max(0, (page - 1) * limit - 1)],
  );
  const [last] = rows;
  assert.ok(last);
  const after = page === 1 ? undefined : byStartDate.positionOf(last);
  return buffersOf(pool, tournaments, [
    String(limit + 1),
    '{}',
    ...byStartDate.bounds(after, any).map(String),
    'http://localhost:3001/tournaments',
  ]);
}
