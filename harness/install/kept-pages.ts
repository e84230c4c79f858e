import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { today } from '../evidence/evidence.ts';
import { createPool, type Pool } from '../../src/database/pool.ts';
import { dayNumber } from '../../src/world/dates.ts';
import { eventFeed } from '../../src/world/one-event.ts';
import { type Proof, withDatabase } from '../proofs/proof.ts';
import { wartable } from '../support/command.ts';
import { publishFeed } from '../support/publish-feed.ts';
import type { Instance } from './instance.ts';
import { nginx, withoutProxies } from './proxies.ts';
import type { ProxyCaller } from './proxy-caller.ts';
import { withTwoInstances } from './two-instances.ts';

/** Two seconds for a proxy, and five for a server that receives no notices. */
const longestMs = 7_000;
const sizes = {
  small: { connections: 100, seconds: 4, downSeconds: 5, limitMs: 120_000 },
  stated: { connections: 5_000, seconds: 60, downSeconds: 55, limitMs: longestMs },
};

/**
 * Lets spectators reload a running event behind the nginx of deploy/, which keeps pages. Then a name and an
 * event disappear.
 */
export const keptPages: Proof = async ({ serverUrl, size }) => {
  const missing = await withoutProxies();
  if (missing !== false) throw new Error(`${missing}: apt-get install caddy nginx-light`);
  const { connections, seconds, downSeconds, limitMs } = sizes[size];
  return withDatabase(serverUrl, async (databaseUrl) => {
    const pool = createPool(databaseUrl, { applicationName: 'wartable-proof', size: 2 });
    try {
      const event = await publishEvent(pool);
      const pages = ['', '/names', '/rounds'].map((tab) => `/tournaments/${event.slug}${tab}`);
      const settings = { DATABASE_URL: databaseUrl };
      return await withTwoInstances(nginx, settings, async (instances, caller) => {
        await caller.untilAnswered(...pages.map((path) => ({ path })));
        const before = await askedOf(instances);
        const { answers: reloads, tookSeconds } = await crowd(caller, pages, connections, seconds);
        const asked = (await askedOf(instances)) - before;
        const perPage = asked / pages.length / tookSeconds;
        const figure = `${connections} connections reloaded ${pages.length} pages of a running event ${reloads} times in ${tookSeconds.toFixed(0)} s, with br, gzip and neither: the two servers together got ${asked} requests, ${perPage.toFixed(2)} a second for each page; must be at most 2.`;
        assert.ok(reloads >= connections, figure);
        assert.ok(perPage <= 2, figure);

        const { code, stderr } = await wartable(['players', 'erase', event.player.id, '--yes'], settings);
        assert.equal(code, 0, stderr);
        const erased = await untilAll(
          caller,
          pages,
          limitMs,
          ({ text }) => !text.includes(event.player.name),
        );
        for (const instance of instances) await instance.kill();
        await stayFor(downSeconds, caller, pages, event.player.name);
        for (const instance of instances) await instance.start();
        await publishFeed(pool, [{ ...event.record, published: false }]);
        const hidden = await untilAll(caller, pages, limitMs, ({ status }) => status === 404);
        return [
          `${connections} connections: ${perPage.toFixed(2)} a second; erased after ${erased} ms.`,
          figure,
          `All servers were killed: nginx sent its copies for ${downSeconds} s, without the erased name.`,
          `An erased name was gone from all pages ${erased} ms after the command, an event that became a draft ${hidden} ms after its publishing; must be at most ${longestMs} ms.`,
        ];
      });
    } finally {
      await pool.end();
    }
  });
};

async function publishEvent(pool: Pool) {
  const feed = eventFeed(
    { seed: 34, players: 32, format: 'swiss', rounds: 4, start: dayNumber(today()) },
    'ongoing',
  );
  await publishFeed(pool, feed);
  const record = feed.find((each) => each.kind === 'tournament');
  assert.ok(record !== undefined);
  const { rows } = await pool.query<{ id: string; name: string }>(
    'select id, name from published.player where name is not null order by id limit 1',
  );
  const [player] = rows;
  assert.ok(player !== undefined);
  return { slug: record.slug, record, player };
}

const encodings = ['br, gzip', 'gzip', 'identity', 'gzip, deflate, br, zstd'];

/**
 * Lets each connection reload one page, like a person who waits for a result. Returns how many answers came,
 * up to the last one.
 */
async function crowd(
  caller: ProxyCaller,
  pages: string[],
  connections: number,
  seconds: number,
): Promise<{ answers: number; tookSeconds: number }> {
  const startedAt = performance.now();
  const endAt = startedAt + seconds * 1_000;
  let [answers, lastAt] = [0, startedAt];
  const reload = async (_: unknown, index: number) => {
    const target = {
      path: pages[index % pages.length] ?? '',
      headers: { 'accept-encoding': encodings[index % encodings.length] ?? '' },
    };
    await sleep(Math.random() * 4_000);
    for (; performance.now() < endAt; await sleep(3_000 + Math.random() * 2_000)) {
      assert.equal(await caller.failure(target), undefined);
      answers += 1;
      lastAt = performance.now();
    }
  };
  await Promise.all(Array.from({ length: connections }, reload));
  return { answers, tookSeconds: (lastAt - startedAt) / 1_000 };
}

/** Checks that copies stay while no server answers. */
async function stayFor(seconds: number, caller: ProxyCaller, pages: string[], erased: string): Promise<void> {
  const until = performance.now() + seconds * 1_000;
  while (performance.now() < until) {
    for (const path of pages) {
      const { status, text } = await caller.ask({ path });
      assert.deepEqual([status, text.includes(erased)], [200, false], path);
    }
    await sleep(500);
  }
}

/** Returns how long it takes until every page is as expected, for callers who ask all the time. */
async function untilAll(
  caller: ProxyCaller,
  pages: string[],
  limitMs: number,
  isExpected: (answer: Awaited<ReturnType<ProxyCaller['ask']>>) => boolean,
): Promise<number> {
  const since = performance.now();
  for (;;) {
    const answers = await Promise.all(pages.map((path) => caller.ask({ path })));
    const ms = Math.round(performance.now() - since);
    if (answers.every(isExpected)) return ms;
    assert.ok(ms < limitMs, `a page is still the old one after ${ms} ms`);
    await sleep(50);
  }
}

/** Returns how many requests for pages both servers have answered. */
async function askedOf(instances: Instance[]): Promise<number> {
  let asked = 0;
  for (const instance of instances) {
    const metrics = await instance.metrics();
    for (const [, count] of metrics.matchAll(
      /^wartable_request_seconds_count\{route="\/tournaments\/[^"]*",status="\d+"\} (\d+)$/gm,
    ))
      asked += Number(count);
  }
  return asked;
}
