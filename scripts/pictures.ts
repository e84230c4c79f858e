import { mkdir, writeFile } from 'node:fs/promises';
import { mock } from 'node:test';
import type { FeedRecord } from '../src/record/feed/records.ts';
import { createPool } from '../src/database/pool.ts';
import { dayOf } from '../src/world/dates.ts';
import { eventFeed } from '../src/world/one-event.ts';
import { type Look, startBrowser } from '../test/serve/browser.ts';
import { feedOf, sheetsIn } from '../test/convert/fixtures.ts';
import { withDatabase } from '../test/proofs/proof.ts';
import { startProofServer } from '../test/proofs/serving.ts';
import { publishFeedOf, siteFeed } from '../test/proofs/site-world.ts';
import { startPostgres } from './postgres.ts';

// npm run pictures
//
// Makes the pictures of the site in docs/pictures: pages of an invented world, in a browser.
const folder = new URL('../docs/pictures/', import.meta.url);
await mkdir(folder, { recursive: true });
// The newest event of the world is played on this day.
mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-06-30T15:00:00Z') });
const given = process.env['TEST_DATABASE_URL'];
const throwaway = given === undefined ? await startPostgres() : undefined;
const browser = await startBrowser();
if (browser === undefined) throw new Error('Pictures need Chromium: install the package chromium.');
try {
  await withDatabase(given ?? throwaway?.url ?? '', async (url) => {
    const pool = createPool(url, { applicationName: 'wartable-pictures', size: 4 });
    const server = await startProofServer(url);
    try {
      await publishFeedOf(url, pool, siteFeed(2_000, 'stated'));
      const tournament = async (condition: string) => {
        const { rows } = await pool.query<{ path: string }>(
          `select '/tournaments/' || slug as path from published.tournament
          where ${condition} order by length(document) desc limit 1`,
        );
        return rows[0]?.path ?? '/';
      };
      const finished = await tournament(`status = 'finished' and 'placement-swiss' = any(stages)`);
      // After the queries: they choose pages of the world.
      const sheets = feedOf(sheetsIn('docs/sheets')).trim().split('\n');
      await publishFeedOf(
        url,
        pool,
        sheets.map((line) => JSON.parse(line) as FeedRecord),
      );
      const fromSheets = '/tournaments/autumn-cup-2026';
      // An event that knows its tables: the page says where to sit.
      const live = { seed: 66, players: 24, format: 'swiss+knockout', rounds: 4, start: dayOf('2026-06-30') };
      await publishFeedOf(url, pool, eventFeed(live, 'ongoing'));
      const running = await tournament(`slug like 'villa-ombu-golden-masters-2026-%'`);
      const pictures: [name: string, path: string, look: Look][] = [
        ['bracket-wide', `${finished}?stage=knockout`, { width: 1_280, scheme: 'light' }],
        ['now-phone', running, { width: 390, scheme: 'light' }],
        ['factions-phone', '/factions', { width: 390, scheme: 'light' }],
        ['sheet-event-wide', fromSheets, { width: 1_280, scheme: 'light' }],
        ['sheet-bracket-wide', `${fromSheets}?stage=knockout`, { width: 1_280, scheme: 'light' }],
        ['sheet-rounds-phone', `${fromSheets}/rounds`, { width: 390, scheme: 'light' }],
      ];
      for (const [name, path, look] of pictures) {
        await browser.look({ ...look, height: 860 });
        await browser.open(`${server.siteUrl}${path}`);
        await writeFile(new URL(`${name}.png`, folder), await browser.screenshot());
        console.log(`docs/pictures/${name}.png ${path}`);
      }
    } finally {
      await server.close();
      await pool.end();
    }
  });
} finally {
  await browser.close();
  await throwaway?.remove();
}
