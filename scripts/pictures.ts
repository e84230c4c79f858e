import { mkdir, writeFile } from 'node:fs/promises';
import type { FeedRecord } from '../src/record/feed/records.ts';
import { createPool } from '../src/database/pool.ts';
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
      const first = async (query: string) => {
        const { rows } = await pool.query<{ path: string }>(query);
        return rows[0]?.path ?? '/';
      };
      const tournament = (condition: string) =>
        first(`select '/tournaments/' || slug as path from published.tournament
          where ${condition} order by length(document) desc limit 1`);
      const finished = await tournament(`status = 'finished' and 'placement-swiss' = any(stages)`);
      const grouped = await first(`select '/tournaments/' || tournament || '?stage=swiss' as path
        from published.standings where document like '%"group"%' order by length(document) limit 1`);
      const running = await tournament(`status = 'ongoing' and 'knockout' = any(stages)`);
      const battle = await first(`select '/battles/' || id as path from published.battle_detail
        where document like '%"victorySize":"major"%' and document not like '%"list":null%' order by id limit 1`);
      const player = await first(`select '/players/' || player as path from published.player_tournament
        where plays group by player order by count(*) desc limit 1`);
      // After the queries: they choose pages of the world.
      const sheets = feedOf(sheetsIn('docs/sheets')).trim().split('\n');
      await publishFeedOf(
        url,
        pool,
        sheets.map((line) => JSON.parse(line) as FeedRecord),
      );
      const fromSheets = '/tournaments/autumn-cup-2026';
      const pictures: [name: string, path: string, look: Look][] = [
        ['front-wide', '/', { width: 1_280, scheme: 'light' }],
        ['front-phone-dark', '/', { width: 390, scheme: 'dark' }],
        ['tournament-wide', finished, { width: 1_280, scheme: 'light' }],
        ['tournament-phone', finished, { width: 390, scheme: 'light' }],
        ['bracket-wide', `${finished}?stage=knockout`, { width: 1_280, scheme: 'light' }],
        ['bracket-phone-dark', `${finished}?stage=knockout`, { width: 390, scheme: 'dark' }],
        ['groups-wide-dark', grouped, { width: 1_280, scheme: 'dark' }],
        ['now-phone', running, { width: 390, scheme: 'light' }],
        ['now-wide-dark', running, { width: 1_280, scheme: 'dark' }],
        ['rounds-phone', `${running}/rounds`, { width: 390, scheme: 'light' }],
        ['by-player-hall', `${running}/rounds?by=player`, { width: 1_920, scheme: 'light' }],
        ['battle-wide-dark', battle, { width: 1_280, scheme: 'dark' }],
        ['player-phone', player, { width: 390, scheme: 'light' }],
        ['factions-wide-dark', '/factions', { width: 1_280, scheme: 'dark' }],
        ['factions-phone', '/factions', { width: 390, scheme: 'light' }],
        ['faction-wide', '/factions/Tidebound%20Court', { width: 1_280, scheme: 'light' }],
        ['faction-phone-dark', '/factions/Tidebound%20Court', { width: 390, scheme: 'dark' }],
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
