import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { DOMParser } from '@xmldom/xmldom';
import ICAL from 'ical.js';
import type { FeedRecord } from '../../src/record/feed/records.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { publishFeed } from '../../harness/support/publish-feed.ts';
import { eventually, startTestServer } from '../../harness/support/server.ts';
import { assertValidHtml } from './valid-html.ts';

const database = await createTestDatabase();
const server = await startTestServer(await database.loginAs('wartable_serve'), {
  siteUrl: 'https://wartable.example/results',
  now: () => Date.parse('2026-04-10T12:00:00Z'),
});
async function page(path: string, status = 200): Promise<string> {
  const response = await fetch(`${server.siteUrl}${path}`, { redirect: 'manual' });
  const text = await response.text();
  assert.equal(response.status, status, path);
  await assertValidHtml(text, path);
  return text;
}

const swiss = { id: 'swiss', label: 'Swiss', type: 'board', rounds: 1 } as const;
const today = new Date().toISOString().slice(0, 10);
const event = (slug: string, fields: object): FeedRecord => ({
  kind: 'tournament',
  slug,
  published: true,
  name: `Event ${slug}`,
  status: 'planned',
  battleSize: 1000,
  stages: [swiss],
  participants: [],
  ...fields,
});
const played = {
  participants: [
    { id: 'a', player: 'ann-1', club: 'owls', faction: 'Lanternsworn' },
    { id: 'b', player: 'bob', club: 'bears' },
  ],
  battles: [
    {
      id: 'b1',
      stage: 'swiss',
      round: 1,
      finished: true,
      winner: 'a',
      sides: [{ participant: 'a', battlePoints: 3 }, { participant: 'b' }],
    },
  ],
};
await publishFeed(database.pool, [
  { kind: 'club', slug: 'owls', name: 'Owls', city: 'Porto', country: 'Portugal' },
  { kind: 'club', slug: 'bears', name: 'Äbears', description: 'Rules: https://bears.example/rules.' },
  { kind: 'club', slug: 'first', name: '1st Club' },
  ...Array.from({ length: 120 }, (_, i): FeedRecord => ({ kind: 'club', slug: `m-${i}`, name: `Many ${i}` })),
  { kind: 'player', id: 'ann-1', name: 'Ann Same' },
  { kind: 'player', id: 'ann-2', name: 'Ann Same' },
  { kind: 'player', id: 'bob', name: 'Bob' },
  event('over', {
    status: 'finished',
    startDate: '2026-03-07',
    city: 'Porto',
    country: 'Portugal',
    ...played,
  }),
  event('now', {
    status: 'ongoing',
    startDate: today,
    country: 'Spain',
    ...played,
    battles: played.battles.map((battle) => ({ ...battle, id: 'b2' })),
  }),
  event('near', {
    startDate: '2098-01-05',
    country: 'Portugal',
    participants: [{ id: 'x', player: 'ann-2' }],
  }),
  event('later', { startDate: '2098-01-06' }),
  event('latest', { startDate: '2098-02-01', country: 'Spain' }),
  event('someday', { description: 'See http://event.example/?a=1&b=2' }),
  event('missed', { startDate: '2001-01-01' }),
]);

/** Returns the slugs of the events on a page, in order. */
const slugsOf = (text: string) =>
  [...text.matchAll(/<a class="name" href="\/results\/(?:tournaments|clubs)\/([\w-]+)">/g)].map(
    ([, slug]) => slug,
  );

const headingsOf = (text: string) =>
  [...text.matchAll(/<h[23](?: id="[\w-]*")?>([^<]*)</g)].map(([, heading]) => heading);

test('all tournaments: what runs, what comes, what is over, with winner and leader', async () => {
  const text = await page('/tournaments');
  assert.deepEqual(slugsOf(text), ['now', 'near', 'later', 'latest', 'someday', 'over']);
  assert.deepEqual(headingsOf(text), ['Running now', 'Upcoming', 'Finished', 'March 2026']);
  assert.match(text, /Event now.*Leader after round 1: <bdi>Ann Same<\/bdi>, <bdi>Lanternsworn<\/bdi>/s);
  assert.match(text, /Event over.*<bdi>Ann Same<\/bdi> won with <bdi>Lanternsworn<\/bdi>/s);
  assert.match(
    text,
    /<option value="">All<\/option><option value="Portugal">Portugal<\/option><option value="Spain">/,
  );
});

test('a window of days: newest first, under months', async () => {
  const text = await page('/tournaments?from=2000-01-01&to=2098-01-31');
  assert.deepEqual(slugsOf(text), ['later', 'near', 'now', 'over', 'missed']);
  const months = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });
  assert.deepEqual(headingsOf(text), [
    'January 2098',
    months.format(new Date(today)),
    'March 2026',
    'January 2001',
  ]);
});

test('upcoming tournaments: nearest first, none of the past, those without a day at the end', async () => {
  const text = await page('/tournaments?status=planned');
  assert.deepEqual(slugsOf(text), ['near', 'later', 'latest', 'someday']);
  assert.deepEqual(slugsOf(await page('/tournaments?status=planned&country=Spain')), ['latest']);
  assert.deepEqual(slugsOf(await page('/tournaments?status=planned&after=2098-01-05.near')), [
    'later',
    'latest',
    'someday',
  ]);
  assert.deepEqual(slugsOf(await page('/tournaments?status=planned&from=2000-01-01&to=2098-01-05')), [
    'missed',
    'near',
  ]);
});

test('by country, by status and country, and by a country that there is not', async () => {
  assert.deepEqual(slugsOf(await page('/tournaments?country=Portugal')), ['near', 'over']);
  assert.deepEqual(slugsOf(await page('/tournaments?country=Portugal&status=finished')), ['over']);
  const text = await page('/tournaments?country=%22%3E%3Cb%3E');
  assert.match(text, /No events match these filters\.|<option value="&quot;&gt;&lt;b&gt;" selected>/);
  assert.match(
    text,
    /rel="canonical" href="https:\/\/wartable\.example\/results\/tournaments\?country=%22%3E%3Cb%3E"/,
  );
});

test('a new leader is on the list at once', async () => {
  await page('/tournaments');
  await publishFeed(database.pool, [
    {
      kind: 'tournament',
      slug: 'now',
      battles: [
        {
          id: 'b2',
          stage: 'swiss',
          round: 1,
          finished: true,
          winner: 'b',
          sides: [{ participant: 'a' }, { participant: 'b', battlePoints: 3 }],
        },
      ],
    },
  ]);
  await eventually(async () =>
    assert.match(await page('/tournaments'), /Leader after round 1: <bdi>Bob<\/bdi>/),
  );
});

test('clubs: A–Z, by letter, page by page, each once', async () => {
  const first = await page('/clubs');
  assert.deepEqual(slugsOf(first).slice(0, 3), ['first', 'bears', 'm-0']);
  assert.match(first, /<h2 id="letter-0"><bdi>#<\/bdi>.*<h2 id="letter-1"><bdi>A<\/bdi>.*<bdi>M<\/bdi>/s);
  const more = /<a href="\/results(\/clubs\?after=[^"]*)" rel="next">/.exec(first)?.[1] ?? '';
  const all = [...slugsOf(first), ...slugsOf(await page(more))];
  assert.deepEqual([all.length, new Set(all).size, all.at(-1)], [123, 123, 'owls']);
  assert.deepEqual(slugsOf(await page('/clubs?at=o')), ['owls']);
  assert.match(await page('/clubs?at=z'), /There are no more clubs\./);
  await page('/clubs?at=ab', 404);
  assert.match(await page('/clubs?at=o'), /<bdi>Porto<\/bdi>, <bdi>Portugal<\/bdi>/);
});

test('search: what tells two people of one name apart, and an event from another', async () => {
  const text = await page('/search?q=same+ann');
  assert.match(
    text,
    /players\/ann-1"><bdi>Ann Same<\/bdi><\/a><\/span><span class="sub clamp"><bdi>Owls<\/bdi><\/span><span class="sub clamp"><bdi>Event now</,
  );
  assert.match(
    text,
    /players\/ann-2"><bdi>Ann Same<\/bdi><\/a><\/span><span class="sub clamp"><bdi>Event near</,
  );
  assert.match(text, /<input type="search" name="q"[^>]* value="same ann">/);
  assert.match(
    await page('/search?q=over+ev'),
    /<bdi>Porto<\/bdi>, <bdi>Portugal<\/bdi> · .*7 Mar 2026<\/time>/s,
  );
});

test('search: a page follows everything that it shows', async () => {
  await page('/search?q=ann+same');
  await publishFeed(database.pool, [{ kind: 'club', slug: 'owls', name: 'Night Owls' }]);
  await eventually(async () => assert.match(await page('/search?q=ann+same'), /Night Owls/));
});

test('addresses in descriptions are links', async () => {
  assert.match(
    await page('/clubs/bears'),
    /<p class="prose" lang="" dir="auto">Rules: <a href="https:\/\/bears\.example\/rules" rel="nofollow noopener">https:\/\/bears\.example\/rules<\/a>\.</,
  );
  assert.match(
    await page('/tournaments/someday'),
    /<p class="prose" lang="" dir="auto">See <a href="http:\/\/event\.example\/\?a=1&amp;b=2" rel="nofollow noopener">/,
  );
});

test('a slash at the end leads to the address without it, never to another host', async () => {
  const target = async (path: string) => {
    const response = await fetch(`${server.siteUrl}${path}`, { redirect: 'manual' });
    return [response.status, response.headers.get('location')];
  };
  const cases: [string, string][] = [
    ['/docs/', '/results/docs'],
    ['/docs/polling/', '/results/docs/polling'],
    ['/clubs/?at=o', '/results/clubs?at=o'],
    ['/tournaments/over//', '/results/tournaments/over'],
    ['/results/clubs/owls/', '/results/clubs/owls'],
  ];
  for (const [path, location] of cases) assert.deepEqual(await target(path), [308, location], path);
  for (const path of ['//evil.example/', '/%5Cevil.example//x//', '/\\evil.example/']) {
    const [, location] = await target(path);
    assert.ok(location === null || String(location).startsWith('/results/'), `${path}: ${location}`);
  }
  assert.deepEqual(await target('/reference/'), [200, null]);
});

test('the site is only read: other methods are 405, and what is no HTTP gets a page', async () => {
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']) {
    const response = await fetch(`${server.siteUrl}/tournaments`, { method });
    assert.deepEqual([response.status, response.headers.get('allow')], [405, 'GET, HEAD'], method);
    assert.match(await response.text(), /<h1>We couldn’t make sense of this request<\/h1>/);
  }
  const answer = await new Promise<string>((resolve) => {
    const socket = connect(Number(new URL(server.siteUrl).port), '127.0.0.1');
    let text = '';
    socket.on('data', (chunk) => (text += String(chunk)));
    socket.on('close', () => resolve(text));
    socket.write('GET / NONSENSE\r\n\r\n');
  });
  assert.match(answer, /^HTTP\/1\.1 400 Bad Request\r\n/);
  assert.match(answer, /content-security-policy: default-src 'none'/);
  assert.match(answer, /<h1>We couldn’t make sense of this request<\/h1>/);
});

test('pages of battles and players ask search engines to leave them out', async () => {
  for (const path of ['/battles/b1', '/players/bob'])
    assert.match(await page(path), /<meta name="robots" content="noindex">/);
});

test('previews of links say how it stands, with a picture', async () => {
  const preview = async (path: string) => {
    const text = await page(path);
    return /<meta property="og:description" content="([^"]*)">/.exec(text)?.[1];
  };
  assert.equal(await preview('/tournaments/now'), 'After round 1 · 2 players · leader after round 1: Bob');
  assert.equal(await preview('/tournaments/over'), 'Finished · 7 Mar 2026 · 2 players · winner: Ann Same');
  assert.equal(await preview('/tournaments/near'), 'Upcoming · 5 Jan 2098 · 1 signed up');
  const text = await page('/battles/b1');
  const picture = /<meta property="og:image" content="https:\/\/wartable\.example\/results([^"]*)">/.exec(
    text,
  )?.[1];
  const icon = /<link rel="apple-touch-icon" href="\/results([^"]*)">/.exec(text)?.[1];
  for (const [path, width, height] of [
    [picture, 1_200, 630],
    [icon, 180, 180],
  ] as const) {
    const bytes = Buffer.from(await (await fetch(`${server.siteUrl}${path}`)).arrayBuffer());
    assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [width, height], path);
  }
  const favicon = await fetch(`${server.siteUrl}/favicon.ico`);
  assert.deepEqual([favicon.status, favicon.headers.get('content-type')], [200, 'image/x-icon']);
});

test('the front page and the list of tournaments lead to the feed, for people and for programs', async () => {
  for (const path of ['/', '/tournaments']) {
    const text = await page(path);
    assert.match(
      text,
      /<link rel="alternate" type="application\/atom\+xml"[^>]* href="\/results\/tournaments\.atom">/,
    );
    assert.match(text, /<a href="\/results\/tournaments\.atom">Results feed<\/a>/);
  }
});

const hostile = `]]></title><script>&amp;"';,\\ \r\nEND:VEVENT 😀`;

test('calendars and the feed: another project reads them, whatever the names are', async () => {
  await publishFeed(database.pool, [
    { kind: 'club', slug: 'hostile', name: hostile },
    event('hostile', { name: hostile, city: hostile, startDate: '2098-05-05', organizer: 'hostile' }),
    event('hostile-over', { name: hostile, status: 'finished', startDate: '2026-05-05', country: hostile }),
    event('recent', { startDate: new Date(Date.now() - 80 * 86_400_000).toISOString().slice(0, 10) }),
  ]);
  const get = async (path: string) => {
    const response = await fetch(`${server.siteUrl}${path}`);
    assert.equal(response.status, 200, path);
    return { text: await response.text(), type: response.headers.get('content-type') };
  };
  const uids = async (path: string) => {
    const { text, type } = await get(path);
    assert.equal(type, 'text/calendar; charset=utf-8');
    const root = new ICAL.Component(ICAL.parse(text) as unknown[]);
    return root.getAllSubcomponents('vevent').map((each) => String(each.getFirstPropertyValue('uid')));
  };
  const all = await uids('/tournaments.ics');
  const names = ['now', 'near', 'later', 'latest', 'hostile', 'recent'];
  assert.deepEqual(
    all,
    names.map((slug) => `tournament-${slug}@wartable.example`),
  );
  assert.deepEqual(await uids('/tournaments.ics'), all);
  assert.deepEqual(await uids('/clubs/hostile/tournaments.ics'), ['tournament-hostile@wartable.example']);
  assert.equal((await fetch(`${server.siteUrl}/clubs/none/tournaments.ics`)).status, 404);
  // This also works for an event that is over.
  assert.deepEqual(await uids('/tournaments/over/calendar.ics'), ['tournament-over@wartable.example']);
  assert.equal((await fetch(`${server.siteUrl}/tournaments/none/calendar.ics`)).status, 404);
  const { text, type } = await get('/tournaments.atom');
  assert.equal(type, 'application/atom+xml; charset=utf-8');
  const faults: string[] = [];
  const parsed = new DOMParser({ onError: (_level, message) => faults.push(message) });
  const feed = parsed.parseFromString(text, 'application/xml');
  assert.deepEqual(faults, []);
  const titles = Array.from(feed.getElementsByTagName('title'), (each) => each.textContent);
  assert.deepEqual(titles, ['Finished events', hostile.replaceAll(/\p{Cc}/gu, ' '), 'Event over']);
  assert.match(
    text,
    /<summary>Ann Same won with Lanternsworn · 7 Mar 2026 · Porto, Portugal · 2 players<\/summary>/,
  );
});
