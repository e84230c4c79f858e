import { createReadStream, createWriteStream } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { importFeed } from '../../src/record/import.ts';
import { tournamentTables } from '../../src/record/tables.ts';
import { season } from '../support/season.ts';
import { onClient, type Proof, timed, withDatabase, withFolder } from './proof.ts';

/**
 * Compares the import of a season with a bare COPY of the same rows into the same tables, with their indexes, keys and
 * checks, table by table in one transaction. Both run in this process, one after the other, several times.
 */
export const importSpeed: Proof = ({ serverUrl, size }) =>
  withFolder(async (folder) => {
    const events = size === 'stated' ? 2500 : 150;
    const feed = path.join(folder, 'season.ndjson');
    const battles = await writeSeason(feed, events);
    const ratios: { ratio: number; imported: number; copied: number }[] = [];
    for (let turn = 0; turn < (size === 'stated' ? 3 : 1); turn++) {
      const imported = await withDatabase(serverUrl, (url) =>
        onClient(url, async (client) => {
          const seconds = await timed(() => importOf(client, feed));
          await dump(client, folder);
          return seconds;
        }),
      );
      const copied = await withDatabase(serverUrl, (url) =>
        onClient(url, (client) => timed(() => restore(client, folder))),
      );
      ratios.push({ ratio: copied / imported, imported, copied });
    }
    const [median] = ratios.toSorted((a, b) => a.ratio - b.ratio).slice(Math.floor(ratios.length / 2));
    if (!median) throw new Error('nothing was measured');
    const rate = (seconds: number): string => `${Math.round(battles / seconds)} battles/s`;
    if (median.ratio < 0.25)
      throw new Error(`importing reached ${median.ratio.toFixed(2)} of a bare COPY, must be at least 0.25`);
    return [
      `${events} tournaments with ${battles} battles: import ${median.imported.toFixed(1)} s (${rate(median.imported)}), bare COPY ${median.copied.toFixed(1)} s (${rate(median.copied)}).`,
      `Ratio of the speeds, import to COPY: ${median.ratio.toFixed(2)} (median; all: ${ratios.map(({ ratio }) => ratio.toFixed(2)).join(', ')}); must be at least 0.25.`,
    ];
  });

/** In the order of their references. */
const tables = [
  'record.club',
  'record.player',
  'record.battle_pack',
  'record.tournament',
  ...Object.values(tournamentTables).map(({ name }) => name),
];

export async function writeSeason(file: string, events: number, major = 0): Promise<number> {
  let battles = 0;
  await pipeline(function* lines() {
    for (const record of season({ events, players: 5000, major })) {
      if (record.kind === 'tournament') battles += record.battles?.length ?? 0;
      yield `${JSON.stringify(record)}\n`;
    }
  }, createWriteStream(file));
  return battles;
}

async function importOf(client: pg.Client, file: string): Promise<void> {
  const { refused } = await importFeed(
    client,
    [{ name: file, chunks: createReadStream(file, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer> }],
    { onRefusal: (_, line, problems) => console.error(line, problems) },
  );
  if (refused > 0) throw new Error(`${refused} records were refused`);
}

async function dump(client: pg.Client, folder: string): Promise<void> {
  for (const table of tables) {
    await pipeline(
      client.query(copyTo(`copy ${table} to stdout`)),
      createWriteStream(path.join(folder, table)),
    );
  }
}

async function restore(client: pg.Client, folder: string): Promise<void> {
  await client.query('begin');
  for (const table of tables) {
    await pipeline(
      createReadStream(path.join(folder, table), { highWaterMark: 1 << 18 }),
      client.query(copyFrom(`copy ${table} from stdin`)),
    );
  }
  await client.query('commit');
}
