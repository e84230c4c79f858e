import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Body } from '../http/compress.ts';
import { encodeNotices } from '../../database/published-notice.ts';
import { createNewestRevisions } from './newest-revisions.ts';
import { createPageCache, type KeptPage } from './page-cache.ts';

function pageCache(mostBytes = 100_000) {
  const newestRevisions = createNewestRevisions();
  const clock = { now: 1_000, isListening: true };
  const cache = createPageCache({
    newestRevisions,
    isListening: () => clock.isListening,
    heardAt: () => clock.now,
    mostBytes,
    now: () => clock.now,
  });
  return { cache, clock, newestRevisions };
}

const page: KeptPage = {
  etag: 'W/"a"',
  body: new Body('page'),
  headers: {},
  scopes: [
    { scope: 'tournament:cup', revision: 5n },
    { scope: 'club:lions', revision: 7n },
  ],
  until: Infinity,
};

test('a page is kept until one of the things that it shows has moved', () => {
  const { cache, newestRevisions } = pageCache();
  cache.keep('key', page, cache.beginRead());
  assert.equal(cache.kept('key')?.etag, 'W/"a"');
  newestRevisions.apply(noticeOf('other', 9n));
  assert.notEqual(cache.kept('key'), undefined);
  newestRevisions.apply(noticeOf('lions', 8n));
  assert.equal(cache.kept('key'), undefined);
});

test('a page that was read before a change is not kept after it', () => {
  const { cache, newestRevisions } = pageCache();
  const moment = cache.beginRead();
  newestRevisions.apply(noticeOf('lions', 8n));
  cache.keep('key', page, moment);
  assert.equal(cache.kept('key'), undefined);
  const before = cache.beginRead();
  newestRevisions.restart();
  cache.keep('key', page, before);
  assert.equal(cache.kept('key'), undefined);
});

test('a page ends with its time, and after 5 s while no notices come', () => {
  const { cache, clock } = pageCache();
  cache.keep('short', { ...page, until: 3_000 }, cache.beginRead());
  cache.keep('long', page, cache.beginRead());
  clock.now += 3_000;
  assert.equal(cache.kept('short'), undefined);
  clock.isListening = false;
  assert.notEqual(cache.kept('long'), undefined);
  clock.now += 2_000;
  assert.equal(cache.kept('long'), undefined);
});

test('a large file is kept while it is at most a quarter of the memory', () => {
  const { cache } = pageCache(16_000_000);
  cache.keep('file', { ...page, body: new Body('x'.repeat(3_900_000)) }, cache.beginRead());
  assert.notEqual(cache.kept('file'), undefined);
  cache.keep('larger', { ...page, body: new Body('x'.repeat(4_000_000)) }, cache.beginRead());
  assert.equal(cache.kept('larger'), undefined);
});

function noticeOf(club: string, revision: bigint): string {
  const [notice] = encodeNotices({ club: new Map([[club, revision]]) });
  return notice ?? '';
}
