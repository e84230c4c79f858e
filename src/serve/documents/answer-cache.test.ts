import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { etagOf } from '../http/etag.ts';
import { createAnswerCache, keyOf, type ReadAnswer } from './answer-cache.ts';
import { createNewestRevisions } from './newest-revisions.ts';

// A source whose revision the test moves, a listener that it cuts, and a clock that it turns.
function stage({ mostBytes = 1_000_000 } = {}) {
  const newestRevisions = createNewestRevisions(100);
  const source = {
    revision: 1n,
    isKeepable: true,
    reads: 0,
    bytes: 10,
    atLeast: [] as (bigint | undefined)[],
  };
  const world = {
    listening: true,
    heardAt: Infinity,
    now: 0,
    reading: undefined as Promise<void> | undefined,
  };
  const cache = createAnswerCache({
    newestRevisions,
    isListening: () => world.listening,
    heardAt: () => world.heardAt,
    mostBytes,
    now: () => world.now,
  });
  const identity = ['/api/v1/clubs/a'];
  const scope = 'club:a' as const;
  const ask = async ({
    ifNoneMatch,
    signal = new AbortController().signal,
  }: { ifNoneMatch?: string; signal?: AbortSignal } = {}) => {
    const { etag, body } = await cache.answer({
      identity,
      scope,
      ifNoneMatch,
      signal,
      read: async ({ held, atLeast }): Promise<ReadAnswer> => {
        source.reads += 1;
        source.atLeast.push(atLeast);
        const revision = String(source.revision);
        const { isKeepable, bytes } = source;
        await world.reading;
        const isHeld = held === null || held.includes(revision);
        return { revision, content: isHeld ? undefined : `${revision}:${'x'.repeat(bytes)}`, isKeepable };
      },
    });
    assert.match(etag, /^W\/"\d+\./);
    return { revision: BigInt(/\d+/.exec(etag)?.[0] ?? ''), body: body?.plain.bytes.toString() };
  };
  const notice = (revision: bigint) => newestRevisions.apply(`{"moved":{"club":{"a":"${revision}"}}}`);
  return { ask, cache, identity, newestRevisions, notice, source, world };
}

const tagOf = (revision: bigint) => etagOf(['/api/v1/clubs/a'], String(revision));

test('an answer is read once and then comes from memory', async () => {
  const { ask, source } = stage();
  for (let i = 0; i < 5; i += 1) assert.equal((await ask()).revision, 1n);
  assert.equal(source.reads, 1);
});

test('a caller who holds the answer is told so from memory; another tag gets the body', async () => {
  const { ask, source } = stage();
  await ask();
  assert.equal((await ask({ ifNoneMatch: tagOf(1n) })).body, undefined);
  assert.equal((await ask({ ifNoneMatch: '*' })).body, undefined);
  assert.notEqual((await ask({ ifNoneMatch: tagOf(2n) })).body, undefined);
  assert.equal(source.reads, 1);
});

test('an answer known without its body answers those who hold it, and is read for the others', async () => {
  const { ask, source } = stage();
  assert.equal((await ask({ ifNoneMatch: tagOf(1n) })).body, undefined);
  assert.equal((await ask({ ifNoneMatch: tagOf(1n) })).body, undefined);
  assert.equal(source.reads, 1);
  assert.notEqual((await ask()).body, undefined);
  assert.equal(source.reads, 2);
});

test('a notice of a newer revision ends an entry; one of an older or the same revision does not', async () => {
  const { ask, notice, source } = stage();
  source.revision = 5n;
  await ask();
  notice(4n);
  notice(5n);
  assert.equal((await ask()).revision, 5n);
  assert.equal(source.reads, 1);
  source.revision = 6n;
  notice(6n);
  assert.equal((await ask()).revision, 6n);
  assert.equal(source.reads, 2);
});

test('a notice that comes before its read began, or while it runs, is not lost', async () => {
  const { ask, notice, source, world } = stage();
  const { promise, resolve } = Promise.withResolvers<void>();
  world.reading = promise;
  const first = ask();
  notice(2n);
  resolve();
  await first;
  source.revision = 2n;
  assert.equal((await ask()).revision, 2n);
  assert.equal(source.reads, 2);
});

test('many callers of one cold answer cause one read', async () => {
  const { ask, source } = stage({ mostBytes: 0 });
  await Promise.all(Array.from({ length: 1_000 }, () => ask()));
  assert.equal(source.reads, 1);
});

test('a caller who comes after a notice does not join a read that began before it', async () => {
  const { ask, notice, source, world } = stage();
  const { promise, resolve } = Promise.withResolvers<void>();
  world.reading = promise;
  const early = ask();
  source.revision = 2n;
  notice(2n);
  const late = ask();
  resolve();
  await early;
  assert.equal((await late).revision, 2n);
  assert.equal(source.reads, 2);
});

test('the name of a read, by which its bytes count, is another one after a notice', async () => {
  const { cache, identity, notice, newestRevisions } = stage();
  const names = new Set<string>();
  const ask = () =>
    cache.answer({
      identity,
      scope: 'club:a',
      ifNoneMatch: undefined,
      signal: new AbortController().signal,
      beforeRead: async (name) => void names.add(name),
      read: async () => ({ revision: '1', content: 'x', isKeepable: false }),
    });
  await Promise.all([ask(), ask()]);
  assert.equal(names.size, 1);
  notice(2n);
  await ask();
  newestRevisions.restart();
  await ask();
  assert.equal(names.size, 3);
  notice(2n);
  await ask();
  notice(1n);
  await ask();
  assert.equal(names.size, 5, 'a notice of an older revision');
});

test('a read that goes on after its callers left has a name of its own until it ends', async () => {
  const { cache, identity } = stage();
  const names: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const ask = (signal: AbortSignal) =>
    cache.answer({
      identity,
      scope: 'club:a',
      ifNoneMatch: undefined,
      signal,
      beforeRead: async (name) => void names.push(name),
      read: async () => {
        await promise;
        return { revision: '1', content: 'x', isKeepable: false };
      },
    });
  const leaving = async () => {
    const caller = new AbortController();
    const asked = ask(caller.signal);
    await Promise.resolve();
    await Promise.resolve();
    caller.abort();
    return asked;
  };
  const all = [leaving()];
  await new Promise(setImmediate);
  all.push(leaving());
  await new Promise(setImmediate);
  all.push(ask(new AbortController().signal), ask(new AbortController().signal));
  await new Promise(setImmediate);
  assert.equal(names.length, 4);
  assert.equal(new Set(names).size, 3);
  resolve();
  await Promise.all(all);
  await ask(new AbortController().signal);
  assert.equal(names.at(-1), names[0], 'none goes on');
});

test('a slow read never sends less than a quicker one has sent', async () => {
  const { ask, notice, source, world } = stage();
  const { promise, resolve } = Promise.withResolvers<void>();
  world.reading = promise;
  const slow = ask();
  world.reading = undefined;
  source.revision = 2n;
  notice(2n);
  assert.equal((await ask()).revision, 2n);
  resolve();
  assert.equal((await slow).revision, 2n);
  assert.equal((await ask()).revision, 2n);
});

test('a slow read never sends less than a 304 has said', async () => {
  const { ask, notice, source, world } = stage();
  const { promise, resolve } = Promise.withResolvers<void>();
  world.reading = promise;
  const slow = ask();
  world.reading = undefined;
  source.revision = 2n;
  notice(2n);
  assert.equal((await ask({ ifNoneMatch: tagOf(2n) })).revision, 2n);
  resolve();
  assert.equal((await slow).revision, 2n);
  assert.deepEqual(source.atLeast, [undefined, undefined, 2n]);
});

test('the reader is told the revision that was already sent', async () => {
  const { ask, source } = stage();
  source.revision = 7n;
  await ask({ ifNoneMatch: tagOf(7n) });
  await ask();
  assert.deepEqual(source.atLeast, [undefined, 7n]);
});

test('everything moved, an overflow of notices, and a new LISTEN end all entries, and reads under way are not kept', async () => {
  for (const end of ['everything', 'overflow', 'listen'] as const) {
    const { ask, newestRevisions, source, world } = stage();
    await ask();
    const { promise, resolve } = Promise.withResolvers<void>();
    const endAll = () => {
      if (end === 'listen') newestRevisions.restart();
      else if (end === 'everything') newestRevisions.apply('{"everything":true}');
      else for (let i = 0; i < 102; i += 1) newestRevisions.apply(`{"moved":{"club":{"b${i}":"1"}}}`);
    };
    endAll();
    world.reading = promise;
    const underWay = ask();
    endAll();
    resolve();
    await underWay;
    world.reading = undefined;
    await ask();
    assert.equal(source.reads, 3, end);
  }
});

test('while no notices are heard, an answer is kept for less than 5 s', async () => {
  const { ask, source, world } = stage();
  await ask();
  world.now = 60_000;
  await ask();
  assert.equal(source.reads, 1);
  world.listening = false;
  await ask();
  assert.equal(source.reads, 2);
  world.now += 4_999;
  await ask();
  assert.equal(source.reads, 2);
  world.now += 1;
  await ask();
  assert.equal(source.reads, 3);
});

test('an answer that was read after notices stopped without a signal is kept as if read before', async () => {
  const { ask, source, world } = stage();
  world.heardAt = 10_000;
  world.now = 12_000;
  await ask();
  world.listening = false;
  world.now = 14_999;
  await ask();
  assert.equal(source.reads, 1);
  world.now = 15_000;
  await ask();
  assert.equal(source.reads, 2);
  // Read from the primary while we did not listen: it is as new as its read.
  world.now = 19_999;
  await ask();
  assert.equal(source.reads, 2);
});

test('what the reader does not vouch for is sent and not kept', async () => {
  const { ask, source } = stage();
  source.isKeepable = false;
  await ask();
  await ask();
  assert.equal(source.reads, 2);
});

test('memory stays within its bound, and an answer of more than 1 MB is kept without its body', async () => {
  const { ask, cache, source } = stage({ mostBytes: 10_000_000 });
  source.bytes = 1_100_000;
  assert.notEqual((await ask()).body, undefined);
  assert.equal(cache.counts().bytes < 10_000, true);
  assert.equal((await ask({ ifNoneMatch: tagOf(1n) })).body, undefined);
  assert.equal(source.reads, 1);
});

test('a compressed form counts once it is made', async () => {
  const { ask, cache, identity, source } = stage();
  source.bytes = 5_000;
  await ask();
  const before = cache.counts().bytes;
  await cache.kept(keyOf(identity))?.body?.in('br', new AbortController().signal);
  cache.weigh(keyOf(identity));
  assert.ok(cache.counts().bytes > before);
});

test('targets count, are few for each answer, and go with it', async () => {
  const { ask, cache, identity, notice } = stage();
  const forgotten: string[] = [];
  cache.onForgotten((target) => forgotten.push(target));
  const key = keyOf(identity);
  assert.equal(cache.addTarget(key, '/a'), false);
  await ask();
  const before = cache.counts().bytes;
  const spellings = ['/a', '/a', '/a?', '/a?b', '/a?c', '/a?d'];
  assert.deepEqual(
    spellings.map((target) => cache.addTarget(key, target)),
    [true, true, true, true, true, false],
  );
  assert.ok(cache.counts().bytes > before + 4 * 100);
  cache.weigh(key);
  assert.deepEqual(forgotten, []);
  notice(2n);
  assert.equal(cache.kept(key), undefined);
  assert.deepEqual(forgotten, ['/a', '/a?', '/a?b', '/a?c']);
});

test('an answer that makes place takes its targets with it', async () => {
  const { ask, cache, identity, source } = stage({ mostBytes: 20_000 });
  const forgotten: string[] = [];
  cache.onForgotten((target) => forgotten.push(target));
  source.bytes = 15_000;
  await ask();
  assert.equal(cache.addTarget(keyOf(identity), `/${'a'.repeat(10_000)}`), false);
  assert.equal(cache.kept(keyOf(identity)), undefined);
});

test('a read goes on while one of its callers is there, and ends with the last', async () => {
  const newestRevisions = createNewestRevisions();
  const cache = createAnswerCache({
    newestRevisions,
    isListening: () => true,
    heardAt: () => 0,
    mostBytes: 1_000_000,
  });
  const callers = [new AbortController(), new AbortController()] as const;
  let ended = false;
  const asked = callers.map(({ signal }) =>
    cache.answer({
      identity: ['/a'],
      scope: 'club:a',
      ifNoneMatch: undefined,
      signal,
      read: async ({ signal: reading }) => {
        await sleep(10_000, undefined, { signal: reading }).catch(() => (ended = true));
        throw new Error('nobody is there');
      },
    }),
  );
  const settled = Promise.allSettled(asked);
  callers[0].abort();
  await sleep(5);
  assert.equal(ended, false);
  callers[1].abort();
  await settled;
  assert.equal(ended, true);
});
