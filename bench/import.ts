import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { startPostgres } from '../harness/support/postgres.ts';
import { cloner, withFolder } from '../harness/proofs/proof.ts';
import { databaseUrl, onServer } from '../harness/support/on-server.ts';
import { run } from './beside-database.ts';
import type { ImportCosts } from './import-child.ts';
import type { Measurement } from './measurement.ts';
import { root } from '../harness/support/root.ts';

const maxOfBefore = 1.03;
const kinds = ['first', 'again'] as const;

/**
 * Compares the processor time that another checkout (`--beside FOLDER`) and this one need to record a feed,
 * in turns: that of the process and of its connection to the database. Each imports the feed into an empty
 * database, and then once more: finished events stay as they are, and those that the feed sends result by
 * result go back to their beginning and are played again. Both get the world of the other checkout. Nothing
 * is published, because that is not the work of an import.
 */
export const importBeside: Measurement = (options) =>
  withFolder(async (folder) => {
    assert.ok(options.beside, 'say which checkout to compare with: --beside FOLDER');
    const here = fileURLToPath(root);
    const folders = { before: path.resolve(options.beside), after: here };
    const feed = path.join(folder, 'feed.ndjson');
    await writeFile(feed, await run(folders.before, ['world', '--battles', String(options.battles)], ''));
    const postgres = await startPostgres();
    try {
      const costOf = async (side: 'before' | 'after'): Promise<ImportCosts> =>
        cloner(
          postgres.url,
          databaseUrl(postgres.url, side),
        )(async (url) => JSON.parse(await run(here, [folders[side], feed], url, 'bench/import-child.ts')));
      for (const side of ['before', 'after'] as const) {
        await onServer(postgres.url, `create database ${side} template template0`);
        await run(folders[side], ['migrate'], databaseUrl(postgres.url, side));
      }
      const ratios = { first: [] as number[], again: [] as number[] };
      const all: Record<'before' | 'after', ImportCosts[]> = { before: [], after: [] };
      for (let slice = -1; slice < options.slices; slice += 1) {
        const costs: Partial<Record<'before' | 'after', ImportCosts>> = {};
        // The order alternates, so that neither is always the first.
        for (const side of slice % 2 === 0 ? (['before', 'after'] as const) : (['after', 'before'] as const))
          costs[side] = await costOf(side);
        const { before, after } = costs;
        // The first slice warms up both.
        if (slice < 0 || !before || !after) continue;
        all.before.push(before);
        all.after.push(after);
        for (const kind of kinds) ratios[kind].push(totalOf(after[kind]) / totalOf(before[kind]));
        options.say(
          kinds.map((kind) => `${kind}: ${inWords(before[kind])}, now ${inWords(after[kind])}`).join('; '),
        );
      }
      const figures = { first: medianOf(ratios.first), again: medianOf(ratios.again) };
      return {
        lines: [
          `Processor time of this checkout, where the other one takes 1 (median of ${options.slices}):`,
          '',
          ...kinds.map((kind) => `${kind.padEnd(6)} ${figures[kind].toFixed(3)}  (${listOf(ratios[kind])})`),
          '',
          'The same of the fastest of each, which other work on the machine disturbs least:',
          '',
          ...kinds.map((kind) => {
            const least = (costs: ImportCosts[]) => Math.min(...costs.map((each) => totalOf(each[kind])));
            return `${kind.padEnd(6)} ${(least(all.after) / least(all.before)).toFixed(3)}`;
          }),
        ],
        figures,
        failures: options.quick
          ? []
          : kinds
              .filter((kind) => figures[kind] > maxOfBefore)
              .map((kind) => `${kind}: ${figures[kind].toFixed(3)} of the processor time before`),
      };
    } finally {
      await postgres.remove();
    }
  });

const totalOf = ({ node, database }: ImportCosts['first']): number => node + database;

const inWords = ({ node, database }: ImportCosts['first']): string =>
  `${Math.round(node)} + ${Math.round(database)} ms`;

const listOf = (ratios: number[]): string => ratios.map((ratio) => ratio.toFixed(3)).join(', ');

const medianOf = (ratios: number[]): number =>
  ratios.toSorted((a, b) => a - b)[ratios.length >> 1] ?? Number.NaN;
