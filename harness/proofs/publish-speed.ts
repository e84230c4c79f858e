import assert from 'node:assert/strict';
import { createReadStream, createWriteStream } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { createPool } from '../../src/database/pool.ts';
import { publishBacklog } from '../../src/publish/publisher.ts';
import { dayNumber } from '../../src/world/dates.ts';
import { world } from '../../src/world/world.ts';
import { importText } from '../support/feed.ts';
import { wartable } from '../support/command.ts';
import { cloner, onClient, type Proof, timed, withDatabase, withFolder } from './proof.ts';

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

export const publishSpeed: Proof = async (setting) => [
  ...(await comparedWithCopy(setting)),
  ...(await afterUpgrade(setting)),
];

/**
 * Compares publishing a world into empty tables with a bare COPY of the same rows into the same tables, with
 * their indexes. Both happen in one run, one after the other, several times.
 */
const comparedWithCopy: Proof = ({ serverUrl, size }) =>
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
            // Without triggers: ours write what changed, and a COPY that fires them would flatter us.
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
      `${median.ratio.toFixed(2)} with ${battles} battles (median of ${ratios.length}).`,
      `A world of ${battles} battles published into empty tables: ${median.published.toFixed(1)} s (${Math.round(battles / median.published)} battles/s); bare COPY of the same rows: ${median.copied.toFixed(1)} s. Ratio of the speeds, publishing to COPY: ${median.ratio.toFixed(2)} (median; all: ${ratios.map(({ ratio }) => ratio.toFixed(2)).join(', ')}); must be at least 0.15.`,
      `Schema \`published\`: ${Math.round(bytes / battles)} bytes a battle with tables, indexes and TOAST.`,
    ];
  });

/**
 * The states in which an upgrade may leave the documents. A leading space makes a document differ, as a new
 * member does.
 */
const upgrades = {
  'when no document differs': '',
  'when every document differs': ['club', 'tournament', 'standings', 'participant', 'battle', 'battle_detail']
    .map((table) => `update published.${table} set document = ' ' || document`)
    .join(';'),
};

/**
 * Measures `wartable publish` after an upgrade, when an older version made every document: with one process,
 * and with two side by side.
 */
const afterUpgrade: Proof = ({ serverUrl, size }) =>
  withDatabase(serverUrl, async (url) => {
    await publishWorld(url, size === 'stated' ? 100_000 : 1_000);
    const [documents, battles] = await onClient(url, (client) => countDocuments(client));
    const onCopy = cloner(serverUrl, url);
    const figures: string[] = [];
    for (const [what, statements] of Object.entries(upgrades)) {
      await onClient(url, async (client) => {
        await client.query(`update published.tournament set derivation = 0, battle_derivation = 0;
          update published.derivation set version = 0; ${statements}`);
        await client.query('vacuum full analyze');
      });
      const took: [alone: number[], two: number[]] = [[], []];
      for (let turn = 0; turn < (size === 'stated' ? 2 : 1); turn += 1) {
        for (const [other, seconds] of took.entries())
          seconds.push(await onCopy((copy) => timed(() => publishOutdated(copy, 1 + other))));
      }
      const [alone, two] = took.map((seconds) => {
        const most = Math.max(...seconds);
        return `${seconds.map((each) => each.toFixed(1)).join(' and ')} s (at least ${Math.round(battles / most)} battles/s, ${Math.round(documents / most)} documents/s)`;
      });
      figures.push(
        `\`wartable publish\` of all ${documents} documents of ${battles} battles after an upgrade, ${what}: alone ${alone}, two side by side ${two}.`,
      );
    }
    return figures;
  });

async function countDocuments(client: pg.Client): Promise<[documents: number, battles: number]> {
  const { rows } = await client.query<{ documents: number; battles: number }>(
    `select (select count(*) from published.club)::int + (select count(*) from published.tournament)::int
        + (select count(*) from published.standings)::int + (select count(*) from published.participant)::int
        + 2 * count(*)::int as documents, count(*)::int as battles from published.battle`,
  );
  assert.ok(rows[0]);
  return [rows[0].documents, rows[0].battles];
}

async function publishOutdated(url: string, publishers: number): Promise<void> {
  const publish = async () => {
    const { code, stderr } = await wartable(['publish'], { DATABASE_URL: url });
    assert.equal(code, 0, stderr);
  };
  await Promise.all(Array.from({ length: publishers }, publish));
  const { rowCount } = await onClient(url, (client) =>
    client.query(
      `select from published.tournament where derivation = 0 or battle_derivation = 0
        union all select from published.battle where document like ' %' limit 1`,
    ),
  );
  assert.equal(rowCount, 0, 'a document is still of the older version');
}

async function publishWorld(url: string, battles: number): Promise<number> {
  await onClient(url, async (client) => {
    let text = '';
    for (const record of world({
      seed: 4,
      battles,
      from: dayNumber('2022-01-01'),
      today: dayNumber('2026-06-30'),
    })) {
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
    return await timed(() => publishBacklog(pool));
  } finally {
    await pool.end();
  }
}
