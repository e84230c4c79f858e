import assert from 'node:assert/strict';
import { DOMParser } from '@xmldom/xmldom';
import ICAL from 'ical.js';
import type { Pool } from '../../src/database/pool.ts';
import { startBrowser } from '../support/browser.ts';
import { hostileFeed, hostileTexts } from './hostile-feed.ts';
import type { Proof } from './proof.ts';
import { withServing } from './serving.ts';
import { publishFeedOf } from './site-world.ts';

/**
 * Puts hostile text into every field that accepts text. No page runs it, loads anything because of it, or
 * becomes wider than the screen.
 */
export const siteHostile: Proof = ({ serverUrl, size }) =>
  withServing(serverUrl, async ({ url, siteUrl, pool }) => {
    const browser = await startBrowser();
    if (browser === undefined) throw new Error('it needs Chromium: apt-get install chromium');
    try {
      const texts = hostileTexts(size === 'stated' ? 500 : 40).filter(
        (_, index) => size === 'stated' || index % 2 === 0,
      );
      await publishFeedOf(url, pool, texts.flatMap(hostileFeed));
      const fields = await publishedFields(pool, texts);
      assert.ok(fields >= texts.length * 30, `only ${fields} fields hold a hostile text`);
      await browser.ignorePolicies();
      await browser.look({ width: 390, scheme: 'light' });
      const pages = [...texts.keys()].flatMap(pagesOf);
      pages.push(
        '/',
        '/tournaments',
        '/tournaments?status=planned',
        `/tournaments?country=${encodeURIComponent('"><script>hit()</script>')}`,
        '/clubs',
        `/search?q=${encodeURIComponent('<script>hit()</script>')}`,
        '/search?q=script',
      );
      const { rows } = await pool.query<{ faction: string }>(
        'select distinct faction from published.faction_placement',
      );
      // The finished tournaments have two factions each.
      assert.ok(rows.length > texts.length * 0.9, `only ${rows.length} factions`);
      const factions = rows.map(({ faction }) => `/factions/${encodeURIComponent(faction)}`);
      pages.push(...['/factions', ...factions].map((page) => `${page}?window=all`));
      const wide: string[] = [];
      for (const number of texts.keys()) {
        // A card is not a page; the script puts it into one.
        await browser.open(`${siteUrl}/tournaments/hostile-${number}/followed?entry=b`);
      }
      for (const page of pages) {
        await browser.open(`${siteUrl}${page}`);
        const width = Number(await browser.evaluate('document.documentElement.scrollWidth'));
        if (width > 390) wide.push(`${page}: ${width} px`);
      }
      const files = [
        '/tournaments.ics',
        '/tournaments.atom',
        ...texts.map((_, nr) => `/clubs/hostile-${nr}/tournaments.ics`),
        ...texts.map((_, nr) => `/tournaments/hostile-${nr}/calendar.ics`),
      ];
      for (const file of files) await readByOthers(`${siteUrl}${file}`);
      assert.deepEqual(browser.complaints.slice(0, 5), []);
      assert.deepEqual(
        browser.requested
          .filter((each) => !each.startsWith(siteUrl) && !each.startsWith('data:'))
          .slice(0, 5),
        [],
      );
      assert.deepEqual(wide.slice(0, 5), []);
      return [
        `${texts.length} texts in ${fields} fields, ${pages.length} pages: no code ran.`,
        `${texts.length} hostile texts in ${fields} published fields, ${pages.length} pages, frames and previews in Chromium with policies off, ${files.length} calendars and feeds in parsers of other projects: no code ran, nothing was asked of another host, and no page is wider than a screen of 390 px.`,
      ];
    } finally {
      await browser.close();
    }
  });

/** Parses a calendar or a feed with another project's program. */
async function readByOthers(address: string): Promise<void> {
  const response = await fetch(address);
  const text = await response.text();
  assert.equal(response.status, 200, address);
  if (address.endsWith('.ics')) {
    ICAL.parse(text);
    assert.ok(
      text.split('\r\n').every((line) => Buffer.byteLength(line) <= 75 && !line.includes('\n')),
      address,
    );
    return;
  }
  const faults: string[] = [];
  new DOMParser({ onError: (_level, message) => faults.push(message) }).parseFromString(
    text,
    'application/xml',
  );
  assert.deepEqual(faults, [], address);
}

function pagesOf(number: number): string[] {
  const key = `hostile-${number}`;
  return [
    ...[
      '',
      '?stage=swiss',
      '?stage=knockout',
      '/rounds?stage=swiss',
      '/participants',
      '/players/b',
      '/players/c',
      '/rounds?stage=swiss&by=player',
    ].map((tab) => `/tournaments/${key}${tab}`),
    ...['?stage=swiss', '?stage=knockout'].map((stage) => `/embed/tournaments/${key}${stage}`),
    `/battles/${key}-1`,
    `/players/${key}-a`,
    `/clubs/${key}`,
  ];
}

/** Counts the fields of published documents that contain one of the texts, because only these were tested. */
async function publishedFields(pool: Pool, texts: string[]): Promise<number> {
  const known = new Set(texts);
  let fields = 0;
  const count = (value: unknown): void => {
    if (typeof value === 'string') fields += known.has(value) ? 1 : 0;
    else if (typeof value === 'object' && value !== null) {
      for (const [name, each] of Object.entries(value)) {
        if (known.has(name)) fields += 1;
        count(each);
      }
    }
  };
  for (const table of ['tournament', 'standings', 'participant', 'battle_detail', 'club']) {
    const { rows } = await pool.query<{ document: string }>(`select document from published.${table}`);
    for (const { document } of rows) count(JSON.parse(document.endsWith('}') ? document : `${document}"}`));
  }
  return fields;
}
