import { setTimeout as sleep } from 'node:timers/promises';
import { createPool } from '../../src/database/pool.ts';
import { createKeyForAccount } from '../../src/keys/store.ts';
import { type Proof, withDatabase } from '../proofs/proof.ts';
import { publishFeed } from '../support/publish-feed.ts';
import { type KindOfProxy, proxies, withoutProxies } from './proxies.ts';
import type { ProxyCaller, Target } from './proxy-caller.ts';
import { withTwoInstances } from './two-instances.ts';

const callers = 8;
/** `pauseMs` is the time for which each caller rests between two requests. */
const sizes = {
  small: { requests: 500, drainSeconds: 3, pauseMs: 20 },
  stated: { requests: 10_000, drainSeconds: 5, pauseMs: 0 },
};

/**
 * Restarts two instances behind each proxy of deploy/, one after the other, under load. Then it kills them,
 * one after the other. No request may fail.
 */
export const rollingRestart: Proof = async ({ serverUrl, size }) => {
  const missing = await withoutProxies();
  if (missing !== false) throw new Error(`${missing}: apt-get install caddy nginx-light`);
  const { requests, drainSeconds, pauseMs } = sizes[size];
  return withDatabase(serverUrl, async (databaseUrl) => {
    const targets = await publishClub(databaseUrl);
    const settings = { DATABASE_URL: databaseUrl, DRAIN_SECONDS: String(drainSeconds) };
    let total = 0;
    const restartBehind = (kind: KindOfProxy) =>
      withTwoInstances(kind, settings, async (instances, caller) => {
        await caller.untilAnswered(...targets);
        const load = new Load(caller, targets);
        const calling = load.run(pauseMs);
        let restarts = 0;
        while (load.answered < requests || restarts < 2) {
          for (const instance of instances) {
            await instance.stop();
            await instance.start();
            restarts += 1;
          }
        }
        for (const instance of instances) {
          // This is longer than nginx's `fail_timeout`, so it is asking the other instance again by now.
          await sleep(3_000);
          await instance.kill();
          await instance.start();
        }
        load.isOver = true;
        await calling;
        const { failures, answered } = load;
        if (failures.length > 0)
          throw new Error(`${failures.length} of ${answered} failed behind ${kind.program}: ${failures[0]}`);
        total += answered;
        return `${kind.program}: 0 of ${answered} requests failed (half to the API, half to the site, ${callers} at once) while two instances were restarted one after the other, ${restarts} restarts in all, and then killed and started one after the other.`;
      });
    // Both run at once because they mostly wait. At the stated size the load of both would be too much.
    const figures: string[] = [];
    if (size === 'small') figures.push(...(await Promise.all(proxies.map(restartBehind))));
    else for (const kind of proxies) figures.push(await restartBehind(kind));
    return [`0 of ${total} requests failed.`, ...figures];
  });
};

/** Publishes a club and returns the targets of the load: one of the API, one of the site. */
async function publishClub(databaseUrl: string): Promise<[Target, Target]> {
  const pool = createPool(databaseUrl, { applicationName: 'wartable-proof', size: 2 });
  try {
    await publishFeed(pool, [{ kind: 'club', slug: 'north-gate', name: 'Würfelbund Nordtor' }]);
    const { key } = await createKeyForAccount(pool, 'proof');
    return [
      { path: '/api/v1/clubs/north-gate', headers: { authorization: `Bearer ${key}` } },
      { path: '/clubs/north-gate' },
    ];
  } finally {
    await pool.end();
  }
}

class Load {
  answered = 0;
  isOver = false;
  readonly failures: string[] = [];
  readonly #caller: ProxyCaller;
  readonly #targets: [Target, Target];

  constructor(caller: ProxyCaller, targets: [Target, Target]) {
    this.#caller = caller;
    this.#targets = targets;
  }

  async run(pauseMs: number): Promise<void> {
    await Promise.all(Array.from({ length: callers }, () => this.#call(pauseMs)));
  }

  async #call(pauseMs: number): Promise<void> {
    while (!this.isOver) {
      const [api, site] = this.#targets;
      const failure = await this.#caller.failure(this.answered % 2 === 0 ? api : site);
      this.answered += 1;
      if (failure !== undefined) this.failures.push(failure);
      if (pauseMs > 0) await sleep(pauseMs);
    }
  }
}
