import assert from 'node:assert/strict';
import { Agent, get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliDecompressSync } from 'node:zlib';
import type { Client } from 'pg';
import { encodeNotices, everythingNotice, publishedChannel } from '../../src/published/notice.ts';
import type { RunningServer } from '../../src/serve/server.ts';
import { stream } from '../../src/world/chance/random.ts';
import { type Databases, startDatabases, untilListening } from './cache-databases.ts';
import { type Disturbed, type Fault, faults, pauseReplay } from './cache-faults.ts';
import { createLedger, promptMs } from './cache-ledger.ts';
import type { Proof } from './proof.ts';
import { startProofServer } from './serving.ts';

/**
 * Proves that the cache is exact. Three servers, two of them with a replica, answer from memory while a
 * writer changes documents and faults happen at random. While the primary answers, no server sends an answer
 * older than one that it has sent before, or older than the limit, and no ETag stands for two bodies. Commits
 * that a promotion lost are left out.
 */
export const cacheExact: Proof = async ({ size }) => {
  const isStated = size === 'stated';
  const seed = Number(process.env['CHAOS_SEED'] ?? Date.now() % 100_000);
  const databases = await startDatabases();
  const servers: RunningServer[] = [];
  try {
    for (const readUrls of [[databases.replicaUrl], [databases.replicaUrl], []])
      servers.push(await startProofServer(databases.primaryUrl, { readUrls }));
    await untilListening(servers.map(({ opsUrl }) => opsUrl));
    const chance = stream(seed, 'cache-exact');
    const run = startRun(databases, servers, () => chance.unit());
    const changing = change(run, isStated);
    try {
      await Promise.race([run.failed, changing]);
    } finally {
      await run.end();
      await changing.catch(() => {});
    }
    return await figuresOf(run, seed);
  } catch (error) {
    throw new Error(`the cache is not exact with CHAOS_SEED=${seed}`, { cause: error });
  } finally {
    for (const server of servers) await server.close();
    await databases.remove();
  }
};

const things = {
  'event-0': [
    '/tournaments/event-0',
    '/tournaments/event-0/standings',
    '/tournaments/event-0/participants',
    '/tournaments?limit=20',
  ],
  'event-1': ['/tournaments/event-1', '/tournaments?limit=20'],
  'club-0': ['/clubs/club-0'],
} as const;
type Thing = keyof typeof things;
const thingNames = Object.keys(things) as Thing[];
const targets = [...new Set(Object.values(things).flat())];

interface Run extends Disturbed {
  /** The number of times that each fault happened. */
  faults: Map<string, number>;
  /** Rejects with the first answer that breaks a rule. */
  failed: Promise<never>;
  fail: (error: unknown) => void;
  end: () => Promise<void>;
  isEnded: () => boolean;
}

function startRun(databases: Databases, servers: RunningServer[], random: () => number): Run {
  const ledger = createLedger(targets);
  const agent = new Agent({ keepAlive: true });
  let ended = false;
  const { promise: failed, reject } = Promise.withResolvers<never>();
  failed.catch(() => {});
  const isEnded = () => ended;
  const reading = servers.flatMap(({ apiUrl }, instance) =>
    targets.map((target) => poll(apiUrl, instance, target).catch(reject)),
  );

  async function poll(apiUrl: string, instance: number, target: string): Promise<void> {
    let held = '';
    for (let turn = instance; !isEnded(); turn += 1) {
      const variant = [{}, { 'accept-encoding': 'br' }, { 'if-none-match': held }, { 'if-none-match': '*' }];
      const asked = ledger.ask(instance, target);
      const headers = { authorization: `Bearer ${databases.key}`, ...variant[turn % 4] };
      const { status, etag, body } = await exchange(agent, `${apiUrl}/api/v1${target}`, headers);
      if (status === 503) continue;
      assert.ok(status === 200 || status === 304, `${target} → ${status} ${body}`);
      held = etag;
      ledger.judge(asked, { etag, body: status === 200 ? body : undefined });
      await sleep(random() * 5);
    }
  }

  return {
    databases,
    opsUrls: servers.map(({ opsUrl }) => opsUrl),
    random,
    ledger,
    faults: new Map(),
    failed,
    fail: reject,
    isEnded,
    async end() {
      ended = true;
      await Promise.all(reading);
      agent.destroy();
      ledger.close();
    },
  };
}

async function exchange(agent: Agent, url: string, headers: Record<string, string>) {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  get(url, { agent, headers }, resolve).on('error', reject);
  const response = await promise;
  const bytes = await buffer(response);
  const isBrotli = response.headers['content-encoding'] === 'br';
  const body = (isBrotli ? brotliDecompressSync(bytes) : bytes).toString();
  return { status: response.statusCode, etag: response.headers.etag ?? '', body };
}

/**
 * Changes documents until enough changes have been observed, with faults at the same time and promotions in
 * between.
 */
async function change(run: Run, isStated: boolean): Promise<void> {
  const parts = isStated ? 4 : 2;
  const perPart = isStated ? 2_500 : 40;
  for (let part = 1; part <= parts; part += 1) {
    const writer = startWriter(run);
    const least = perPart * part;
    let isOver = run.isEnded();
    const pausing = pauseReplay(run, isStated ? 8_000 : 2_000, () => isOver || run.isEnded());
    try {
      await disturb(run, isStated, part === 1, () => run.ledger.counts().observed >= least);
    } finally {
      isOver = true;
      await pausing;
    }
    run.faults.set('paused replay', (run.faults.get('paused replay') ?? 0) + (await pausing));
    if (part === parts) return writer.stop();
    const isLossy = part % 2 === 1;
    if (isLossy) {
      await run.databases.cutReplication();
      await sleep(300);
    }
    await writer.stop();
    await promote(run);
  }
}

let lastRevision = 0;
let lastSequence = 0;

function startWriter({ databases, ledger, random, isEnded, fail }: Run): { stop: () => Promise<void> } {
  let stopped = false;
  const isStopped = () => stopped || isEnded();
  const writing = databases.onPrimary(async (client) => {
    while (!isStopped()) {
      const thing = thingNames[Math.floor(random() * thingNames.length)] ?? 'event-0';
      lastSequence += 1;
      lastRevision = Math.max(Date.now() * 1_000, lastRevision + 1);
      const committed = ledger.change(things[thing], lastSequence, lastRevision);
      // The publisher does not name things if there are too many.
      const isNamed = random() > 0.1;
      await commit(client, { thing, sequence: lastSequence, revision: lastRevision, isNamed });
      committed();
      for (let waited = 0; waited < 10 && !ledger.wasObserved(lastSequence); waited += 1) await sleep(5);
    }
  });
  writing.catch(fail);
  return {
    async stop() {
      stopped = true;
      await writing;
    },
  };
}

/** Commits like the publisher: the documents, the revisions and the notice in one transaction. */
async function commit(
  client: Client,
  {
    thing,
    sequence,
    revision,
    isNamed,
  }: { thing: Thing; sequence: number; revision: number; isNamed: boolean },
): Promise<void> {
  const set = `document = regexp_replace(document, 'seq \\d+', 'seq ${sequence}', 'g')`;
  const isClub = thing === 'club-0';
  const moved = new Map([[thing, BigInt(revision)]]);
  const named = isClub ? { club: moved } : { tournament: moved, tournaments: BigInt(revision) };
  const notices = isNamed ? encodeNotices(named) : [everythingNotice];
  const updates = isClub
    ? `update published.club set ${set}, revision = ${revision} where slug = '${thing}'`
    : `update published.tournament set ${set}, revision = ${revision} where slug = '${thing}';
       update published.standings set ${set} where tournament = '${thing}';
       update published.participant set ${set} where tournament = '${thing}';
       update published.list_revision set revision = ${revision} where list = 'tournaments'`;
  const notify = notices.map((payload) => `select pg_notify('${publishedChannel}', '${payload}')`).join(';');
  await client.query(`begin; ${updates}; ${notify}; commit`);
}

/** Causes random faults until it is enough. The first part begins with every fault once. */
async function disturb(
  run: Run,
  isStated: boolean,
  isFirst: boolean,
  isEnough: () => boolean,
): Promise<void> {
  const names = Object.keys(faults).filter((name) => isStated || name !== 'frozen listeners') as Fault[];
  const least = isFirst ? names.length : 1;
  for (let turn = 0; !run.isEnded() && (turn < least || !isEnough()); turn += 1) {
    const index = isFirst && turn < least ? turn : Math.floor(run.random() * names.length);
    const name = names[index] ?? 'cut listeners';
    run.faults.set(name, (run.faults.get(name) ?? 0) + 1);
    await faults[name](run);
    await sleep(run.random() * (isStated ? 3_000 : 600));
  }
}

async function promote({ databases, ledger, opsUrls, faults: counted }: Run): Promise<void> {
  counted.set('promotion', (counted.get('promotion') ?? 0) + 1);
  ledger.suspend();
  await databases.promote();
  // By then, requests that began while no primary answered have ended.
  await sleep(requestDeadlineMs);
  await untilListening(opsUrls);
  const revisions = await databases.onPrimary(async (client) => {
    const { rows } = await client.query<{ thing: string; revision: string }>(`
      select slug as thing, revision from published.tournament union all
      select slug, revision from published.club union all
      select 'tournaments', revision from published.list_revision where list = 'tournaments'`);
    return new Map(rows.map(({ thing, revision }) => [thing, Number(revision)]));
  });
  const revisionOf = (target: string) => {
    const thing = thingNames.find((name) => target.includes(name)) ?? 'tournaments';
    return [target, revisions.get(thing) ?? 0] as const;
  };
  ledger.resume(new Map(targets.map(revisionOf)));
}

const requestDeadlineMs = 3_000;

async function figuresOf({ ledger, faults: counted, opsUrls }: Run, seed: number): Promise<string[]> {
  const { judged, observed, lost, oldestMs, oldestDeafMs } = ledger.counts();
  const sources = { memory: 0, database: 0 };
  for (const url of opsUrls) {
    const metrics = await (await fetch(`${url}/metrics`)).text();
    for (const [, source, count] of metrics.matchAll(/^wartable_answers_total\{source="(\w+)"\} (\d+)$/gm))
      sources[source as keyof typeof sources] += Number(count);
  }
  assert.ok(sources.memory > 0, 'no answer came from memory');
  const faultsText = [...counted].map(([name, count]) => `${name} ${count} ×`).join(', ');
  return [
    `${judged} answers: the oldest was ${oldestMs} ms old, and ${oldestDeafMs} ms without notices.`,
    `${observed} observed changes, ${judged} answers judged on 3 servers (2 with a replica), ${sources.memory} from memory and ${sources.database} read. Faults: ${faultsText}; the promotions lost ${lost} commits. Seed ${seed}.`,
    `No server sent an answer older than one it had sent, and no ETag stood for two bodies. The oldest answer: ${oldestMs} ms after the commit while servers heard notices (must be under ${promptMs}), ${oldestDeafMs} ms while they might not (must be under 5000).`,
  ];
}
