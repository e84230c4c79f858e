import { createReadStream, createWriteStream } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { importFeed } from '../../src/record/import.ts';
import { tournamentTables } from '../../src/record/tables.ts';
import type { FeedRecord } from '../../src/record/feed/records.ts';
import { finishedTournaments, isFinished } from './finished-tournaments.ts';
import { onClient, type Proof, timed, withDatabase, withFolder } from './proof.ts';

/**
 * Compares the import of finished tournaments with a bare COPY of the same rows into the same tables, with
 * their indexes, keys and checks, table by table in one transaction. Both run in this process, one after the
 * other, several times.
 */
export const importSpeed: Proof = ({ serverUrl, size }) =>
  withFolder(async (folder) => {
    const feed = path.join(folder, 'feed.ndjson');
    const { tournaments, battles } = await writeTournaments(feed, size === 'stated' ? 200_000 : 12_000);
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
    if (size === 'stated' && median.ratio < least)
      throw new Error(
        `importing reached ${median.ratio.toFixed(2)} of a bare COPY, must be at least ${least}`,
      );
    return [
      `${median.ratio.toFixed(2)} with ${battles} battles (median of ${ratios.length}).`,
      `${tournaments} tournaments with ${battles} battles: import ${median.imported.toFixed(1)} s (${rate(median.imported)}), bare COPY ${median.copied.toFixed(1)} s (${rate(median.copied)}).`,
      `Ratio of the speeds, import to COPY: ${median.ratio.toFixed(2)} (median; all: ${ratios.map(({ ratio }) => ratio.toFixed(2)).join(', ')}); must be at least ${least}.`,
    ];
  });

/**
 * The minimum ratio. It is judged only at the stated size, because CI measures just once and runs other tests
 * at the same time.
 */
const least = 0.25;

/** The tables in the order of their references. */
const tables = [
  'record.club',
  'record.player',
  'record.battle_pack',
  'record.tournament',
  ...Object.values(tournamentTables).map(({ name }) => name),
];

/** Writes the finished tournaments of a world as a feed, and `more` records after them. */
export async function writeTournaments(
  file: string,
  worldBattles: number,
  more: FeedRecord[] = [],
): Promise<{ tournaments: number; battles: number }> {
  const written = { tournaments: 0, battles: 0 };
  await pipeline(function* lines() {
    for (const records of [finishedTournaments(worldBattles), more]) {
      for (const record of records) {
        if (isFinished(record)) {
          written.tournaments++;
          written.battles += record.battles.length;
        }
        yield `${JSON.stringify(record)}\n`;
      }
    }
  }, createWriteStream(file));
  return written;
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
