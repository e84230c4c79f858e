import assert from 'node:assert/strict';
import { test } from 'node:test';
import { publishBacklog } from '../../src/publish/publisher.ts';
import { setPublished } from '../../src/record/write/set-published.ts';
import { createTestDatabase, type TestDatabase } from '../../harness/support/database.ts';
import { publishFeed } from '../../harness/support/publish-feed.ts';
import { bearer, createTestKey, eventually, startTestServer } from '../../harness/support/server.ts';
import { battlesOf, hiddenTournament, openFeed, openSlugs } from './hidden-tournaments.ts';

// Tests what `/api/extra/v1` must not reveal: a tournament that is not published, and the name of a person
// who was erased.
const shownOnce = ['taken-back', 'unpublished', 'removed'];
const drafts = ['never-shown', 'not-yet'];
const hidden = [...shownOnce, ...drafts];
const name = 'Zebulon Quirk';

// The same season twice, the second time without a trace of them.
const database = await createTestDatabase();
const without = await createTestDatabase();
const ask = await askerOf(database);
const askWithout = await askerOf(without);
const open = openFeed(hidden);
const person = { kind: 'player', id: 'ana', name } as const;
await publishFeed(without.pool, [...open, person]);
await publishFeed(database.pool, [
  ...open,
  person,
  ...hidden.map((slug, i) => hiddenTournament(slug, i, shownOnce.includes(slug))),
]);
await publishFeed(database.pool, [
  { kind: 'tournament', slug: 'taken-back', published: false },
  { kind: 'remove', of: 'tournament', id: 'removed' },
]);
await setPublished(database.pool, 'unpublished', false);
await publishBacklog(database.pool);

interface Entry {
  kind: string;
  key: string;
  change: string;
  tournament: string | null;
}

test('search finds the same, byte for byte, as where they were never recorded', async () => {
  for (const word of ['tournament', 'player', 'open', 'quirk', 'secret', 'almanac', ...hidden]) {
    for (const kind of ['', '&kind=tournament', '&kind=club', '&kind=player']) {
      const target = `/search?q=${word}${kind}`;
      const [one, other] = [await ask(target), await askWithout(target)];
      assert.equal(one.status, 200, target);
      assert.equal(one.text.replaceAll(/"url":"[^"]*"/g, ''), other.text.replaceAll(/"url":"[^"]*"/g, ''));
    }
  }
});

test('a player has the same tournaments as where they were never recorded', async () => {
  for (const player of ['ana', 'bjorn', 'chidi']) {
    const target = `/players/${player}/tournaments`;
    const [one, other] = [await ask(target), await askWithout(target)];
    assert.equal(one.status, 200, target);
    assert.equal(one.text, other.text);
    assert.match(one.text, /"open-1"/);
  }
});

test('changes never name a draft, and of what was shown once they say only that it is gone', async () => {
  const entries = await allChanges();
  const isOf = (slugs: string[]) => (entry: Entry) =>
    slugs.some(
      (slug) => entry.key === slug || entry.tournament === slug || battlesOf(slug).includes(entry.key),
    );
  assert.deepEqual(entries.filter(isOf(drafts)), []);
  const gone = entries.filter(isOf(shownOnce));
  assert.equal(gone.length, shownOnce.length * 4);
  assert.deepEqual(new Set(gone.map(({ change }) => change)), new Set(['gone']));
});

test('what changes in a hidden tournament is no change, and moves no tag', async () => {
  const before = await newest();
  for (const slug of hidden.filter((each) => each !== 'removed')) {
    const sides = [{ participant: 'c' }, { participant: 'd' }];
    const battle = { id: battlesOf(slug)[1] ?? '', stage: 'swiss', round: 2, finished: true, sides };
    await publishFeed(database.pool, [
      { kind: 'tournament', slug, name: 'Another Name' },
      { kind: 'battle', tournament: slug, ...battle },
      { kind: 'participant', tournament: slug, id: 'e', name: 'One more' },
    ]);
  }
  await publishFeed(database.pool, [{ kind: 'remove', of: 'tournament', id: 'never-shown' }]);
  assert.deepEqual(await newest(), before);
});

test('an erased name is found no more, and all that showed it has changed', async () => {
  const { after } = await newest();
  const target = '/search?q=zebulon+quirk';
  const found = await ask(target);
  assert.match(found.text, /"name":"Zebulon Quirk"/);
  await publishFeed(database.pool, [{ kind: 'player', id: 'ana', erased: true }]);
  await eventually(async () => {
    const answer = await ask(target, { 'if-none-match': found.headers.get('etag') ?? '' });
    assert.equal(answer.text, '{"data":[],"next":null}');
    const { text } = await ask(`/changes?limit=100&after=${after}`);
    const { data } = JSON.parse(text) as { data: Entry[] };
    const changed = new Set(data.map(({ kind, key, change }) => `${change} ${kind} ${key}`));
    for (const slug of openSlugs) assert.ok(changed.has(`changed tournament ${slug}`), slug);
    for (const number of [0, 1, 2]) assert.ok(changed.has(`changed battle casual-${number}`));
  });
  assert.doesNotMatch(JSON.stringify(await allChanges()), /zebulon|quirk|"ana"/i);
});

async function newest(): Promise<{ after: string; tag: string | null }> {
  const { text, headers } = await ask('/changes');
  return { after: (JSON.parse(text) as { after: string }).after, tag: headers.get('etag') };
}

/** Returns all changes from the first one on. */
async function allChanges(): Promise<Entry[]> {
  const entries: Entry[] = [];
  const [epoch] = (await newest()).after.split('.');
  for (let query: string | null = `?limit=7&after=${epoch}.0`; query !== null;) {
    const { status, text } = await ask(`/changes${query}`);
    assert.equal(status, 200, text);
    const { data, next } = JSON.parse(text) as { data: Entry[]; next: string | null };
    entries.push(...data);
    query = next === null ? null : new URL(next).search;
  }
  return entries;
}

async function askerOf(served: TestDatabase) {
  const server = await startTestServer(await served.loginAs('wartable_serve'), {
    apiUrl: 'https://api.wartable.example',
  });
  const { key } = await createTestKey(served);
  return (target: string, headers: Record<string, string> = {}) =>
    server.get(`/api/extra/v1${target}`, { ...bearer(key), ...headers });
}
