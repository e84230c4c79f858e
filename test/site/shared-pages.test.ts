import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'node:test';
import { connect } from 'node:net';
import { once } from 'node:events';
import { errors } from '../../src/contract/errors.ts';
import { createListener, type ListenerParts } from '../../src/http/listener.ts';
import { createAdmission } from '../../src/read/admission.ts';
import { createAnswerCache } from '../../src/read/answer-cache.ts';
import { Asker } from '../../src/http/asker.ts';
import { createNewestRevisions } from '../../src/read/newest-revisions.ts';
import type { Reader } from '../../src/read/reader.ts';
import { createUnreadBytes } from '../../src/http/unread-bytes.ts';
import { createPauseWatch } from '../../src/http/pauses.ts';
import { siteOwner } from '../../src/read/owners.ts';
import { urlOf } from '../../src/serve/listeners.ts';
import type { PageRoute } from '../../src/site/page.ts';
import { pageRouteOf, type PageServerParts, SiteCall } from '../../src/site/page-server.ts';
import { eventually } from '../../harness/support/eventually.ts';
import { atEnd } from '../../harness/support/at-end.ts';

const newestRevisions = createNewestRevisions();
const admission = createAdmission({
  slots: 1,
  maxOf: () => 1,
  hasRoom: () => true,
  longestWaitMs: 2_000,
  onWaited: () => {},
});
const answers = createAnswerCache({
  newestRevisions,
  isListening: () => true,
  lastNoticeAt: () => performance.now(),
  maxBytes: 100_000,
});
const nothing = { rows: [], shown: [], isKeepable: true };
const parts: PageServerParts & ListenerParts = {
  reader: {
    read: ({ asker, statement }: { asker: Asker; statement: { name: string } }) =>
      statement.name === 'battle' ? read() : admission.pass(asker, async () => nothing),
  } as unknown as Reader,
  answers,
  unread: createUnreadBytes({ maxBytes: 64e6, onFreed: () => {} }),
  pauses: createPauseWatch(),
  countAnswer: () => {},
  connections: { limit: () => {}, admits: () => true },
  isDraining: () => false,
};
let made = 0;
let reads = 0;
let isKeepable = true;
/** Each read of the battle waits here. */
const slowReads: PromiseWithResolvers<bigint>[] = [];
const address = await serve(parts, [
  {
    path: '/page',
    query: [],
    scope: () => 'tournaments',
    make: async (asked) => {
      await asked.read({ name: 'a', text: 'a' }, []);
      return { text: `made ${(made += 1)} times` };
    },
  },
  {
    path: '/battle',
    query: [],
    scope: () => 'battle:b',
    make: async (asked) => {
      const [row] = await asked.read({ name: 'battle', text: '' }, []);
      return { text: `of club ${row?.revision}` };
    },
  },
]);

async function serve(given: typeof parts, pages: PageRoute[]): Promise<string> {
  const front = createListener(
    {
      undecodable: errors.endpointNotFound,
      open: (message, response) => new SiteCall(message, response, siteOwner),
      admitsNow: () => true,
      everyAnswer: () => ({}),
      refusal: () => ({ status: 503, headers: {} }),
    },
    pages.map((page) => pageRouteOf(page.path, () => page, given)),
    given,
  );
  await once(front.listen(0, '127.0.0.1'), 'listening');
  atEnd(async () => {
    front.close();
    front.closeAllConnections();
  });
  return urlOf(front);
}

test('who goes away while a page waits for its place does not take it from the others', async () => {
  let leave = () => {};
  const inside = admission.pass(new Asker('a'), () => new Promise<void>((done) => (leave = done)));
  const impatient = new AbortController();
  const first = fetch(`${address}/page`, { signal: impatient.signal }).catch(() => undefined);
  await until(() => admission.waiting() === 1);
  const second = fetch(`${address}/page`);
  await sleep(50);
  impatient.abort();
  await first;
  await sleep(50);
  leave();
  await inside;
  assert.equal(await (await second).text(), 'made 1 times');
});

test('when all have gone away, the page gives up its place in the queue', async () => {
  // Nothing that was made before may be used again.
  newestRevisions.restart();
  let leave = () => {};
  const inside = admission.pass(new Asker('a'), () => new Promise<void>((done) => (leave = done)));
  const impatient = new AbortController();
  const asked = [1, 2].map(() =>
    fetch(`${address}/page`, { signal: impatient.signal }).catch(() => undefined),
  );
  await until(() => admission.waiting() === 1);
  await sleep(50);
  impatient.abort();
  await Promise.all(asked);
  await until(() => admission.waiting() === 0);
  leave();
  await inside;
  assert.equal(made, 1);
});

test('who asks after a notice about anything that the page shows gets nothing that was read before it', async () => {
  const before = fetch(`${address}/battle`);
  await until(() => reads === 1);
  newestRevisions.apply('{"moved":{"club":{"lions":"8"}}}');
  const after = fetch(`${address}/battle`);
  await until(() => reads === 2);
  slowReads[0]?.resolve(7n);
  assert.equal(await (await before).text(), 'of club 7');
  slowReads[1]?.resolve(8n);
  assert.equal(await (await after).text(), 'of club 8');
  assert.equal(await (await fetch(`${address}/battle`)).text(), 'of club 8', 'only what is new is kept');
});

test('a crowd makes one read, and one more after each notice', async () => {
  newestRevisions.restart();
  const first = reads;
  const asked: Promise<Response>[] = [];
  for (let notices = 0; notices < 4; notices += 1) {
    for (let i = 0; i < 25; i += 1) asked.push(fetch(`${address}/battle`));
    await until(() => reads === first + notices + 1);
    await sleep(50);
    newestRevisions.apply(`{"moved":{"player":{"p":"${notices + 1}"}}}`);
  }
  for (const slow of slowReads) slow.resolve(9n);
  const texts = await Promise.all(asked.map(async (answer) => (await answer).text()));
  assert.deepEqual(new Set(texts), new Set(['of club 9']));
  assert.equal(reads, first + 4);
});

test('an old copy that was all that was to be had is sent, and not kept', async () => {
  newestRevisions.restart();
  isKeepable = false;
  for (let i = 0; i < 2; i += 1) {
    const before = reads;
    const asked = fetch(`${address}/battle`);
    await until(() => reads === before + 1);
    slowReads.at(-1)?.resolve(9n);
    assert.equal(await (await asked).text(), 'of club 9');
  }
});

/** Reads a page that is about a battle and also shows a club. */
async function read() {
  reads += 1;
  const slow = Promise.withResolvers<bigint>();
  slowReads.push(slow);
  const revision = await slow.promise;
  return {
    rows: [{ revision: String(revision) }],
    shown: [
      { scope: 'battle:b', revision: 1n },
      { scope: 'club:lions', revision },
    ],
    isKeepable,
  };
}

async function until(isSo: () => boolean): Promise<void> {
  const giveUpAt = performance.now() + 120_000;
  while (!isSo()) {
    assert.ok(performance.now() < giveUpAt);
    await sleep(5);
  }
}

test('pages that are not read are bounded together, and small ones still go out', async () => {
  const text = 'x'.repeat(8_000_000);
  const unread = createUnreadBytes({ maxBytes: 40e6, onFreed: () => {} });
  const bounded = { ...parts, unread, pauses: createPauseWatch(60_000) };
  const page = (path: string, content: string) => ({
    path,
    query: [],
    scope: () => 'tournaments' as const,
    make: async () => ({ text: content }),
  });
  const pages = [page('/a', text), page('/b', `${text}b`), page('/c', `${text}c`), page('/small', 'small')];
  const url = new URL(await serve(bounded, pages));
  const sockets = ['/a', '/b'].map((path) => {
    const socket = connect(Number(url.port), url.hostname).pause();
    socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
    return socket;
  });
  await eventually(() => assert.ok(unread.used() > 16_000_000));
  const plain = { headers: { 'accept-encoding': 'identity' } };
  assert.equal((await fetch(`${url.href}c`, plain)).status, 503);
  assert.equal((await fetch(`${url.href}small`)).status, 200);
  for (const socket of sockets) socket.destroy();
  await eventually(() => assert.equal(unread.used(), 0));
  assert.equal((await fetch(`${url.href}c`, plain)).status, 200);
});
