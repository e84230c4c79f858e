import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Pool } from '../src/database/pool.ts';
import { createPool } from '../src/database/pool.ts';
import { publishedChannel } from '../src/publish/published-notice.ts';
import { createKeyForAccount } from '../src/keys/store.ts';
import type { FeedRecord, TournamentRecord } from '../src/record/feed/records.ts';
import { dayOf } from '../src/world/dates.ts';
import { eventFeed } from '../src/world/one-event.ts';
import { startPostgres } from '../scripts/postgres.ts';
import { withDatabase } from '../test/proofs/proof.ts';
import { publishFeed } from '../test/support/publish-feed.ts';
import { databaseUrl } from '../test/support/on-server.ts';
import { machineLine, machineOf } from '../scripts/machine.ts';
import type { Measurement } from './measurement.ts';
import { ended, startServe, type ServeProcess } from './serve-process.ts';
import { quantile } from './spread.ts';
import { root } from './world.ts';

// Times are no bars: they are only printed.
const events = [
  { players: 32, rounds: 5, results: 200, wantedMs: 100 },
  { players: 1_000, rounds: 8, results: 60, wantedMs: 250 },
];
const quickEvents = [{ players: 32, rounds: 5, results: 40, wantedMs: 100 }];
/** The results of a round of the large event. The time that we want is from the last line to the last answer. */
const wave = { results: 500, withinMs: 2_000, wantedMs: 1_000, mostPublishes: 20 };
const pollMs = 4;
const patienceMs = 20_000;
/** The battles from here on have the recorded winner when the waves begin. */
const unchanged = 1_000;
/** Long after a wave all its results are shown. */
const settledMs = 8_000;

/**
 * From the commit of a result to the moment when each of three instances shows it. Two of them read a replica. Then a wave
 * of results. `--quick`: only the small event, on one instance without a replica.
 */
export const fresh: Measurement = async (options) => {
  const primary = await startPostgres(undefined, ['track_commit_timestamp = on']);
  try {
    const replica = options.quick ? undefined : await primary.startStandby();
    return await withDatabase(primary.url, async (url) => {
      const pool = createPool(url, { applicationName: 'wartable-bench', size: 2 });
      const replicaUrl = replica && databaseUrl(replica.url, new URL(url).pathname.slice(1));
      const instances: ServeProcess[] = [];
      try {
        const { key } = await createKeyForAccount(pool, 'bench');
        const machine = machineLine(await machineOf(pool));
        const lines = [machine];
        const figures: Record<string, unknown> = { machine };
        for (const reads of replicaUrl === undefined ? [''] : ['', replicaUrl, replicaUrl]) {
          instances.push(await startServe(url, { READ_URLS: reads }));
        }
        for (const { players, rounds, results, wantedMs } of options.quick ? quickEvents : events) {
          const name = `${players} players, ${rounds} rounds`;
          options.say(`${name} …`);
          const event = await publishEvent(pool, players, rounds);
          await pool.query('vacuum analyze');
          const scene = { url, pool, key, instances, event };
          const delays = await delaysOf(scene, results);
          const byInstance = delays.map((each) => ({ p50: rounded(each, 0.5), p99: rounded(each, 0.99) }));
          const all = delays.flat();
          const [p50, p99] = [rounded(all, 0.5), rounded(all, 0.99)];
          figures[name] = { results, p50, p99, wantedP99: wantedMs, byInstance };
          lines.push(
            `${name}, ${results} results: p50 ${p50} ms, p99 ${p99} ms (we want at most ${wantedMs} ms)`,
            `  ${byInstance.map((each, at) => `${at === 0 ? 'primary' : 'replica'} ${each.p50} / ${each.p99} ms`).join('; ')}`,
          );
          if (players < 1_000) continue;
          options.say('a wave …');
          const waves = [];
          for (let turn = 0; turn < 3; turn += 1) waves.push(await waveOf(scene, turn));
          figures['wave'] = { ...wave, waves };
          const list = waves
            .map(({ lastMs, publishes }) => `${lastMs} ms, ${publishes} publishes`)
            .join('; ');
          lines.push(
            `${wave.results} results within ${wave.withinMs} ms, three times: ${list}`,
            `  from the last line to the last answer (we want at most ${wave.wantedMs} ms and ${wave.mostPublishes} publishes)`,
          );
        }
        return { lines, figures, failures: [] };
      } finally {
        for (const instance of instances) await instance.close();
        await pool.end();
      }
    });
  } finally {
    await primary.remove();
  }
};

type Event = TournamentRecord & { battles: NonNullable<TournamentRecord['battles']> };

/** Publishes an event that is under way, with all its battles. */
export async function publishEvent(pool: Pool, players: number, rounds: number): Promise<Event> {
  const feed = eventFeed(
    { seed: 3, players, format: 'swiss', rounds, start: dayOf('2025-03-01') },
    'finished',
  );
  const finished = feed.find((record): record is TournamentRecord => record.kind === 'tournament');
  assert.ok(finished?.battles);
  const event: Event = {
    ...finished,
    battles: finished.battles,
    status: 'ongoing',
    participants: finished.participants?.map((each) => ({ ...each, finalPlacement: null })) ?? [],
  };
  await publishFeed(
    pool,
    feed.map((record): FeedRecord => (record === finished ? event : record)),
  );
  return event;
}

interface Scene {
  url: string;
  pool: Pool;
  key: string;
  instances: ServeProcess[];
  event: Event;
}

/** Milliseconds, by instance. One result follows the other, after a pause of random length. */
export async function delaysOf(scene: Scene, results: number): Promise<number[][]> {
  const delays = scene.instances.map((): number[] => []);
  const decided = decidedBattles(scene.event);
  const watchers = watchersOf(scene);
  await withImporter(scene.url, async (write) => {
    for (let i = 0; i < results; i += 1) {
      const battle = decided[i % decided.length];
      assert.ok(battle);
      const before = await Promise.all(watchers.map((watch) => watch.now()));
      // Each turn through the battles changes the winner again.
      write(resultLine(scene.event, battle, Math.floor(i / decided.length) % 2 === 0));
      const shownAt = await Promise.all(watchers.map((watch, each) => watch.untilOther(before[each] ?? '')));
      const committedAt = await commitTime(scene.pool, battle.id);
      for (const [each, at] of shownAt.entries()) delays[each]?.push(at - committedAt);
      await sleep(Math.random() * 300);
    }
  });
  return delays;
}

/** The results of a round, at random moments. From the last line to the moment when all instances show all results. */
async function waveOf(scene: Scene, turn: number): Promise<{ lastMs: number; publishes: number }> {
  const decided = decidedBattles(scene.event).slice(-wave.results);
  assert.equal(decided.length, wave.results);
  const watchers = watchersOf(scene);
  let publishes = 0;
  const listener = new pg.Client({ connectionString: scene.url });
  listener.on('notification', ({ payload = '' }) => {
    if (payload.includes(`"tournament":{"${scene.event.slug}"`)) publishes += 1;
  });
  await listener.connect();
  try {
    await listener.query(`listen ${publishedChannel}`);
    let lastMs = 0;
    await withImporter(scene.url, async (write) => {
      // The command starts, and the first result is no part of the wave.
      const before = await Promise.all(watchers.map((watch) => watch.now()));
      const first = decidedBattles(scene.event)[unchanged + turn];
      assert.ok(first);
      write(resultLine(scene.event, first, true));
      await Promise.all(watchers.map((watch, each) => watch.untilOther(before[each] ?? '')));
      await sleep(500);
      publishes = 0;
      const moments = decided.map(() => Math.random() * wave.withinMs).toSorted((a, b) => a - b);
      const begunAt = Date.now();
      for (const [i, battle] of decided.entries()) {
        await sleep(Math.max(0, begunAt + (moments[i] ?? 0) - Date.now()));
        write(resultLine(scene.event, battle, turn % 2 === 0));
      }
      const lastAt = Date.now();
      const changedAt = await Promise.all(watchers.map((watch) => watch.lastChangeUntil(lastAt + settledMs)));
      const { rows } = await scene.pool.query('select from record.stale limit 1');
      assert.equal(rows.length, 0, 'the wave is not published');
      lastMs = Math.max(...changedAt) - lastAt;
    });
    return { lastMs, publishes };
  } finally {
    await listener.end();
  }
}

const decidedBattles = ({ battles }: Event): Event['battles'] =>
  battles.filter(({ winner }) => winner !== null && winner !== undefined);

/** A line of the feed with the recorded winner, or with the other one. */
function resultLine({ slug }: Event, battle: Event['battles'][number], isOther: boolean): string {
  const [first, second] = battle.sides;
  const other = battle.winner === first?.participant ? second?.participant : first?.participant;
  const winner = (isOther ? other : battle.winner) ?? null;
  return `${JSON.stringify({ kind: 'battle', tournament: slug, ...battle, winner })}\n`;
}

/** Lends `wartable import -`, and ends it. */
async function withImporter(
  url: string,
  work: (write: (line: string) => void) => Promise<void>,
): Promise<void> {
  const importer = spawn(process.execPath, ['src/cli.ts', 'import', '-'], {
    cwd: root,
    env: { PATH: process.env['PATH'] ?? '', DATABASE_URL: url },
  });
  const errors = text(importer.stderr);
  importer.stdout.resume();
  try {
    await work((line) => void importer.stdin.write(line));
    importer.stdin.end();
    const [code] = (await once(importer, 'close')) as [number];
    assert.equal(code, 0, await errors);
  } finally {
    await ended(importer);
  }
}

const watchersOf = ({ instances, event, key }: Scene) =>
  instances.map(({ origin }) => watcher(`${origin}/api/v1/tournaments/${event.slug}/standings`, key));

function watcher(url: string, key: string) {
  const authorization = `Bearer ${key}`;
  const ask = async (tag: string): Promise<string | undefined> => {
    const response = await fetch(url, { headers: { authorization, 'if-none-match': tag } });
    await response.arrayBuffer();
    assert.ok([200, 304].includes(response.status), `${url}: ${response.status}`);
    return response.status === 200 ? (response.headers.get('etag') ?? '') : undefined;
  };
  return {
    now: async () => (await ask('"none"')) ?? '',
    /** The moment when the answer has another tag. */
    untilOther: async (tag: string): Promise<number> => {
      const giveUpAt = Date.now() + patienceMs;
      while ((await ask(tag)) === undefined) {
        assert.ok(Date.now() < giveUpAt, `nothing new at ${url}`);
        await sleep(pollMs);
      }
      // PostgreSQL has the same clock.
      return Date.now();
    },
    /** The moment of the last change that this saw. */
    lastChangeUntil: async (end: number): Promise<number> => {
      let [tag, changedAt] = ['"none"', 0];
      for (; Date.now() < end; await sleep(pollMs)) {
        const other = await ask(tag);
        if (other !== undefined) [tag, changedAt] = [other, Date.now()];
      }
      return changedAt;
    },
  };
}

async function commitTime(pool: Pool, battle: string): Promise<number> {
  const { rows } = await pool.query<{ at: number }>(
    'select (extract(epoch from pg_xact_commit_timestamp(xmin)) * 1000)::float8 as at from record.battle where id = $1',
    [battle],
  );
  assert.ok(rows[0]);
  return rows[0].at;
}

export function rounded(delays: number[], share: number): number {
  return Math.round(
    quantile(
      delays.toSorted((a, b) => a - b),
      share,
    ),
  );
}
