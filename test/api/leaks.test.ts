import assert from 'node:assert/strict';
import { test } from 'node:test';
import { publishBacklog } from '../../src/publish/publisher.ts';
import type { FeedRecord } from '../../src/record/feed/records.ts';
import { setPublished } from '../../src/record/write/set-published.ts';
import { createTestDatabase, type TestDatabase } from '../../harness/support/database.ts';
import {
  battlesOf,
  clubSlugs,
  hiddenTournament,
  onlyPlayer,
  openFeed,
  openSlugs,
  playersOf,
} from './hidden-tournaments.ts';
import { publishFeed } from '../../harness/support/publish-feed.ts';
import { exchange, type RawAnswer } from '../../harness/support/raw-socket.ts';
import { createTestKey, startTestServer } from '../../harness/support/server.ts';

// A tournament that is not published must look like one that never existed: on every endpoint that could show
// it, for GET and HEAD, with old cursors and old tags, in every byte. Three were shown once; two were not.
const startedAt = Date.now();
const shownOnce = ['taken-back', 'unpublished', 'removed'];
const hidden = [...shownOnce, 'never-shown', 'not-yet'];
const never = 'never-was';
const publicUrl = 'https://api.wartable.example';

// The same season twice, the second time without a trace of them.
const database = await createTestDatabase();
const without = await createTestDatabase();
const send = await senderTo(database);
const sendWithout = await senderTo(without);
const open = openFeed(hidden);
await publishFeed(without.pool, open);
await publishFeed(database.pool, [
  ...open,
  ...hidden.map((slug, i) => hiddenTournament(slug, i, shownOnce.includes(slug))),
]);

/** The paths under /tournaments/{slug}. */
const paths = [
  '',
  '/standings',
  '/standings?stage=swiss',
  '/standings?stage=knockout',
  '/standings?stage=xyz',
  '/participants',
  '/participants?limit=1',
  '/battles',
  '/battles?limit=1',
];
/** Returns every answer about one of them. */
const answersOf = (slug: string): string[] => [
  ...paths.map((path) => `/tournaments/${slug}${path}`),
  ...battlesOf(slug).map((id) => `/battles/${id}`),
];

const windows = ['', 'from=2025-06-01&to=2025-06-30', 'from=2025-06-20', 'to=2025-06-14'];
const lists = [
  '/tournaments',
  ...clubSlugs.flatMap((slug) => [`/clubs/${slug}/tournaments`, `/clubs/${slug}/battles`]),
  ...playersOf(hidden).map((id) => `/users/${id}/battles`),
].flatMap((list) => windows.map((window) => `${list}?${window}`));
for (const status of ['planned', 'ongoing', 'finished']) lists.push(`/tournaments?status=${status}`);
/** Every answer in which a hidden tournament might appear, and related ones. */
const others = [
  ...lists,
  ...clubSlugs.map((slug) => `/clubs/${slug}`),
  ...openSlugs.flatMap(answersOf),
  ...[0, 1, 2].map((i) => `/battles/casual-${i}`),
];

// The tags and cursors that callers have kept from before.
const oldTags = new Map<string, string>();
const oldCursors = new Map<string, string>();
for (const target of shownOnce.flatMap(answersOf)) {
  const { status, text, header } = await send('GET', target);
  assert.equal(status, statusOf(target), target);
  oldTags.set(target, header('etag') ?? '"x"');
  const cursor = /[?&]cursor=([\w-]+)/.exec(text)?.[1];
  if (cursor !== undefined) oldCursors.set(target, cursor);
}
const oldWalks = new Map<string, Page[]>();
for (const list of lists) oldWalks.set(list, await walk(list));

await publishFeed(database.pool, [
  { kind: 'tournament', slug: 'taken-back', published: false },
  { kind: 'remove', of: 'tournament', id: 'removed' },
]);
await setPublished(database.pool, 'unpublished', false);
await publishBacklog(database.pool);

for (const method of ['GET', 'HEAD']) {
  for (const slug of hidden) {
    test(`${method}: every answer about ${slug} is the one about a tournament that never was`, async () => {
      for (const [target, ofNever] of pairs(slug)) await same(method, target, ofNever);
    });

    test(`${method}: the tags of ${slug} change nothing`, async () => {
      for (const [target, ofNever] of pairs(slug)) {
        for (const tag of [oldTags.get(target) ?? '"x"', '*'])
          await same(method, target, ofNever, `If-None-Match: ${tag}`);
      }
    });

    test(`${method}: what is wrong with a request about ${slug} is said as always`, async () => {
      for (const list of ['participants', 'battles']) {
        for (const query of ['limit=0', 'limit=101', 'limit=1&limit=1', 'from=x', 'cursor=x', 'cursor=']) {
          await same(
            method,
            `/tournaments/${slug}/${list}?${query}`,
            `/tournaments/${never}/${list}?${query}`,
          );
        }
      }
    });
  }

  test(`${method}: old cursors of their own lists find nothing`, async () => {
    assert.equal(oldCursors.size, 2 * shownOnce.length);
    for (const [target, cursor] of oldCursors) {
      const list = target.replace(/\?.*/, '');
      const ofNever = `/tournaments/${never}/${list.split('/').at(-1)}`;
      for (const headers of [[], [`If-None-Match: ${oldTags.get(target)}`], ['If-None-Match: *']])
        await same(method, `${list}?limit=1&cursor=${cursor}`, ofNever, ...headers);
    }
  });
}

test('everything else is, byte for byte, what it is where they were never recorded', () => sameAsWithout());

test('cursors that point at one of their rows lead on, past it', async () => {
  let followed = 0;
  for (const [list, pages] of oldWalks) {
    const { data } = JSON.parse((await sendWithout('GET', `${list}&limit=100`)).text) as Body;
    for (const [index, { id, next }] of pages.entries()) {
      if (next === null || !isHidden(id)) continue;
      const after = pages.slice(index + 1).filter((page) => !isHidden(page.id)).length;
      const answer = await send('GET', next.replace('limit=1&', 'limit=100&'));
      assert.equal(answer.status, 200);
      assert.deepEqual(JSON.parse(answer.text), { data: data.slice(data.length - after), next: null });
      followed += 1;
    }
  }
  assert.ok(followed > 50, `${followed} cursors`);
});

test('tags of lists that showed one of them are of no use any more', async () => {
  let moved = 0;
  for (const [list, pages] of oldWalks) {
    if (!pages.some(({ id }) => isHidden(id))) continue;
    const { status, text } = await send('GET', `${list}&limit=1`, `If-None-Match: ${pages[0]?.tag}`);
    assert.equal(status, 200, list);
    assert.equal(text, (await sendWithout('GET', `${list}&limit=1`)).text);
    moved += 1;
  }
  assert.ok(moved > 10, `${moved} lists`);
});

test('what changes in a hidden tournament moves no tag of anything', async () => {
  const tags = await tagsOf(others);
  const changes = changesIn(hidden.filter((slug) => slug !== 'removed'));
  for (const records of [...changes, [{ kind: 'remove', of: 'tournament', id: 'taken-back' } as const]]) {
    await publishFeed(database.pool, records);
    assert.deepEqual(await tagsOf(others), tags, JSON.stringify(records));
  }
  await sameAsWithout();
});

test('once one is published, the same names show it', async () => {
  const tags = await tagsOf(others);
  await publishFeed(database.pool, [{ kind: 'tournament', slug: 'not-yet', published: true }]);
  for (const target of answersOf('not-yet'))
    assert.equal((await send('GET', target)).status, statusOf(target));
  assert.match((await send('GET', '/tournaments/not-yet')).text, /"name":"Another Name"/);
  const moved = (await tagsOf(others)).filter((tag, i) => tag !== tags[i]).length;
  assert.ok(moved > 10, `${moved} tags`);
  for (const list of ['/tournaments?', '/clubs/lantern-hall/tournaments?', '/users/only-not-yet/battles?']) {
    const rows = await walk(list);
    assert.ok(rows.some(({ id }) => isHidden(id)));
  }
});

/** Returns the status for something that exists, apart from a stage that a tournament does not have. */
function statusOf(target: string): number {
  return target.endsWith('=xyz') ? 404 : 200;
}

/** Pairs each answer about the tournament with the same answer about one that never existed. */
function pairs(slug: string): [string, string][] {
  const ofNever = answersOf(never);
  return answersOf(slug).map((target, i) => [target, ofNever[i] ?? '']);
}

async function same(method: string, target: string, ofNever: string, ...headers: string[]): Promise<void> {
  const [one, other] = [await send(method, target, ...headers), await send(method, ofNever, ...headers)];
  assert.ok([400, 404].includes(one.status), `${method} ${target} → ${one.status}`);
  assert.equal(one.comparable, other.comparable, `${method} ${target}`);
}

/**
 * Asserts that both servers give the same answers, page by page. Only tags may differ, because revisions come
 * from the clock.
 */
async function sameAsWithout(): Promise<void> {
  const untagged = ({ comparable }: RawAnswer) => comparable.replace(/^etag: .*$/im, 'etag');
  for (const target of others) {
    for (const method of ['GET', 'HEAD']) {
      const [one, other] = [await send(method, target), await sendWithout(method, target)];
      assert.equal(one.status, statusOf(target), target);
      assert.equal(untagged(one), untagged(other), `${method} ${target}`);
    }
  }
  for (const list of lists) {
    for (let next: string | null = `${list}&limit=1`; next !== null;) {
      const [one, other]: RawAnswer[] = [await send('GET', next), await sendWithout('GET', next)];
      assert.equal(one && untagged(one), other && untagged(other), next);
      next = nextOf(one?.text ?? '');
    }
  }
}

interface Body {
  data: { slug?: string; id?: string }[];
  next: string | null;
}

interface Page {
  id: string;
  tag: string | undefined;
  next: string | null;
}

/** Reads a list with its query, row by row. */
async function walk(list: string): Promise<Page[]> {
  const pages: Page[] = [];
  for (let target: string | null = `${list}&limit=1`; target !== null;) {
    const { status, text, header }: RawAnswer = await send('GET', target);
    assert.equal(status, 200, target);
    const { data } = JSON.parse(text) as Body;
    const next = nextOf(text);
    for (const { slug, id } of data) pages.push({ id: slug ?? id ?? '', tag: header('etag'), next });
    target = next;
  }
  return pages;
}

function nextOf(text: string): string | null {
  return (JSON.parse(text) as Body).next?.replace(`${publicUrl}/api/v1`, '') ?? null;
}

async function tagsOf(targets: string[]): Promise<(string | undefined)[]> {
  const tags: (string | undefined)[] = [];
  for (const target of targets) tags.push((await send('GET', target)).header('etag'));
  return tags;
}

function isHidden(id: string): boolean {
  return hidden.some((slug) => id.startsWith(slug));
}

/** Returns changes, one kind after the other, each in all of them. */
function changesIn(slugs: string[]): FeedRecord[][] {
  const sides = [{ participant: 'c' }, { participant: 'd' }];
  const result = { stage: 'swiss', round: 2, date: '2025-06-21', finished: true, winner: 'd', sides };
  const changes: ((slug: string) => FeedRecord)[] = [
    (slug) => ({ kind: 'battle', tournament: slug, id: battlesOf(slug)[1] ?? '', ...result }),
    (slug) => ({
      kind: 'tournament',
      slug,
      name: 'Another Name',
      status: 'finished',
      startDate: '2025-06-15',
    }),
    (slug) => ({ kind: 'tournament', slug, organizer: 'lantern-hall' }),
    (slug) => ({ kind: 'participant', tournament: slug, id: 'e', name: 'One more' }),
    (slug) => ({ kind: 'player', id: onlyPlayer(slug), name: 'Renamed' }),
    () => ({ kind: 'battlePack', name: 'Secret Almanac', battleTactics: true }),
  ];
  return changes.map((change) => slugs.map(change));
}

type Send = (method: string, target: string, ...headers: string[]) => Promise<RawAnswer>;

async function senderTo(served: TestDatabase): Promise<Send> {
  const server = await startTestServer(await served.loginAs('wartable_serve'), {
    apiUrl: publicUrl,
    // An epoch of cursors may end during the test, and tags would change with it.
    now: () => startedAt,
  });
  const { key } = await createTestKey(served);
  return (method, target, ...headers) => {
    const lines = [
      `${method} /api/v1${target} HTTP/1.1`,
      'Host: test',
      `Authorization: Bearer ${key}`,
      ...headers,
    ];
    return exchange(server.apiUrl, `${lines.join('\r\n')}\r\n\r\n`);
  };
}
