import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { notFoundPage, refusedPage, unavailablePage } from '../../src/site/fixed/error-pages.ts';
import { html, Html, type HtmlValue } from '../../src/site/html.ts';
import { en } from '../../src/site/words/en.ts';
import type { SiteSettings } from '../../src/site/site-settings.ts';
import { speech } from '../../src/site/words/speech.ts';
import { tables } from '../../src/site/words/languages.ts';
import { dayNumber } from '../../src/world/dates.ts';
import { eventSeries } from '../../src/world/one-event.ts';
import { languages } from '../../src/text/languages.ts';
import { kindsOfPages } from '../../harness/proofs/site-look.ts';
import { publishFeedOf, siteFeed } from '../../harness/proofs/site-world.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { startTestServer } from '../../harness/support/server.ts';
import { assertValidHtml } from './valid-html.ts';

/** Members that come from Intl and are not entries of the table. */
const spoken = Object.keys(speech('en'));

// Every entry of the Polish table is replaced by its own name, so a page shows which entries it uses, and
// which words do not come from the table.
const entries = new Map<string, unknown>();
/** The English texts, with their entries. */
const twins = new Map<string, string>();
mark(tables.pl, en, '');

const database = await createTestDatabase();
await publishFeedOf(database.url, database.pool, siteFeed(40, 'small'));
const { siteUrl, opsUrl } = await startTestServer(database.url, {
  contactUrl: 'https://ask.example',
  dataUrl: 'https://data.example',
});
const german = await startTestServer(database.url, {
  siteLanguage: 'de',
  siteUrl: 'https://site.example/sub',
});
const polish = {
  siteUrl,
  siteName: 'Site',
  siteLanguage: 'en',
  ownPath: '/pl',
  translations: [],
  words: tables.pl,
  assets: {},
} as unknown as SiteSettings;
const get = async (path: string, of = siteUrl) => {
  const answer = await fetch(`${of}${path}`, { redirect: 'manual' });
  return { status: answer.status, text: await answer.text(), location: answer.headers.get('location') };
};

function mark(table: object, english: object, path: string): void {
  for (const [name, value] of Object.entries(english)) {
    if (path === '' && [...spoken, 'name'].includes(name)) continue;
    const here = path === '' ? name : `${path}.${name}`;
    const marker = `⟦${here}⟧`;
    const marked = (twin: unknown, markers: string): unknown => {
      entries.set(here, twin);
      addTwin(twin, here);
      return markers;
    };
    const put = (to: unknown) => Object.assign(table, { [name]: to });
    if (typeof value === 'string') put(marked(value, marker));
    else if (value instanceof Html) put(html`${marked(value.text, marker) as string}`);
    else if (typeof value === 'function') {
      entries.set(here, undefined);
      const sentence = value as (...all: unknown[]) => unknown;
      put((...given: unknown[]) => {
        const twin = sentence(...given);
        // Entries for stored names may leave a name as it is.
        if (!here.startsWith('stored.')) addTwin(twin, here);
        return said(sentence, marker, given);
      });
    } else if (Array.isArray(value)) put(value.map((each: unknown) => marked(each, marker)));
    else mark((table as Record<string, object>)[name] ?? {}, value as object, here);
  }
}

/** Remembers an English text. Numbers and the letters of a list are the same in all languages. */
function addTwin(twin: unknown, entry: string): void {
  if (typeof twin === 'string' && /\p{L}{2}/u.test(twin)) twins.set(twin, entry);
}

/** Returns the marker of the entry, and everything that the sentence gets from elsewhere. */
function said(sentence: (...all: unknown[]) => unknown, marker: string, given: unknown[]): Html | string {
  const values = given.map((each) =>
    typeof each === 'function' ? (each as (text: string) => Html)(marker) : each,
  );
  const isHtml = sentence(...given) instanceof Html;
  return isHtml ? html`${marker} ${values as HtmlValue[]}` : `${marker} ${values.join(' ')}`;
}

/** Returns all the texts of a page, including attributes, but without data. */
function sayingsOf(text: string): string[] {
  const own = text.replaceAll(
    /<bdi>.*?<\/bdi>|<pre.*?<\/pre>|<script type.*?<\/script>|<option.*?<\/option>/gs,
    '',
  );
  return [
    ...own.matchAll(/>([^<>]+)</g),
    ...own.matchAll(/ (?:title|aria-label|placeholder|content)="([^"]*)"/g),
  ].flatMap(([, saying = '']) => saying.split(' · ').map((part) => part.trim()));
}

const seen = new Set<string>();
const slips = new Set<string>();

function look(path: string, text: string): void {
  for (const [, entry = ''] of text.matchAll(/⟦([^⟧]*)⟧/g)) seen.add(entry);
  for (const saying of sayingsOf(text))
    if (twins.has(saying)) slips.add(`${path}: "${saying}" (${twins.get(saying)})`);
}

async function lookAt(path: string, of = siteUrl): Promise<void> {
  const isFrame = path.startsWith('/embed');
  const address = isFrame ? `${path}${path.includes('?') ? '&' : '?'}lang=pl` : `/pl${path}`;
  look(path, (await get(address, of)).text);
}

/** Checks the pages of an event as they are at this moment. */
async function lookAtEvent(slug: string): Promise<void> {
  const { rows } = await database.pool.query<{
    stage: string;
    player: string | null;
    registered: string | null;
    entry: string | null;
    battle: string | null;
  }>(
    `select stage, pairings::json -> 0 -> 'open' -> 0 ->> 'battle' as battle,
      (select row ->> 'playerId' from json_array_elements(document::json -> 'data') row where row ->> 'playerId' is not null limit 1) as player,
      (select entry from published.player_tournament where tournament = $1 limit 1) as registered,
      (select id from published.participant where tournament = $1
        and document like '%"playerId":null%' and document not like '%"Deleted player"%' limit 1) as entry
    from published.standings where tournament = $1`,
    [slug],
  );
  const event = `/tournaments/${slug}`;
  for (const path of ['', '/rounds', '/rounds?by=player', '/names']) await lookAt(`${event}${path}`);
  for (const { stage, player, registered, entry, battle } of rows) {
    await lookAt(`${event}?stage=${stage}`);
    await lookAt(`${event}/rounds?stage=${stage}`);
    await lookAt(`${event}/followed?player=${player}`);
    await lookAt(`/players/${player}`);
    await lookAt(`${event}/players/${entry}`);
    await lookAt(`${event}/players/${registered}`);
    await lookAt(`/battles/${battle}`);
  }
  await lookAt('/');
}

const today = dayNumber(new Date().toISOString().slice(0, 10));

test('no page says a word that is not from the table', async () => {
  for (const path of await kindsOfPages(database.pool, false))
    if (!path.startsWith('/docs')) await lookAt(path);
  for (const path of [
    '/search?q=e',
    `/search?q=${'long'.repeat(60)}`,
    '/search?q=an',
    '/tournaments?before=2020-01-01.a',
    '/clubs?after=zz',
  ])
    await lookAt(path);
  for (const [index, format] of [
    'swiss+knockout+placements+placement-swiss',
    'groups+knockout',
    'swiss',
  ].entries()) {
    const series = eventSeries({ seed: 70 + index, players: 26 + index, format, rounds: 3, start: today });
    const size = Math.ceil(series.length / 12);
    const slug = series.flatMap(({ record }) => (record.kind === 'tournament' ? [record.slug] : []))[0] ?? '';
    for (let at = 0; at < series.length; at += size) {
      await publishFeedOf(
        database.url,
        database.pool,
        series.slice(at, at + size).map(({ record }) => record),
      );
      await lookAtEvent(slug);
    }
  }
  assert.deepEqual([...slips], []);
});

test('errors and settings speak the language, too', async () => {
  const plain = await startTestServer(database.url, { termsUrl: 'https://terms.example' });
  await lookAt('/', plain.siteUrl);
  for (const page of [notFoundPage, refusedPage, unavailablePage])
    look(page.name, page({ ...polish, hasPages: page !== notFoundPage }));
  const { text } = await get('/pl/nowhere');
  assert.match(text, /⟦errors.notFound.heading⟧/);
  const posted = await fetch(`${siteUrl}/pl/tournaments`, { method: 'POST' });
  assert.match(await posted.text(), /⟦errors.refused.heading⟧/);
});

test('what the crawl does not meet is used in the source', async () => {
  const folder = new URL('../../src/site/', import.meta.url);
  const files = (await readdir(folder, { recursive: true })).filter((file) =>
    /^(?!words|.*test).*\.ts$/.test(file),
  );
  const sources = await Promise.all(files.map((file) => readFile(new URL(file, folder), 'utf8')));
  const source = `${sources.join()} ${await readFile(new URL('words/stored.ts', folder), 'utf8')}`;
  const unused = [...entries.keys()].filter((entry) => {
    const name = entry.split('.').at(-1) ?? '';
    return !seen.has(entry) && !entry.startsWith('stored.') && !new RegExp(`[.'](${name})\\b`).test(source);
  });
  assert.deepEqual(unused, []);
  assert.ok(seen.size > 0.75 * entries.size, `${seen.size} of ${entries.size} entries are on a page`);
  const own = sources.flatMap((text, index) =>
    isEnglish.test(files[index] ?? '') ? [] : ownWords(text).map((words) => `${files[index]}: ${words}`),
  );
  assert.deepEqual(own, []);
  const percents = files.filter((_, index) => /\}(\s|\\u[\da-f]{4})?%/.test(sources[index] ?? ''));
  assert.deepEqual(percents, [], 'not every language has a space before the sign');
});

/** Guides and feeds exist only in English, and one file implements the templates. */
const isEnglish = /^(fixed\/|tournament-list\/feeds|html\.ts)/;

/**
 * Returns the texts in a page's templates themselves: text between tags, and attributes that are read out.
 */
function ownWords(source: string): string[] {
  const templates = source
    .split('html`')
    .slice(1)
    .map((rest) => literalOf(rest));
  return templates
    .flatMap((text) => [
      ...text.replaceAll(/<[^>]*>?/g, '\n').split('\n'),
      ...[...text.matchAll(/ (?:title|aria-label|placeholder)="([^"]*)"/g)].map(([, value = '']) => value),
    ])
    .filter((text) => /\p{L}{2}/u.test(text.replaceAll(/&\w+;/g, '')) && !isAttribute.test(text));
}

/** A template may be a single attribute. */
const isAttribute = /^ [a-z-]+(=|$)/;

/** Returns the text up to the end of the template, without its values. */
function literalOf(rest: string): string {
  let depth = 0;
  let text = '';
  for (let at = 0; at < rest.length; at += 1) {
    if (rest.startsWith('${', at)) depth += 1;
    if (depth === 0 && rest[at] === '`') break;
    if (depth === 0) text += rest[at];
    else if (rest[at] === '{' && rest[at - 1] !== '$') depth += 1;
    else if (rest[at] === '}') depth -= 1;
  }
  return text.replaceAll('\\n', '\n');
}

const langOf = (text: string) => /<html lang="(..)">/.exec(text)?.[1];

test('each language has its own addresses, the site language the plain ones', async () => {
  const answers: [path: string, answer: number | string, of?: string][] = [
    ['/tournaments', 'en'],
    ['/de/tournaments', 'de'],
    ['/de/', 'de'],
    ['/fr/now', 404],
    ['/de', '308 /de/'],
    ['/de?x=1', '308 /de/?x=1'],
    ['/de/tournaments/?status=ongoing', '308 /de/tournaments?status=ongoing'],
    ['/en/tournaments?status=ongoing', '308 /tournaments?status=ongoing'],
    ['/en', '308 /'],
    ['/en//evil.example', '308 /evil.example'],
    ['/en/%5Cevil.example', '308 /%5Cevil.example'],
    ['/de/fr/tournaments', 404],
    ['/xx/tournaments', 404],
    ['/DE/tournaments', 404],
    ['/de/docs', 404],
    ['/de/openapi.json', 404],
    ['/de/tournaments.atom', 404],
    ['/de/factions.csv', 404],
    ['/de/sitemap.xml', 404],
    ['/de/robots.txt', 404],
    ['/de/embed/tournaments/empty-event', 404],
    ['/embed/tournaments/empty-event?lang=de', 'de'],
    ['/embed/tournaments/empty-event?lang=xx', 'en'],
    ['/sub/tournaments', 'de', german.siteUrl],
    ['/sub/en/tournaments', 'en', german.siteUrl],
    ['/sub/de/tournaments', '308 /sub/tournaments', german.siteUrl],
    ['/sub/docs', 'en', german.siteUrl],
  ];
  for (const [path, expected, of] of answers) {
    const { status, text, location } = await get(path, of);
    const shown = status === 200 ? (langOf(text) ?? status) : status;
    const found = location === null ? shown : `${status} ${location}`;
    assert.equal(found, expected, path);
  }
  assert.equal(langOf((await get('/de/nowhere')).text), 'de');
});

test('a page leads to itself in the other languages, and its links stay in its own', async () => {
  const { text } = await get('/de/tournaments');
  const links = [
    ...text.matchAll(/<link rel="(canonical|alternate)"(?: hreflang="([^"]*)")? href="([^"]*)"/g),
  ];
  assert.deepEqual(
    links.map(([, rel, language, address]) => [
      language ?? rel,
      address?.replace('https://wartable.example', ''),
    ]),
    [
      ['canonical', '/de/tournaments'],
      ['en', '/tournaments'],
      ['x-default', '/tournaments'],
      ...languages.slice(1).map((language) => [language, `/${language}/tournaments`]),
    ],
  );
  const foot = /<footer.*<\/footer>/s.exec(text)?.[0] ?? '';
  assert.match(foot, /<a href="\/fr\/tournaments" lang="fr">Français<\/a>/);
  assert.match(foot, /<a href="\/tournaments" lang="en">English<\/a>/);
  const plain = [...text.replace(foot, '').matchAll(/ (?:href|action)="(\/[^"]*)"/g)].map(
    ([, href = '']) => href,
  );
  assert.deepEqual(
    plain.filter((href) => !href.startsWith('/de/') && !/^\/assets\/|\.(atom|ics)$/.test(href)),
    [],
  );
});

test('to change the language keeps whose page it is and what it was asked for', async () => {
  const { rows } = await database.pool.query<{ slug: string; entry: string }>(
    `select tournament as slug, id as entry from published.participant
      where document like '%"playerId":null%' and document not like '%"Deleted player"%' limit 1`,
  );
  const event = `/tournaments/${rows[0]?.slug}`;
  for (const path of [
    `${event}/players/${rows[0]?.entry}`,
    `${event}/rounds?by=player`,
    `${event}/participants?name=an`,
  ]) {
    const { text } = await get(path);
    assert.ok(text.includes(`<a href="/de${path.replaceAll('&', '&amp;')}" lang="de">`), path);
  }
});

test('memory, tags and redirects know the language, metrics do not', async () => {
  // The tag of a list depends on its text, and that of an event on its revision.
  for (const path of ['/tournaments', '/tournaments/empty-event']) {
    const first = await fetch(`${siteUrl}${path}`);
    const etag = first.headers.get('etag') ?? '';
    await first.text();
    for (let again = 0; again < 2; again += 1) {
      const answer = await fetch(`${siteUrl}/de${path}`, { headers: { 'if-none-match': etag } });
      assert.deepEqual([answer.status, langOf(await answer.text())], [200, 'de']);
    }
  }
  const { rows } = await database.pool.query<{ tournament: string; id: string; player: string }>(
    `select tournament, id, document::json ->> 'playerId' as player from published.participant
      where document::json ->> 'playerId' is not null limit 1`,
  );
  const [entry] = rows;
  const event = `/de/tournaments/${entry?.tournament}`;
  const { status, location } = await get(`${event}?player=${entry?.player}`);
  assert.deepEqual([status, location], [308, `${event}/players/${entry?.id}`]);
  const metrics = await (await fetch(`${opsUrl}/metrics`)).text();
  assert.match(metrics, /route="\/tournaments"/);
  assert.doesNotMatch(metrics, /"\/(de|pl)\b/);
});

test('the HTML of every language is valid', async () => {
  for (const language of languages.filter((each) => each !== 'pl')) {
    for (const path of ['/', '/tournaments', '/factions?window=all', '/clubs', '/search?q=an']) {
      const { text } = await get(`/${language}${path}`.replace(/^\/en/, ''));
      await assertValidHtml(text, `${language} ${path}`);
    }
  }
});
