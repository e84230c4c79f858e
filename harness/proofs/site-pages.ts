import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { HtmlValidate } from 'html-validate';
import type { Pool } from '../../src/database/pool.ts';
import type { Proof } from './proof.ts';
import { withServing } from './serving.ts';
import { compareFiles } from './site-files.ts';
import { publishFeedOf, siteFeed, textOf } from './site-world.ts';

/**
 * Proves that every `url` in the API opens a page with the right name in its heading. A crawler that follows
 * all links of the site finds no dead one, and no mistake in the HTML. The spreadsheet files equal the
 * answers of the API.
 */
export const sitePages: Proof = ({ serverUrl, size }) =>
  withServing(serverUrl, async (serving) => {
    const { url, siteUrl, pool } = serving;
    const [battles, maxPages] = size === 'stated' ? [20_000, 2_000] : [150, 150];
    await publishFeedOf(url, pool, siteFeed(battles, size));
    const named = await namedPages(pool);
    const wrong: string[] = [];
    await inTurns(named, 8, async ({ path, names }) => {
      const { status, text } = await get(`${siteUrl}${path}`);
      const heading = textOf(/<h1[^>]*>(.*?)<\/h1>/s.exec(text)?.[1] ?? '');
      if (status !== 200 || !names.every((name) => heading.includes(name)))
        wrong.push(`${path}: ${status} ${heading}`);
    });
    assert.deepEqual(wrong.slice(0, 5), []);
    const { pages, links } = await crawl(siteUrl, maxPages);
    assert.ok(pages >= maxPages, `only ${pages} pages`);
    const { tournaments, fields } = await compareFiles(serving);
    return [
      `${named.length} addresses open their page; ${fields} fields of files equal the API.`,
      `A world of ${battles} battles and events of every kind: all ${named.length} addresses in \`url\` fields, and the pages of all players, answer 200 with the right name in the heading.`,
      `A crawler read ${pages} pages and followed their ${links} links: all work, and html-validate finds nothing in any of them.`,
      `The files for spreadsheets of all ${tournaments} tournaments equal the answers of the API.`,
    ];
  });

/** Returns everything that has a page, and the names that must be in its heading. */
async function namedPages(pool: Pool): Promise<{ path: string; names: string[] }[]> {
  const { rows } = await pool.query<{ path: string; names: string[] }>(`
    select '/tournaments/' || slug as path, array[(document || '"}')::json->>'name'] as names from published.tournament
    union all
    select '/clubs/' || slug, array[(document || '"}')::json->>'name'] from published.club
    union all
    select '/battles/' || id, array(
      select side->>'player' from json_array_elements((document || '"}')::json->'players') side
    ) from published.battle
    union all
    select '/players/' || id, array[name] from published.player where name is not null
    union all
    select distinct '/tournaments/' || replace(key, '/', '/players/'), array[label] from published.search where is_guest`);
  return rows;
}

async function crawl(siteUrl: string, maxPages: number): Promise<{ pages: number; links: number }> {
  const validator = new HtmlValidate({
    extends: ['html-validate:recommended'],
    // Anchors are the same as in the repository. That of `0.2.0` begins with a digit, which HTML allows.
    rules: { 'long-title': 'off', 'valid-id': ['error', { relaxed: true }] },
  });
  const known = new Set(['/']);
  const todo = ['/'];
  const links = new Set<string>();
  const complaints: string[] = [];
  let pages = 0;
  while (todo.length > 0 && pages < maxPages) {
    // Breadth first would read only the pages of one event.
    const at = (pages * 7_919) % todo.length;
    const [path = ''] = todo.splice(at, 1);
    const { status, text, type } = await get(`${siteUrl}${path}`);
    pages += 1;
    if (status !== 200) complaints.push(`${path}: ${status}`);
    if (!type.startsWith('text/html') || path.startsWith('/reference')) continue;
    const report = await validator.validateString(text);
    for (const { messages } of report.results)
      for (const { ruleId, message, line } of messages) {
        // Without a script, each page of a screen leads to the next one after a while.
        if (ruleId === 'meta-refresh' && /\/screen(\?|$)/.test(path)) continue;
        complaints.push(`${path}:${line} ${ruleId} ${message}`);
      }
    for (const [, link = ''] of text.matchAll(/(?:href|src|action)="(\/[^"#]*)/g)) {
      const target = link.replaceAll('&amp;', '&');
      links.add(target);
      if (known.has(target)) continue;
      known.add(target);
      todo.push(target);
    }
  }
  // The links that are left over are not parsed, but they must work as well.
  await inTurns(todo, 8, async (path) => {
    const { status } = await get(`${siteUrl}${path}`);
    if (status !== 200) complaints.push(`${path}: ${status}`);
  });
  assert.deepEqual(complaints.slice(0, 10), []);
  return { pages, links: links.size };
}

/**
 * Asks for a page, and like a polite crawler asks again if a busy server says so, because the validator uses
 * the same processor.
 */
async function get(address: string, attempts = 5): Promise<{ status: number; text: string; type: string }> {
  const response = await fetch(address);
  const wait = Number(response.headers.get('retry-after'));
  if (response.status === 503 && wait > 0 && attempts > 1) {
    await response.arrayBuffer();
    await sleep(wait * 1_000);
    return get(address, attempts - 1);
  }
  return {
    status: response.status,
    text: await response.text(),
    type: response.headers.get('content-type') ?? '',
  };
}

async function inTurns<T>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const left = items.values();
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (const item of left) await work(item);
    }),
  );
}
