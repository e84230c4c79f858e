import type { Pool } from '../src/database/pool.ts';
import { createPool } from '../src/database/pool.ts';
import { machineLine, machineOf } from '../scripts/machine.ts';
import { markOutdated } from '../src/publish/mark-all.ts';
import { publishBacklog } from '../src/publish/publisher.ts';
import type { Measurement } from './measurement.ts';
import { processorMs } from './processor.ts';
import { sizesLine, withWorld } from './world.ts';

/**
 * The maximum cost of an upgrade that changes standings, relative to a full rebuild in which every document
 * changes, and to one in which only the standings do. It cannot be lower because standings are derived from
 * the totals of all battles, and participants, players' rows and search rows are derived with them.
 */
export const rebuildBars = { changed: 0.25, derived: 0.4 };

// Documents are compared by their digests, so an additional space makes one differ from what is derived.
const standings = `update published.tournament set derivation = 0;
  update published.standings set document = document || ' '`;
const derived = `${standings};
  update published.tournament set battle_derivation = 0; update published.derivation set version = 0`;
const changed = `${derived};
  update published.battle set document = document || ' ';
  update published.battle_detail set document = document || ' ';
  update published.club set document = document || ' '`;

/** Measures the processor time of `wartable publish` and its database after each of the three, in turns. */
export const rebuild: Measurement = (options) =>
  withWorld(options, async (world) => {
    const machine = machineLine(await machineOf(world.pool));
    const ratios = { changed: [] as number[], derived: [] as number[] };
    for (let slice = 0; slice < options.slices; slice += 1) {
      const costs = {
        changed: await costOf(world.url, world.pool, changed),
        derived: await costOf(world.url, world.pool, derived),
        standings: await costOf(world.url, world.pool, standings),
      };
      ratios.changed.push(costs.standings / costs.changed);
      ratios.derived.push(costs.standings / costs.derived);
      options.say(
        Object.entries(costs)
          .map(([name, ms]) => `${name} ${Math.round(ms)} ms`)
          .join(', '),
      );
    }
    const figures = { changed: medianOf(ratios.changed), derived: medianOf(ratios.derived) };
    const missed = (['changed', 'derived'] as const).filter((name) => figures[name] > rebuildBars[name]);
    return {
      lines: [
        machine,
        sizesLine(world.sizes),
        `standings to a rebuild that changes everything: ${figures.changed} (at most ${rebuildBars.changed})`,
        `standings to a rebuild that changes only standings: ${figures.derived} (at most ${rebuildBars.derived})`,
      ],
      figures: { machine, battles: world.sizes.battles, ...figures },
      failures: options.quick
        ? []
        : missed.map((name) => `standings take ${figures[name]} of the rebuild (${name})`),
    };
  });

const medianOf = (ratios: number[]): number =>
  Number((ratios.toSorted((a, b) => a - b)[ratios.length >> 1] ?? Number.NaN).toFixed(2));

async function costOf(url: string, owner: Pool, change: string): Promise<number> {
  await owner.query(change);
  await owner.query(
    'vacuum analyze published.tournament, published.standings, published.battle, published.battle_detail',
  );
  const pool = createPool(url, { applicationName: 'wartable-bench-rebuild', size: 4 });
  try {
    // All connections are opened at once, because one that ended before the last measurement would not be
    // counted.
    const clients = await Promise.all(Array.from({ length: 4 }, () => pool.connect()));
    for (const client of clients) client.release();
    const began = await usedMs(owner);
    await markOutdated(pool);
    await publishBacklog(pool);
    return (await usedMs(owner)) - began;
  } finally {
    await pool.end();
  }
}

/** Returns the processor time of this process, and of the database on its behalf. */
async function usedMs(owner: Pool): Promise<number> {
  const { rows } = await owner.query<{ pid: number }>(
    "select pid from pg_stat_activity where application_name = 'wartable-bench-rebuild'",
  );
  const { user, system } = process.cpuUsage();
  const backends = await Promise.all(rows.map(({ pid }) => processorMs(pid)));
  return (user + system) / 1_000 + backends.reduce((sum, ms) => sum + ms, 0);
}
