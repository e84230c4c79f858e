import { Agent, request } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../scripts/postgres.ts';
import { createPool } from '../../src/database/pool.ts';
import { createKeyForAccount } from '../../src/keys/store.ts';
import { type Proof, withDatabase, withFolder } from '../proofs/proof.ts';
import { publishFeed } from '../support/publish-feed.ts';
import { Instance } from './instance.ts';
import { domain, installedProxies, type KindOfProxy, type Ports, type Proxy } from './proxies.ts';

const callers = 8;
/** `pauseMs`: how long each caller rests between two requests. */
const sizes = {
  small: { requests: 500, drainSeconds: 3, pauseMs: 20 },
  stated: { requests: 10_000, drainSeconds: 5, pauseMs: 0 },
};

/** Restarts two instances behind each proxy of deploy/, one after the other, under load. No request may fail. */
export const rollingRestart: Proof = async ({ serverUrl, size }) => {
  const installed = await installedProxies();
  if (installed.length === 0)
    throw new Error('rolling-restart needs a proxy: apt-get install caddy nginx-light');
  return withDatabase(serverUrl, async (databaseUrl) => {
    const pool = createPool(databaseUrl, { applicationName: 'wartable-proof', size: 2 });
    try {
      await publishFeed(pool, [{ kind: 'club', slug: 'north-gate', name: 'Würfelbund Nordtor' }]);
      const { key } = await createKeyForAccount(pool, 'proof');
      const figures: string[] = [];
      for (const kind of installed) figures.push(await behind(kind, databaseUrl, key, sizes[size]));
      return figures;
    } finally {
      await pool.end();
    }
  });
};

async function behind(
  { program, start }: KindOfProxy,
  databaseUrl: string,
  key: string,
  { requests, drainSeconds, pauseMs }: (typeof sizes)['small'],
): Promise<string> {
  const ports: Ports = {
    api: await freePort(),
    site: await freePort(),
    ops: await freePort(),
    https: await freePort(),
  };
  const settings = { ...settingsOf(databaseUrl, ports), DRAIN_SECONDS: String(drainSeconds) };
  const instances = [1, 2].map((number) => new Instance(number, ports, settings));
  return withFolder(async (folder) => {
    let proxy: Proxy | undefined;
    try {
      await Promise.all(instances.map((instance) => instance.start()));
      proxy = await start(folder, ports);
      const load = new Load(ports.https, proxy.authority, key);
      await load.untilAnswered();
      let restarts = 0;
      const calling = load.run(pauseMs);
      while (load.answered < requests || restarts < 2) {
        for (const instance of instances) {
          await instance.stop();
          await instance.start();
          restarts += 1;
        }
      }
      load.isOver = true;
      await calling;
      if (load.failures.length > 0) {
        throw new Error(
          `${load.failures.length} of ${load.answered} failed behind ${program}: ${load.failures[0]}`,
        );
      }
      return `${program}: 0 of ${load.answered} requests failed (half to the API, half to the site, ${callers} at once) while two instances were restarted one after the other, ${restarts} restarts in all.`;
    } finally {
      await proxy?.stop();
      await Promise.all(instances.map((instance) => instance.stop().catch(() => {})));
    }
  });
}

const settingsOf = (databaseUrl: string, ports: Ports): Record<string, string> => ({
  DATABASE_URL: databaseUrl,
  CURSOR_SECRETS: 'a-secret-of-the-proofs-and-of-nobody-else',
  API_PORT: String(ports.api),
  SITE_PORT: String(ports.site),
  OPS_PORT: String(ports.ops),
  LOG_LEVEL: 'warn',
});

interface Target {
  path: string;
  headers: Record<string, string>;
}

class Load {
  answered = 0;
  isOver = false;
  readonly failures: string[] = [];
  readonly #agent = new Agent({ keepAlive: true, maxSockets: callers });
  readonly #api: Target;
  readonly #site: Target = { path: '/clubs/north-gate', headers: {} };
  readonly #port: number;
  readonly #authority: string;

  constructor(port: number, authority: string, key: string) {
    this.#port = port;
    this.#authority = authority;
    this.#api = { path: '/api/v1/clubs/north-gate', headers: { authorization: `Bearer ${key}` } };
  }

  /** The proxy may still be starting. */
  async untilAnswered(): Promise<void> {
    for (let attempt = 0; attempt < 200; attempt += 1) {
      if ((await this.#failure(this.#api)) === undefined && (await this.#failure(this.#site)) === undefined)
        return;
      await sleep(100);
    }
    throw new Error(
      `the proxy does not answer: ${await this.#failure(this.#api)}, ${await this.#failure(this.#site)}`,
    );
  }

  async run(pauseMs: number): Promise<void> {
    await Promise.all(Array.from({ length: callers }, () => this.#call(pauseMs)));
    this.#agent.destroy();
  }

  async #call(pauseMs: number): Promise<void> {
    while (!this.isOver) {
      const failure = await this.#failure(this.answered % 2 === 0 ? this.#api : this.#site);
      this.answered += 1;
      if (failure !== undefined) this.failures.push(failure);
      if (pauseMs > 0) await sleep(pauseMs);
    }
  }

  /** Undefined: a whole answer with 200. */
  #failure({ path, headers }: Target): Promise<string | undefined> {
    return new Promise((resolve) => {
      const asked = request(
        {
          host: '127.0.0.1',
          port: this.#port,
          servername: domain,
          path,
          headers: { host: domain, ...headers },
          ca: this.#authority,
          agent: this.#agent,
          timeout: 15_000,
        },
        (answer) => {
          let bytes = 0;
          answer.on('data', (chunk: Buffer) => (bytes += chunk.length));
          answer.on('error', (error) => resolve(`${path}: ${error.message} after ${bytes} bytes`));
          answer.on('end', () =>
            resolve(answer.statusCode === 200 ? undefined : `${path}: ${answer.statusCode}`),
          );
        },
      );
      asked.on('timeout', () => asked.destroy(new Error('no answer in 15 s')));
      asked.on('error', (error) => resolve(`${path}: ${error.message}`));
      asked.end();
    });
  }
}
