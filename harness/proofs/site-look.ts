import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { Pool } from '../../src/database/pool.ts';
import { type Language, languages } from '../../src/text/languages.ts';
import { type Look, startBrowser } from '../support/browser.ts';
import { type AnyBrowser, startFirefox } from '../support/firefox.ts';
import type { Proof } from './proof.ts';
import { withServing } from './serving.ts';
import { publishFeedOf, siteFeed } from './site-world.ts';

/**
 * Opens every kind of page in every state in a browser: there is no barrier, nothing is wider than the
 * screen, and no policy is broken.
 */
export const siteLook: Proof = ({ serverUrl, size }) =>
  withServing(serverUrl, async ({ url, siteUrl, pool }) => {
    const isStated = size === 'stated';
    await publishFeedOf(url, pool, siteFeed(isStated ? 2_000 : 40, size));
    const paths = await kindsOfPages(pool, isStated);
    // "No result yet" would leave more room for the other results.
    const { rows } = await pool.query<{ path: string }>(
      `select '/players/' || player as path from published.player_battle group by player
        having bool_and(outcome is not null) order by count(*) desc limit 1`,
    );
    const pages: Pages = { siteUrl, paths, withResults: rows[0]?.path ?? '', isStated };
    const browser = await startBrowser();
    if (browser === undefined) throw new Error('it needs Chromium: apt-get install chromium');
    await judge(browser, pages, allLooks);
    if (isStated) {
      for (const scheme of ['light', 'dark'] as const) {
        const firefox = await startFirefox(scheme);
        if (firefox === undefined) throw new Error('it needs Firefox: apt-get install firefox-esr');
        // axe-core takes several times as long in Firefox, so each page is checked there once in each scheme.
        const looks = allLooks.filter((look) => look.scheme === scheme);
        await judge(firefox, { ...pages, isStated: false }, looks);
      }
    }
    return [
      `${paths.length} pages of every kind, six languages${isStated ? ', also in Firefox' : ''}: no finding.`,
      `${paths.length} pages of every kind and state, ${isStated ? 'each at' : 'one quarter of them at each of'} 390 and 1,280 px, light and dark: axe-core finds nothing, also with target-size. With text of 200 % nothing is wider than 390 px. Nothing is wider than the screen ${isStated ? 'from 320 to 1,920' : 'at 320'} px. No page breaks its policy or asks another host.${isStated ? ' Firefox checks each page once in light and once in dark, in changing languages, at 390 or 1,280 px.' : ''}`,
    ];
  });

interface Pages {
  siteUrl: string;
  paths: string[];
  /** The page of a player who has only played battles with a result. */
  withResults: string;
  isStated: boolean;
}

/** Opens all pages in this browser, which is closed afterwards. */
async function judge(
  browser: AnyBrowser,
  { siteUrl, paths, withResults, isStated }: Pages,
  looks: Look[],
): Promise<void> {
  try {
    const axe = await readFile(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
    const barriers: string[] = [];
    for (const [index, look] of looks.entries()) {
      await browser.look(look);
      // In CI each look checks other pages.
      const judged = isStated ? paths : paths.filter((_, i) => i % looks.length === index);
      // Each page is checked in each language on a phone, where there is the least room. In CI each page is
      // checked in one language.
      const spoken = judged.flatMap((path, i) =>
        languagesOf(
          isStated ? (index === 0 ? languages : ['en']) : [languages[i % languages.length] ?? 'en'],
          path,
        ),
      );
      for (const path of spoken) {
        barriers.push(...(await barriersOf(browser, axe, `${siteUrl}${path}`, look)));
        for (const width of isStated ? [320, 768, 1_920] : [320]) {
          await browser.look({ ...look, width });
          await assertFits(browser, path, width);
        }
        if (index === 0 || !isStated) {
          await browser.look({ ...look, width: 390 });
          await browser.evaluate("document.documentElement.style.fontSize = '200%'");
          await assertFits(browser, `${path} with text of 200 %`, 390);
        }
        await browser.look(look);
      }
    }
    await browser.look({ width: 390, scheme: looks[0]?.scheme ?? 'light' });
    for (const path of languagesOf(languages, withResults)) {
      await browser.open(`${siteUrl}${path}`);
      assert.deepEqual(await browser.evaluate(tornWords), '', path);
    }
    assert.deepEqual(barriers, []);
    // The browser reports the status of the page that does not exist.
    const complaints = browser.complaints.filter((each) => !each.includes('status of 404'));
    assert.deepEqual(complaints, []);
    const foreign = browser.requested.filter(
      (each) => !each.startsWith(siteUrl) && !each.startsWith('data:'),
    );
    assert.deepEqual(foreign, []);
  } finally {
    await browser.close();
  }
}

/** Returns the same page in these languages. Guides exist only in English. */
function languagesOf(wanted: readonly Language[], path: string): string[] {
  if (path.startsWith('/docs')) return [path];
  return wanted.map((language) => {
    if (language === 'en') return path;
    return path.startsWith('/embed') ? `${path}?lang=${language}` : `/${language}${path}`;
  });
}

const allLooks: Look[] = [
  { width: 390, scheme: 'light' },
  { width: 390, scheme: 'dark' },
  { width: 1_280, scheme: 'light' },
  { width: 1_280, scheme: 'dark' },
];

/** Opens the page and returns what axe-core finds. */
export async function barriersOf(
  browser: AnyBrowser,
  axe: string,
  address: string,
  { width, scheme }: Look,
): Promise<string[]> {
  await browser.open(address);
  await assertFits(browser, address, width);
  await browser.evaluate(axe);
  const found = await browser.evaluate(`
    axe.run(document, { resultTypes: ['violations'], rules: { 'target-size': { enabled: true } } }).then(({ violations }) => JSON.stringify(
      violations.map(({ id, nodes }) => id + ': ' + nodes[0].html + ' ' + nodes[0].failureSummary),
    ))`);
  const violations = JSON.parse(String(found)) as string[];
  return violations.map((each) => `${address} at ${width} px, ${scheme}: ${each}`);
}

async function assertFits(browser: AnyBrowser, address: string, width: number): Promise<void> {
  const wide = await browser.evaluate('document.documentElement.scrollWidth');
  assert.ok(Number(wide) <= width, `${address} is ${Number(wide)} px wide on a screen of ${width}`);
}

/** Returns words in table cells that are split between two lines. Names may be of any length. */
const tornWords = `[...document.querySelectorAll('td')].flatMap((cell) => [...cell.childNodes])
  .filter((node) => node.nodeType === Node.TEXT_NODE)
  .flatMap((node) => [...node.data.matchAll(/\\p{L}+/gu)].filter(({ 0: word, index }) => {
    const range = document.createRange();
    range.setStart(node, index);
    range.setEnd(node, index + word.length);
    return range.getClientRects().length > 1;
  }))
  .join()`;

/**
 * Returns at least one page of every kind, in every state that it can have. In CI the tabs are those of one
 * tournament of each status.
 */
export async function kindsOfPages(pool: Pool, isStated: boolean): Promise<string[]> {
  const of = isStated ? 'status, organizer is null' : 'status';
  const { rows } = await pool.query<{ path: string }>(`
    select '/tournaments/' || tournament || '?stage=' || stage as path
    from (
      select distinct on (status, stage, grouped) t.status, tournament, stage
      from published.standings
      join published.tournament t on t.slug = tournament,
        lateral (select standings.document like '%"group"%' as grouped) of_groups
      order by status, stage, grouped, length(standings.document) desc
    ) stages
    union all
    select '/tournaments/' || slug || tab
    from (select distinct on (${of}) slug from published.tournament
      order by ${of}, length(document) desc) each_status,
      unnest(array['', '/rounds', '/rounds?by=player', '/participants']) tab
    union all
    select '/embed/tournaments/' || slug from (select distinct on (status) slug from published.tournament
      order by status, length(document) desc) framed
    union all
    select '/tournaments/empty-event' || tab from unnest(array['', '/rounds', '/participants']) tab
    union all
    select '/battles/' || id
    from (select distinct on (winner, unplayed, casual, lists) id
      from published.battle_detail,
        lateral (select document like '%"winner":null%' as winner, document like '%"outcome":null%' as unplayed,
          document like '%"tournament":null%' as casual, document like '%"list":null%' as lists) states
      order by winner, unplayed, casual, lists, length(document) desc) battles
    union all
    (select '/players/' || player from published.player_battle group by player order by count(*) desc limit 1)
    union all
    (select '/players/' || id from published.player p where name is not null
      and not exists (select from published.player_battle b where b.player = p.id) limit 1)
    union all
    select '/tournaments/' || tournament || '/players/' || id
    from (select distinct on (t.status) p.tournament, p.id from published.participant p join published.tournament t on t.slug = p.tournament
      where p.document like '%"playerId":null%' and p.document not like '%"Deleted player"%'
      order by t.status, length(p.document) desc) guests
    union all
    (select '/search?q=' || split_part(folded, ' ', 1) from published.search where is_guest limit 1)
    union all
    (select '/clubs/' || club from published.club_battle group by club order by count(*) desc limit 1)`);
  return [
    ...rows.map(({ path }) => path),
    '/',
    '/tournaments',
    '/tournaments?status=ongoing',
    '/tournaments?status=planned',
    '/tournaments?from=1999-01-01&to=1999-12-31',
    '/factions?window=all',
    '/factions?window=month',
    '/factions?pack=none',
    ...(await factionPages(pool)),
    '/clubs',
    '/clubs?at=m',
    '/clubs?at=z',
    '/clubs/empty-club',
    '/search',
    '/search?q=open',
    '/search?q=zzzzzzzz',
    '/nowhere',
    '/docs',
    '/docs/polling',
  ];
}

/** Returns the pages of the factions with the most and with the fewest games. */
async function factionPages(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ faction: string }>(
    `select f ->> 0 as faction from published.faction_month, json_array_elements(counts -> 'factions') f
      where pack = '' and not is_long group by 1 order by sum((f ->> 1)::integer) desc`,
  );
  const path = (each: { faction: string } | undefined) =>
    `/factions/${encodeURIComponent(each?.faction ?? '')}?window=all`;
  return [path(rows[0]), path(rows.at(-1))];
}
