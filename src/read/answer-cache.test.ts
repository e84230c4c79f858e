import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { etagOf, revisionsHeld } from '../http/etag.ts';
import { createAnswerCache, type ReadAnswer } from './answer-cache.ts';
import { Asker } from '../http/asker.ts';
import { createNewestRevisions, type ShownScope } from './newest-revisions.ts';

// A cache with a source whose revision the test changes, a listener that it interrupts and a clock that it
// sets.
function stage({ maxBytes = 1_000_000 } = {}) {
  const newestRevisions = createNewestRevisions(100);
  const source = {
    revision: 1n,
    isKeepable: true,
    reads: 0,
    bytes: 10,
    atLeast: [] as (bigint | undefined)[],
    askers: [] as Asker[],
    others: [] as ShownScope[],
    keptForMs: undefined as number | undefined,
  };
  const world = {
    listening: true,
    lastNoticeAt: Infinity,
    now: 0,
    reading: undefined as Promise<void> | undefined,
  };
  const cache = createAnswerCache({
    newestRevisions,
    isListening: () => world.listening,
    lastNoticeAt: () => world.lastNoticeAt,
    maxBytes,
    now: () => world.now,
  });
  const identity = ['/api/v1/clubs/a'];
  const key = JSON.stringify(identity);
  const ask = async ({
    ifNoneMatch,
    asker = new Asker('a'),
    acceptEncoding,
  }: { ifNoneMatch?: string; asker?: Asker; acceptEncoding?: string } = {}) => {
    const { etag, body } = await cache.answer({
      key,
      wanted: { 'if-none-match': ifNoneMatch, 'accept-encoding': acceptEncoding },
      scope: 'club:a',
      held: revisionsHeld(ifNoneMatch, identity),
      asker,
      read: async ({ held, atLeast, asker: reading }): Promise<ReadAnswer> => {
        source.reads += 1;
        source.askers.push(reading);
        source.atLeast.push(atLeast);
        const { isKeepable, bytes, revision, others, keptForMs } = source;
        await world.reading;
        const isHeld = held === null || held.includes(String(revision));
        return {
          etag: etagOf(identity, String(revision)),
          headers: {},
          type: 'text/plain',
          scopes: [{ scope: 'club:a', revision }, ...others],
          content: isHeld ? undefined : `${revision}:${'x'.repeat(bytes)}`,
          isKeepable,
          keptForMs,
        };
      },
    });
    assert.match(etag, /^W\/"\d+\./);
    return { revision: BigInt(/\d+/.exec(etag)?.[0] ?? ''), body: body?.bytes.toString() };
  };
  const notice = (revision: bigint) => newestRevisions.apply(`{"moved":{"club":{"a":"${revision}"}}}`);
  return { ask, cache, key, newestRevisions, notice, source, world };
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
  const { ask, source } = stage({ maxBytes: 0 });
  await Promise.all(Array.from({ length: 1_000 }, () => ask()));
  assert.equal(source.reads, 1);
});

test('callers who hold different old revisions share one read, and each gets the body', async () => {
  const { ask, notice, source } = stage();
  source.revision = 49n;
  notice(49n);
  const holding = (revision: number) => ask({ ifNoneMatch: tagOf(BigInt(revision)) });
  const answers = await Promise.all(Array.from({ length: 48 }, (_, index) => holding(index + 1)));
  assert.ok(answers.every(({ revision, body }) => revision === 49n && body !== undefined));
  assert.equal(source.reads, 1);
});

test('a revision that no notice has outdated is read without its body; one that a lost commit outdated costs the body, but is not sent it', async () => {
  const { ask, notice, source } = stage();
  source.revision = 5n;
  notice(5n);
  assert.equal((await ask({ ifNoneMatch: tagOf(5n) })).body, undefined);
  assert.equal((await ask({ ifNoneMatch: tagOf(5n) })).body, undefined);
  assert.equal(source.reads, 1);
  notice(6n);
  assert.equal((await ask({ ifNoneMatch: tagOf(5n) })).body, undefined);
  assert.equal(source.reads, 2);
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
    let named = 0;
    const endAll = () => {
      if (end === 'listen') newestRevisions.restart();
      else if (end === 'everything') newestRevisions.apply('{"everything":true}');
      else
        for (let i = 0; i < 200; i += 1) newestRevisions.apply(`{"moved":{"club":{"b${(named += 1)}":"1"}}}`);
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
  world.lastNoticeAt = 10_000;
  world.now = 12_000;
  await ask();
  world.listening = false;
  world.now = 14_999;
  await ask();
  assert.equal(source.reads, 1);
  world.now = 15_000;
  await ask();
  assert.equal(source.reads, 2);
  // This one was read from the primary while we did not listen, so it is as new as its read.
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

test('an answer of more than a sixteenth of the memory is kept without its body', async () => {
  const { ask, cache, source } = stage({ maxBytes: 32_000_000 });
  source.bytes = 2_100_000;
  assert.notEqual((await ask()).body, undefined);
  assert.equal(cache.counts().bytes < 10_000, true);
  assert.equal((await ask({ ifNoneMatch: tagOf(1n) })).body, undefined);
  assert.equal(source.reads, 1);
  source.bytes = 1_900_000;
  await ask();
  await ask();
  assert.equal(source.reads, 2);
});

test('memory stays within its bound', async () => {
  const { ask, cache, source, notice } = stage({ maxBytes: 8_000 });
  source.bytes = 5_000;
  for (let revision = 1n; revision < 5n; revision += 1n) {
    source.revision = revision;
    notice(revision);
    await ask();
    assert.ok(cache.counts().bytes <= 8_000);
  }
});

test('a compressed form counts once it is made, and is then ready', async () => {
  const { ask, cache, key, source } = stage();
  source.bytes = 5_000;
  await ask();
  const before = cache.counts().bytes;
  assert.equal(cache.ready(key, { 'accept-encoding': 'br' }), undefined);
  await ask({ acceptEncoding: 'br' });
  assert.ok(cache.counts().bytes > before);
  assert.equal(cache.ready(key, { 'accept-encoding': 'br' })?.body?.encoding, 'br');
  assert.equal(source.reads, 1);
});

test('an answer that shows several things ends when one of them moves', async () => {
  const { ask, newestRevisions, source } = stage();
  source.others = [{ scope: 'club:b', revision: 7n }];
  await ask();
  newestRevisions.apply('{"moved":{"club":{"c":"9","b":"7"}}}');
  await ask();
  assert.equal(source.reads, 1);
  newestRevisions.apply('{"moved":{"club":{"b":"8"}}}');
  await ask();
  // The source still returns the old copy, which is sent but not kept.
  await ask();
  assert.equal(source.reads, 3);
});

test('a slow read never shows a second thing older than a quicker one', async () => {
  const { ask, source, world } = stage();
  source.others = [{ scope: 'club:b', revision: 7n }];
  const { promise, resolve } = Promise.withResolvers<void>();
  world.reading = promise;
  const slow = ask();
  world.reading = undefined;
  source.others = [{ scope: 'club:b', revision: 8n }];
  source.bytes = 20;
  // This request holds a different tag, so it does not share the read.
  const quick = await ask({ ifNoneMatch: tagOf(9n) });
  resolve();
  assert.equal((await slow).body, quick.body);
});

test('an answer that may show more than its scopes is kept for its time', async () => {
  const { ask, source, world } = stage();
  source.keptForMs = 3_000;
  world.lastNoticeAt = 0;
  await ask();
  world.now = 2_999;
  await ask();
  assert.equal(source.reads, 1);
  world.now = 3_000;
  await ask();
  assert.equal(source.reads, 2);
});

test('a read goes on while one of its callers is there, and ends with the last', async () => {
  const newestRevisions = createNewestRevisions();
  const cache = createAnswerCache({
    newestRevisions,
    isListening: () => true,
    lastNoticeAt: () => 0,
    maxBytes: 1_000_000,
  });
  const callers = [new Asker('a'), new Asker('b')] as const;
  let ended = false;
  const asked = callers.map((asker) =>
    cache.answer({
      key: '/a',
      wanted: {},
      scope: 'club:a',
      held: [],
      asker,
      read: ({ asker: reading }) =>
        new Promise((_, reject) => {
          reading.isInside = true;
          reading.whenOver(() => {
            ended = true;
            reject(new Error('all callers left'));
          });
        }),
    }),
  );
  const settled = Promise.allSettled(asked);
  callers[0].leave();
  await sleep(5);
  assert.equal(ended, false);
  callers[1].leave();
  await settled;
  assert.equal(ended, true);
});

test('another key does not join a read that waits in the queue of the first', async () => {
  const { ask, source, world } = stage();
  const { promise, resolve } = Promise.withResolvers<void>();
  world.reading = promise;
  const asked = [ask(), ask(), ask({ asker: new Asker('b') })];
  assert.equal(source.reads, 2);
  resolve();
  await Promise.all(asked);
});

test('a read that was refused is not joined: the next caller asks for a place of its own', async () => {
  const { ask, source, world } = stage();
  const { promise, resolve } = Promise.withResolvers<void>();
  world.reading = promise;
  const asked = [ask(), ask()];
  assert.equal(source.reads, 1);
  const [flight] = source.askers;
  assert.ok(flight);
  flight.isRefused = true;
  asked.push(ask());
  assert.equal(source.reads, 2);
  resolve();
  await Promise.all(asked);
});
