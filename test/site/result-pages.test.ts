import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FeedRecord } from '../../src/record/feed/records.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { exampleFeed } from '../../harness/support/feed.ts';
import { publishFeed } from '../../harness/support/publish-feed.ts';
import { bearer, createTestKey, eventually, startTestServer } from '../../harness/support/server.ts';
import { assertValidHtml } from './valid-html.ts';

const database = await createTestDatabase();
const server = await startTestServer(await database.loginAs('wartable_serve'), {
  siteUrl: 'https://wartable.example/results',
  // This is the last day on which the league in the example is being played.
  now: () => Date.parse('2025-09-07T12:00:00Z'),
  // Several pages are read at once before anything is in memory, also on a machine that is busy.
  patienceMs: 30_000,
});
const validated = new Set<string>();

const emptyPages = await Promise.all(
  ['/', '/tournaments', '/tournaments?status=planned', '/search?q=open'].map((path) => page(path)),
);

await publishFeed(database.pool, [
  ...exampleFeed()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as FeedRecord),
  ...moreRecords(),
]);

test('without a result, the pages say so', () => {
  const [front, all, planned, search] = emptyPages.map(({ text }) => text);
  assert.match(front ?? '', /No events are being played right now\./);
  assert.match(all ?? '', /No events have been published yet\./);
  assert.match(planned ?? '', /No events match these filters\./);
  assert.match(search ?? '', /We found no name that contains “<bdi>open<\/bdi>”\./);
});

test('a battle: the result, where it was played, both sides', async () => {
  const { text } = await page('/battles/ll-1');
  // The record has the winner second.
  assert.match(text, /<h1><bdi>Chidi Eze<\/bdi> beat <bdi>Ana Quiroga<\/bdi><\/h1>/);
  assert.match(text, /<a href="\/results\/tournaments\/lantern-league"><bdi>Lantern League<\/bdi><\/a>/);
  assert.match(text, /<bdi>Group Stage<\/bdi><\/a><span>Round 1<\/span>/);
  assert.match(text, /<\/span>21<span class="less">–18<\/span>/);
  assert.match(text, /The rounds weren’t recorded\./);
  assert.match(text, /No army lists are on record\./);
  assert.match(text, /<link rel="canonical" href="https:\/\/wartable\.example\/results\/battles\/ll-1">/);
});

test('a battle of a bracket has the name of its round', async () => {
  const { text } = await page('/battles/tw25-f');
  assert.match(
    text,
    /<a href="\/results\/tournaments\/tidewatch-open-2025\?stage=knockout"><bdi>Top Cut<\/bdi><\/a><span><bdi>Final<\/bdi><\/span><span>Table 1</,
  );
  // The other side was erased.
  assert.match(text, /<h1><bdi>Ana Quiroga<\/bdi> beat <bdi>Deleted player<\/bdi><\/h1>/);
  assert.match(text, /<span class="clamp gone">Deleted player<\/span>/);
});

test('a battle with rounds: a chart and a table, and the end where the total is not the sum', async () => {
  const { text } = await page('/battles/tw25-1');
  assert.match(text, /<desc id="cd">Ana Quiroga 10, 20, 20; Deleted player 9\.<\/desc>/);
  assert.match(text, />2<\/text><text[^>]*>End<\/text>/);
  assert.match(
    text,
    /<span class="strong">20<\/span> \(\+10\)<span class="sub"><bdi>Steady Ranks<\/bdi>, scored/,
  );
  assert.match(text, /<th scope="row"><span class="clamp"><bdi>Generals slain<\/bdi>/);
  assert.match(text, /<pre class="list" lang="" dir="auto">Beacon Keeper\n10 Wick Guard<\/pre>/);
  assert.match(text, /No list on record\./);
  assert.match((await page('/battles/below-zero')).text, /\(−3\.0\)/);
});

test('a battle that was drawn, that is not over, that was casual, that was archived', async () => {
  assert.match(
    (await page('/battles/tw25-2')).text,
    /<h1><bdi>.*<\/bdi> drew with <bdi>.*<span class="badge">Draw</s,
  );
  const open = (await page('/battles/open')).text;
  assert.match(open, /<h1><bdi>Ana Quiroga<\/bdi> vs <bdi>Chidi Eze<\/bdi><\/h1>/);
  assert.match(open, /<span class="badge">No result yet<.*No rounds have been recorded yet\./s);
  const casual = (await page('/battles/casual-7')).text;
  assert.match(casual, /<p class="by">Casual game<\/p>/);
  assert.match(casual, /href="\/results\/players\/chidi"/);
  const archived = (await page('/battles/archived')).text;
  assert.match(archived, /<bdi>Only Archived<\/bdi> beat/);
  assert.doesNotMatch(archived, /\/players\//);
});

test('a battle that is archived later loses the links to players without a page', async () => {
  const battle = { kind: 'battle', id: 'later', battleSize: 1000, finished: true } as const;
  const sides = [{ player: 'only-later' }, { name: 'Somebody' }];
  await publishFeed(database.pool, [
    { kind: 'player', id: 'only-later', name: 'Only Later' },
    { ...battle, sides },
  ]);
  assert.match((await page('/battles/later')).text, /href="\/results\/players\/only-later"/);
  await publishFeed(database.pool, [{ ...battle, archived: true, sides }]);
  await page('/players/only-later', 404);
  await eventually(async () => assert.doesNotMatch((await page('/battles/later')).text, /\/players\//));
});

test('a battle follows a new name of its tournament', async () => {
  assert.match((await page('/battles/ll-1')).text, /Lantern League/);
  await publishFeed(database.pool, [{ kind: 'tournament', slug: 'lantern-league', name: 'Lamp League' }]);
  await eventually(async () => assert.match((await page('/battles/ll-1')).text, /Lamp League/));
  assert.match((await page('/players/chidi')).text, /Lamp League/);
});

test('a player: the record counts the battles that the API lists, each shown once, newest first', async () => {
  const key = await createTestKey(database);
  const listed: string[] = [];
  const outcomes: string[] = [];
  let path: string | null = '/api/v1/users/ana-q/battles?limit=50';
  while (path !== null) {
    const { json } = await server.get(path, bearer(key.key));
    const list = json as { data: { id: string; players: Side[] }[]; next: string | null };
    listed.push(...list.data.map(({ id }) => id));
    for (const { players } of list.data) {
      outcomes.push(players.find(({ playerId }) => playerId === 'ana-q')?.outcome ?? 'open');
    }
    path = list.next && new URL(list.next).pathname + new URL(list.next).search;
  }
  assert.ok(listed.length > 100);
  const first = await page('/players/ana-q');
  const record = ['win', 'draw', 'loss'].map((each) => outcomes.filter((found) => found === each).length);
  assert.match(first.text, new RegExp(`<dd>${record.join('–')}</dd>`));
  assert.match(first.text, /<h1 data-follow="ana-q"><bdi>Ana Quiroga<\/bdi><\/h1>/);
  assert.match(first.text, /<meta name="robots" content="noindex">/);
  assert.match(first.text, /<dt>Best finish<\/dt><dd>1st <span class="sub">of 3<\/span>/);
  assert.match(first.text, /<b>1st<\/b><span class="sub">of 3<\/span>/);
  assert.match(first.text, /<span>since 2025<\/span>/);
  assert.deepEqual(await pagedLinks('/players/ana-q', 'battles'), listed);
});

test('a player without anything published has no page, though the API answers a list', async () => {
  const key = await createTestKey(database);
  for (const id of ['organiser-of-nothing', 'only-archived', 'bjorn']) {
    await page(`/players/${id}`, 404);
  }
  assert.equal((await server.get('/api/v1/users/organiser-of-nothing/battles', bearer(key.key))).status, 200);
  const organiser = (await page('/players/organiser')).text;
  assert.match(
    organiser,
    /href="\/results\/tournaments\/tidewatch-open-2025"><bdi>Tidewatch Open 2025.*Organiser<\/span><\/span><\/li>/,
  );
  assert.match(organiser, /No games are on record\./);
  assert.match(organiser, /<dt>Events<\/dt><dd>0<\/dd>/);
});

test('a club: about it, its tournaments and battles, each paged', async () => {
  const { text } = await page('/clubs/tidewatch');
  assert.match(text, /Wednesdays, above the chandlery\./);
  assert.match(text, /<a href="https:\/\/tidewatch\.example\/" rel="nofollow noopener">Website<\/a>/);
  assert.match(text, /<bdi>Chidi Eze<\/bdi> beat <bdi>Pascal<\/bdi>/);
  const { rows } = await database.pool.query<{ slug: string }>(
    "select slug from published.tournament where organizer = 'tidewatch' order by start_date desc, slug desc",
  );
  assert.ok(rows.length > 70);
  assert.deepEqual(
    await pagedLinks('/clubs/tidewatch', 'tournaments'),
    rows.map(({ slug }) => slug),
  );
  const empty = (await page('/clubs/empty')).text;
  assert.match(empty, /No events run by this club have been published yet\..*No games are on record\./s);
});

test('a place that no list has is no address', async () => {
  for (const before of [
    'x',
    '2025-02-30.a',
    '2025-01-01.a.b',
    '.a',
    'infinity.a',
    "2025-01-01.a'",
    '2025-01-01.A',
  ]) {
    await page(`/tournaments?before=${before}`, 404);
    await page(`/clubs/tidewatch?tournaments-before=${before}`, 404);
  }
  for (const before of [
    '',
    '2025-01-01.1.1',
    '2025-01-01.1.1.a.b',
    '2025-01-01.99999.1.a',
    '2025-01-01.-1.1.a',
    '2025-01-01.1.1.a%00',
  ]) {
    await page(`/players/ana-q?before=${before}`, before.endsWith('%00') ? 200 : 404);
  }
  assert.match((await page('/tournaments?before=none.a')).text, /There are no more events\./);
});

test('the front page: what runs, what is over, what comes, and how much there is', async () => {
  await database.pool.query('analyze published.battle, published.tournament, published.club');
  // The page is cached for five seconds.
  await eventually(async () => assert.match((await page('/')).text, /<dt>Games<\/dt><dd>about 1\d0</));
  const { text } = await page('/');
  assert.match(
    text,
    /<bdi>Duel<\/bdi><\/a><\/h3>\n<p class="state"><b class="live">Round 2 of 3<\/b><span>no result yet<.*Leader after round 1: <bdi>Ana Quiroga<\/bdi>/s,
  );
  // With groups there is no sole leader.
  assert.match(
    text,
    /<bdi>Lamp League<\/bdi><\/a><\/h3>\n<p class="state"><b class="live">After round 1 of 3<\/b><span>[^<]*<\/span><\/p>\n[^\n]*\n\n<p class="facts"><span>3 players<\/span>/,
  );
  assert.match(text, /Tidewatch Open 2025.*<bdi>Ana Quiroga<\/bdi> won with <bdi>Lanternsworn<\/bdi>/s);
  assert.match(
    text,
    /<bdi>Far Away<\/bdi><\/a><span class="sub clamp">0 signed up · 1,500 points<.*?<time[^>]*>9 May 2099</s,
  );
  // There is no sole winner.
  assert.match(text, /<bdi>Shared<\/bdi><\/a><span class="sub clamp">2 players</);
  assert.match(
    text,
    /Latest change to the events above: <time datetime="20\d\d-\d\d-\d\dT\d\d:\d\dZ">\d+ \w+ 20\d\d, \d\d:\d\d UTC</,
  );
  assert.doesNotMatch(text, /Long Forgotten/);
  assert.match(text, /action="\/results\/search"/);
});

test('the list of tournaments: by status and day, each once', async () => {
  const { rows } = await database.pool.query<{ slug: string; status: string; day: string }>(
    'select slug, status, start_date::text as day from published.tournament order by start_date desc, slug desc',
  );
  const slugs = (these: typeof rows) => these.map(({ slug }) => slug);
  const of = (wanted: string) => rows.filter(({ status }) => status === wanted);
  const finished = of('finished');
  const coming = of('planned').filter(({ day }) => day > '2025');
  const all = [...of('ongoing'), ...coming.toReversed(), ...finished];
  assert.deepEqual(await pagedLinks('/tournaments', 'tournaments'), slugs(all));
  const inWindow = rows.filter(({ day }) => day >= '2024-01-10' && day <= '2099-12-31');
  const window = '/tournaments?from=2024-01-10&to=2099-12-31';
  assert.deepEqual(await pagedLinks(window, 'tournaments'), slugs(inWindow));
  assert.deepEqual(await pagedLinks('/tournaments?status=finished', 'tournaments'), slugs(finished));
  const some = finished.filter(({ day }) => day >= '2024-01-10' && day <= '2024-03-01');
  assert.ok(some.length > 50);
  const address = '/tournaments?status=finished&from=2024-01-10&to=2024-03-01';
  assert.deepEqual(await pagedLinks(address, 'tournaments'), slugs(some));
  assert.match(
    (await page('/tournaments?from=2024-03-01&to=2024-01-10')).text,
    /No events match these filters\./,
  );
  // A position outside the window does not widen it.
  const outside = await pagedLinks(`${address}&before=2024-06-01.a`, 'tournaments');
  assert.deepEqual(outside, slugs(some));
  const ignored = '/tournaments?status=%3Cb%3E&from=yesterday&to=2024-13-01';
  assert.equal((await page(ignored)).text.includes('event-120'), true);
});

test('search: by any word of a name, each thing once, under its kind', async () => {
  const { text } = await page('/search?q=%20%20tideWATCH%20');
  assert.match(text, /<h2 id="tournaments">Events<\/h2>.*<h2 id="clubs">Clubs<\/h2>/s);
  assert.equal(text.split('/clubs/tidewatch"').length, 2);
  assert.match((await page('/search?q=quir')).text, /<a class="name" href="\/results\/players\/ana-q">/);
  // Two of its words begin like this.
  assert.equal((await page('/search?q=echo')).text.split('/tournaments/echo"').length, 2);
  assert.match((await page('/search?q=event')).text, /There may be more\./);
});

test('search: what cannot be looked for gets a sentence', async () => {
  for (const empty of ['/search', '/search?q=', '/search?q=%20']) {
    assert.match((await page(empty)).text, /<p class="empty">Find an event/);
  }
  assert.match((await page('/search?q=o')).text, /at least two letters/);
  assert.match((await page(`/search?q=${'o'.repeat(101)}`)).text, /too long/);
  const hostile = (await page(`/search?q=${encodeURIComponent('zz"><script>')}`)).text;
  assert.match(hostile, /“<bdi>zz&quot;&gt;&lt;script&gt;<\/bdi>”/);
  assert.match(hostile, /value="zz&quot;&gt;&lt;script&gt;"/);
  assert.match(hostile, /<meta name="robots" content="noindex">/);
});

test('no text of the data becomes markup', async () => {
  const paths = [
    '/',
    '/tournaments',
    '/search?q=img',
    '/battles/hostile',
    '/players/hostile',
    '/clubs/hostile',
  ];
  for (const path of paths) {
    const { text } = await page(path);
    assert.match(text, /&lt;script&gt;|&quot;&gt;&lt;/, path);
    assert.doesNotMatch(text, /<script>|<img|<\/title>.*<\/title>\n<meta|javascript:/s, path);
  }
});

test('nothing of an unpublished tournament is on any page', async () => {
  await page('/battles/secret', 404);
  await page('/players/secret', 404);
  for (const path of ['/', '/tournaments', '/search?q=secret', '/players/chidi', '/clubs/tidewatch']) {
    assert.doesNotMatch(
      (await page(path)).text.replaceAll(/q=secret|<bdi>secret<|"secret"|secret · Search/g, ''),
      /secret/i,
    );
  }
});

interface Side {
  playerId: string | null;
  outcome: string | null;
}

/** Returns a page. Every page that a test asks for must be valid HTML. */
async function page(path: string, status = 200): Promise<{ text: string }> {
  const response = await fetch(`${server.siteUrl}${path}`);
  const text = await response.text();
  assert.equal(response.status, status, path);
  if (validated.has(text)) return { text };
  validated.add(text);
  await assertValidHtml(text, path);
  return { text };
}

/** Returns the keys in the links of one kind in the main part, over all pages that follow each other. */
async function pagedLinks(path: string, kind: 'battles' | 'tournaments'): Promise<string[]> {
  const found: string[] = [];
  const parameter =
    kind === 'battles' || path.startsWith('/tournaments') ? '[?;]before' : 'tournaments-before';
  for (let next: string | undefined = path; next !== undefined;) {
    const { text: whole } = await page(next);
    // The record against each opponent also links to battles.
    const text = whole.replace(/<section class="sec" aria-labelledby="opponents">.*?<\/section>/s, '');
    const link = '(?:<a class="name"|<span class="num"><a(?: class="strong")?)';
    const links = text.matchAll(new RegExp(`${link} href="/results/${kind}/([\\w-]+)"`, 'g'));
    found.push(...[...links].map(([, key = '']) => key));
    const older = new RegExp(`<a href="/results([^"]*${parameter}=[^"]*)" rel="next">`).exec(text)?.[1];
    next = older?.replaceAll('&amp;', '&');
  }
  return found;
}

function moreRecords(): FeedRecord[] {
  const evil = `"><img src=x onerror=alert(1)></title></svg></desc><script>alert('x')</script>`;
  const long = `${evil}${'W'.repeat(60)}\u202e`;
  const swiss = { id: 'swiss', label: 'Swiss', type: 'board', rounds: 3 };
  const sides = (first: object, second: object) => [first, second];
  const rounds = (...points: number[]) => points.map((victoryPoints, i) => ({ round: i + 1, victoryPoints }));
  const event = (slug: string, fields: object) => ({
    kind: 'tournament',
    slug,
    published: true,
    name: slug,
    status: 'finished',
    battleSize: 1500,
    stages: [swiss],
    ...fields,
  });
  const casual = (id: string, fields: object) => ({
    kind: 'battle',
    id,
    battleSize: 1000,
    finished: true,
    ...fields,
  });
  const dayOf = (i: number) =>
    new Date(Date.UTC(2024, 0, 1) + Math.floor(i / 2) * 86_400_000).toISOString().slice(0, 10);
  const records: object[] = [
    { kind: 'club', slug: 'empty', name: 'Empty' },
    { kind: 'club', slug: 'hostile', name: long, description: evil, city: evil, country: evil },
    { kind: 'battlePack', name: evil, objectives: true, battleTactics: true, grandStrategies: true },
    { kind: 'player', id: 'hostile', name: long },
    { kind: 'player', id: 'organiser-of-nothing', name: 'Never Seen' },
    { kind: 'player', id: 'only-archived', name: 'Only Archived' },
    { kind: 'player', id: 'secret', name: 'Secret Agent' },
    event('echo', { name: 'Echo of Echoes' }),
    event('shared', {
      name: 'Shared',
      startDate: '2025-07-01',
      participants: [
        { id: 'a', name: 'A', finalPlacement: 1 },
        { id: 'b', name: 'B', finalPlacement: 1 },
      ],
    }),
    event('far', { name: 'Far Away', status: 'planned', startDate: '2099-05-09' }),
    event('forgotten', { name: 'Long Forgotten', status: 'planned', startDate: '2001-05-09' }),
    event('duel', {
      name: 'Duel',
      status: 'ongoing',
      startDate: '2025-09-06',
      participants: [
        { id: 'a', player: 'ana-q', faction: 'Lanternsworn' },
        { id: 'b', player: 'chidi' },
      ],
      battles: [
        {
          id: 'd1',
          stage: 'swiss',
          round: 1,
          finished: true,
          winner: 'a',
          sides: sides({ participant: 'a', battlePoints: 3 }, { participant: 'b' }),
        },
        { id: 'open', stage: 'swiss', round: 2, sides: sides({ participant: 'a' }, { participant: 'b' }) },
      ],
    }),
    event('secret', {
      name: 'Secret',
      published: false,
      organizer: 'tidewatch',
      participants: [
        { id: 'a', player: 'chidi' },
        { id: 'b', player: 'secret' },
      ],
      battles: [
        {
          id: 'secret',
          stage: 'swiss',
          round: 1,
          finished: true,
          sides: sides({ participant: 'a' }, { participant: 'b' }),
        },
      ],
    }),
    event('hostile', {
      name: long,
      status: 'ongoing',
      startDate: '2098-01-01',
      city: evil,
      country: evil,
      description: evil,
      battlePack: evil,
      organizer: 'hostile',
      metrics: [{ name: evil, type: 'number' }],
      stages: [{ ...swiss, label: long }],
      participants: [
        {
          id: 'a',
          player: 'hostile',
          list: { faction: evil, subFaction: evil, points: 1, battleTacticCards: [evil], text: evil },
        },
        { id: 'b', name: long, faction: evil },
      ],
      battles: [
        {
          id: 'hostile',
          stage: 'swiss',
          round: 1,
          scenario: evil,
          finished: true,
          winner: 'a',
          sides: sides(
            {
              participant: 'a',
              subFaction: evil,
              grandStrategy: evil,
              metrics: { [evil]: -999_999.25 },
              rounds: [{ round: 1, victoryPoints: 1, objectives: [evil], battleTactic: evil }],
            },
            { participant: 'b', rounds: rounds(0.25, 999_999) },
          ),
        },
      ],
    }),
    casual('archived', {
      archived: true,
      winner: 'only-archived',
      sides: sides({ player: 'only-archived' }, { name: 'Somebody' }),
    }),
    casual('below-zero', {
      sides: sides(
        { player: 'ana-q', rounds: rounds(-3, 1.5) },
        { player: 'chidi', rounds: rounds(0, 0, 0) },
      ),
    }),
  ];
  for (let i = 0; i < 130; i += 1) {
    const winner = i % 5 === 0 ? undefined : i % 5 === 1 ? 'chidi' : 'ana-q';
    const undated = i % 13 === 0 ? {} : { date: dayOf(i) };
    records.push(
      casual(`casual-1${i}`, {
        ...undated,
        winner,
        finished: i % 7 > 0 || winner !== undefined,
        sides: sides(
          { player: 'chidi', faction: `Faction ${i % 20}` },
          { player: 'ana-q', faction: `Faction ${i % 17}` },
        ),
      }),
    );
    records.push(event(`event-${i}`, { startDate: dayOf(i), ...(i % 20 > 0 && { organizer: 'tidewatch' }) }));
  }
  return records as FeedRecord[];
}
