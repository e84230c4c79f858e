import assert from 'node:assert/strict';
import { createReadStream, createWriteStream } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { createPool } from '../../src/database/pool.ts';
import { publishStale } from '../../src/publish/publisher.ts';
import { dayOf } from '../../src/world/dates.ts';
import { world } from '../../src/world/world.ts';
import { importText } from '../support/feed.ts';
import { onClient, type Proof, timed, withDatabase, withFolder } from './proof.ts';

const tables = [
  'club',
  'tournament',
  'standings',
  'participant',
  'battle',
  'battle_detail',
  'player',
  'player_battle',
  'club_battle',
  'player_tournament',
  'search',
  'tournament_factions',
].map((name) => `published.${name}`);

/**
 * Compares publishing a world into empty tables with a bare COPY of the same rows into the same tables, with their
 * indexes. Both in one run, one after the other, several times.
 */
export const publishSpeed: Proof = ({ serverUrl, size }) =>
  withFolder(async (folder) => {
    const battles = Number(process.env['WORLD_BATTLES'] ?? (size === 'stated' ? 60_000 : 2_000));
    const ratios: { ratio: number; published: number; copied: number }[] = [];
    let bytes = 0;
    for (let turn = 0; turn < (size === 'stated' ? 3 : 1); turn += 1) {
      const published = await withDatabase(serverUrl, async (url) => {
        const seconds = await publishWorld(url, battles);
        bytes = await onClient(url, async (client) => {
          for (const table of tables) {
            const file = createWriteStream(path.join(folder, table));
            await pipeline(client.query(copyTo(`copy ${table} to stdout`)), file);
          }
          const { rows } = await client.query<{ bytes: number }>(
            `select sum(pg_total_relation_size(oid))::float8 as bytes from pg_class
              where relnamespace = 'published'::regnamespace and relkind = 'r'`,
          );
          return rows[0]?.bytes ?? 0;
        });
        return seconds;
      });
      const copied = await withDatabase(serverUrl, (url) =>
        onClient(url, (client) =>
          timed(async () => {
            await client.query('begin');
            // Bare: our triggers write what changed, and a COPY that fires them would flatter us.
            await client.query('set local session_replication_role = replica');
            for (const table of tables) {
              const file = createReadStream(path.join(folder, table), { highWaterMark: 1 << 18 });
              await pipeline(file, client.query(copyFrom(`copy ${table} from stdin`)));
            }
            await client.query('commit');
          }),
        ),
      );
      ratios.push({ ratio: copied / published, published, copied });
    }
    const median = ratios.toSorted((a, b) => a.ratio - b.ratio)[Math.floor(ratios.length / 2)];
    assert.ok(median);
    if (size === 'stated')
      assert.ok(
        median.ratio >= 0.15,
        `publishing reached ${median.ratio.toFixed(2)} of a COPY, must be at least 0.15`,
      );
    return [
      `A world of ${battles} battles published into empty tables: ${median.published.toFixed(1)} s (${Math.round(battles / median.published)} battles/s); bare COPY of the same rows: ${median.copied.toFixed(1)} s. Ratio of the speeds, publishing to COPY: ${median.ratio.toFixed(2)} (median; all: ${ratios.map(({ ratio }) => ratio.toFixed(2)).join(', ')}); must be at least 0.15.`,
      `Schema \`published\`: ${Math.round(bytes / battles)} bytes a battle with tables, indexes and TOAST.`,
    ];
  });

async function publishWorld(url: string, battles: number): Promise<number> {
  await onClient(url, async (client) => {
    let text = '';
    for (const record of world({ seed: 4, battles, from: dayOf('2022-01-01'), today: dayOf('2026-06-30') })) {
      text += `${JSON.stringify(record)}\n`;
      if (text.length > 1 << 24) {
        await importText(client, text);
        text = '';
      }
    }
    await importText(client, text);
    await client.query('analyze');
  });
  const pool = createPool(url, { applicationName: 'proof', size: 8 });
  try {
    return await timed(() => publishStale(pool));
  } finally {
    await pool.end();
  }
}
