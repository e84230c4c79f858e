import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { startPostgres } from '../support/postgres.ts';
import { migrate } from '../../src/database/migrate.ts';
import { stream, type Random } from '../../src/world/chance/random.ts';
import { eventually } from '../support/eventually.ts';
import { createLogin, loginUrl } from '../support/on-server.ts';
import { say, thisVersion, withUpgrade } from '../upgrade/previous-version.ts';
import { everyThing, randomRecord } from './changes-feed.ts';
import { Mirror, nameOf, readThing } from './changes-mirror.ts';
import { type Publisher, startPublisher } from './changes-publisher.ts';
import { getter, type Slot, startSlot, tolerate } from './changes-servers.ts';
import { onClient, type Proof } from './proof.ts';

/**
 * Proves that followers miss no change. Publishers, one of them of the previous version, change, remove and
 * erase random things. Readers poll at random through two servers, one with a replica that lags. Publishers
 * and servers are killed. At the end the copy of each reader, kept up to date only with `changes` and the
 * API, equals the published documents, and no reader has read everything.
 */
export const followedChanges: Proof = ({ size }) =>
  withUpgrade(async ({ previous }) => {
    const isStated = size === 'stated';
    const [publishers, things, changes, kills] = isStated ? [8, 150, 10_000, 40] : [2, 8, 150, 2];
    const seed = Number(process.env['CHAOS_SEED'] ?? Date.now() % 100_000);
    const random = stream(seed, 'changes');
    const primary = await startPostgres();
    const slots: Slot[] = [];
    const running: Publisher[] = [];
    const work: Promise<unknown>[] = [];
    const now = { isOver: false, left: changes, killed: 0, failed: 0 };
    try {
      await migrate(primary.url);
      const key = (await say(thisVersion, ['keys', 'create', '--account', 'proof'], primary.url)).trim();
      const serving = await createLogin(primary.url, 'serving', 'in role wartable_serve');
      const replica = await primary.startStandby();
      for (const readUrls of ['', loginUrl(replica.url, 'serving')])
        slots.push(await startSlot(serving, { READ_URLS: readUrls }));
      const get = getter(slots, key, random);

      const { after } = JSON.parse((await get('/api/extra/v1/changes')).text) as { after: string };
      const mirrors = [0, 1, 2].map(() => new Mirror(get, after));
      const reading = mirrors.map(async (mirror) => {
        while (!now.isOver) {
          await mirror
            .follow(random.pick([5, 20, 100]))
            .then(() => mirror.settle())
            .catch(tolerate(() => (now.failed += 1)));
          await sleep(random.below(isStated ? 300 : 200));
        }
      });
      const first = everyThing(random, things);
      const next = () => {
        if (now.left <= 0) return undefined;
        now.left -= 1;
        return first.next().value ?? randomRecord(random, things);
      };
      const versions = [previous, ...Array.from({ length: publishers }, () => thisVersion)];
      running.push(...versions.map((version) => startPublisher(version, primary.url, next)));
      const lagging = onClient(replica.url, (client) => pauseReplay(client, random, () => now.isOver));
      const killing = (async () => {
        for (; now.killed < kills && !now.isOver; now.killed += 1) {
          const killAt = changes - ((now.killed + 1) * changes) / (kills + 1);
          while (now.left > killAt) await sleep(20);
          if (now.killed % 2 === 0) random.pick(running).kill();
          else await random.pick(slots).kill();
        }
      })();
      const ended = Promise.all([...running.map((each) => each.ended), killing]);
      work.push(...running.map((each) => each.ended), killing, ...reading, lagging);
      await Promise.race([ended, ...reading, lagging]);
      await say(thisVersion, ['publish'], primary.url);

      const wanted = await publishedThings(primary.url, serving, key);
      await eventually(() => {
        for (const mirror of mirrors) assert.deepEqual(differences(mirror, wanted), []);
      });
      now.isOver = true;
      await Promise.all([...reading, lagging]);
      const sum = (count: (mirror: Mirror) => number) => mirrors.reduce((all, each) => all + count(each), 0);
      return [
        `${mirrors.length} copies after ${changes} changes and ${now.killed} kills: no difference.`,
        `${publishers} publishers and one of ${previous.commit} made ${changes} random changes of ${wanted.size} things that are left, and of others that are gone. ${now.killed} times a publisher or a server was killed. Three readers read ${sum(({ counts }) => counts.entries)} entries through two servers, one with a lagging replica; ${sum(({ counts }) => counts.old)} answers were too old for their entry, and ${now.failed} polls failed. At the end each copy equalled the published documents, without reading everything. Seed ${seed}.`,
      ];
    } catch (error) {
      throw new Error(`a copy went wrong with CHAOS_SEED=${seed}`, { cause: error });
    } finally {
      Object.assign(now, { isOver: true, left: 0 });
      for (const publisher of running) publisher.kill();
      await Promise.allSettled(work);
      for (const slot of slots) await slot.close();
      await primary.remove();
    }
  });

async function pauseReplay(client: pg.Client, random: Random, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    await client.query('select pg_wal_replay_pause()');
    await sleep(random.below(1_000));
    await client.query('select pg_wal_replay_resume()');
    await sleep(random.below(300));
  }
}

/** Reads all published things from a server with an empty cache. */
async function publishedThings(url: string, serving: string, key: string): Promise<Map<string, string>> {
  const slot = await startSlot(serving, { CACHE_MB: '0' });
  try {
    const get = getter([slot], key, stream(0, 'one server'));
    const { rows } = await onClient(url, (client) =>
      client.query<{ kind: 'tournament' | 'club' | 'battle'; key: string }>(
        `select 'tournament' as kind, slug as key from published.tournament
        union all select 'club', slug from published.club union all select 'battle', id from published.battle`,
      ),
    );
    const wanted = new Map<string, string>();
    for (const thing of rows) {
      const { status, text } = await readThing(get, thing);
      assert.equal(status, 200, text);
      wanted.set(nameOf(thing), text);
    }
    return wanted;
  } finally {
    await slot.close();
  }
}

function differences({ things }: Mirror, wanted: ReadonlyMap<string, string>): string[] {
  const names = new Set([...things.keys(), ...wanted.keys()]);
  return [...names].filter((name) => things.get(name) !== wanted.get(name));
}
