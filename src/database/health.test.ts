import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createHealth, type DatabaseHealth, DatabaseDown } from './health.ts';

const never = () => new Promise<never>(() => {});
const answer = async () => 'answer';
const failure = (code: string) => async () => {
  throw Object.assign(new Error('x'), { code });
};

/** Sets up databases whose probes the test answers, and a clock that the test moves. */
function stage(t: TestContext, count = 2) {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  const works = [true, true];
  const changes: string[] = [];
  let probes = 0;
  const waiting = [new Set<(error: Error) => void>(), new Set<(error: Error) => void>()];
  const { databases, close } = createHealth({
    onDown: (database) => waiting[database]?.forEach((giveUp) => giveUp(new DatabaseDown('left'))),
    probes: Array.from({ length: count }, (_, i) => async () => {
      probes += 1;
      return works[i] === true;
    }),
    onChange: (database, answers) => changes.push(`${database} ${answers ? 'answers' : 'does not answer'}`),
  });
  t.after(close);
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 50) {
      t.mock.timers.tick(50);
      for (let turn = 0; turn < 4; turn += 1) await nextTurn();
    }
  };
  const [first, second] = databases.map((health, i) => watched(health, waiting[i] ?? new Set())) as [
    Watched,
    Watched,
  ];
  return { first, second, works, changes, probes: () => probes, pass };
}

interface Watched extends DatabaseHealth {
  watch: <T>(query: () => Promise<T>) => Promise<T>;
}

/** Uses health as a database does: a waiting query is given up when its database goes down. */
function watched(health: DatabaseHealth, waiting: Set<(error: Error) => void>): Watched {
  return {
    ...health,
    watch: async (query) => {
      if (health.isDown()) throw new DatabaseDown('left');
      const { promise: leaving, reject: giveUp } = Promise.withResolvers<never>();
      health.begin();
      waiting.add(giveUp);
      let met: unknown;
      try {
        return await Promise.race([leaving, query()]);
      } catch (error) {
        met = error;
        throw error;
      } finally {
        waiting.delete(giveUp);
        health.end(met);
      }
    },
  };
}

test('a frozen database is down: waiting queries end, new ones are refused, until a probe succeeds', async (t) => {
  const { first, works, changes, pass } = stage(t);
  works[0] = false;
  const waiting = [first.watch(never), first.watch(never)].map((query) =>
    assert.rejects(query, DatabaseDown),
  );
  await pass(300);
  await Promise.all(waiting);
  assert.equal(first.isDown(), true);
  await assert.rejects(first.watch(answer), DatabaseDown);
  works[0] = true;
  await pass(300);
  assert.equal(await first.watch(answer), 'answer');
  assert.deepEqual(changes, ['0 does not answer', '0 answers']);
});

test('a slow statement is no reason: the probe succeeds, or other queries are answered', async (t) => {
  const { first, works, changes, probes, pass } = stage(t);
  void first.watch(never).catch(() => {});
  await pass(300);
  assert.equal(probes(), 1);
  works[0] = false;
  for (let i = 0; i < 10; i += 1) {
    await first.watch(answer);
    await pass(100);
  }
  assert.deepEqual(changes, []);
});

test('a broken connection makes us probe at once', async (t) => {
  const { first, works, probes, pass } = stage(t);
  await assert.rejects(first.watch(failure('57P01')));
  await pass(50);
  assert.equal(probes(), 1);
  assert.equal(first.isDown(), false);
  works[0] = false;
  await assert.rejects(first.watch(failure('ECONNREFUSED')));
  await pass(50);
  assert.equal(first.isDown(), true);
});

test('an error of the statement is an answer', async (t) => {
  const { first, probes, pass } = stage(t);
  await assert.rejects(first.watch(failure('42703')));
  await assert.rejects(first.watch(failure('53300')));
  await pass(300);
  assert.equal(probes(), 0);
});

test('while no database answers, queries wait for all of them; the first that answers gets them', async (t) => {
  const { first, second, works, pass } = stage(t);
  works.fill(false);
  const onSecond = second.watch(never).catch((error: unknown) => error);
  await pass(300);
  assert.ok((await onSecond) instanceof DatabaseDown);
  const onFirst = first.watch(never).catch((error: unknown) => error);
  await pass(300);
  assert.equal(first.isDown(), false);
  assert.equal(second.isDown(), false);
  assert.equal(await second.watch(answer), 'answer');
  works[1] = true;
  await pass(300);
  assert.ok((await onFirst) instanceof DatabaseDown);
});

test('a single database is never down, and not probed', async (t) => {
  const { first, works, probes, pass } = stage(t, 1);
  works[0] = false;
  void first.watch(never).catch(() => {});
  await pass(1_000);
  assert.equal(await first.watch(answer), 'answer');
  assert.equal(probes(), 0);
});
