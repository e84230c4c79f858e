import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from '../src/database/pool.ts';
import { createPool } from '../src/database/pool.ts';
import { createKeyForAccount } from '../src/keys/store.ts';
import type { FeedRecord, TournamentRecord } from '../src/record/feed/records.ts';
import { dayOf } from '../src/world/dates.ts';
import { eventFeed } from '../src/world/one-event.ts';
import { startPostgres } from '../scripts/postgres.ts';
import { withDatabase } from '../test/proofs/proof.ts';
import { publishFeed } from '../test/support/publish-feed.ts';
import { databaseUrl, onServer } from '../test/support/on-server.ts';
import { machineLine, machineOf } from './machine.ts';
import type { Measurement } from './measurement.ts';
import { ended, startServe, type ServeProcess } from './serve-process.ts';
import { quantile } from './spread.ts';
import { root } from './world.ts';

// Which p99 we want is a time, so it is not a bar: it is only printed.
const events = [
  { players: 32, rounds: 5, results: 200, wantedMs: 100 },
  { players: 1_000, rounds: 8, results: 60, wantedMs: 250 },
];
const pollMs = 4;
const patienceMs = 20_000;

/** From the commit of a result to the moment when each of three instances shows it. Two of them read a replica. */
export const fresh: Measurement = async (options) => {
  const primary = await startPostgres();
  try {
    // The replica starts from a stopped copy, so the primary restarts with the setting.
    await onServer(primary.url, 'alter system set track_commit_timestamp = on');
    const replica = await primary.startStandby();
    return await withDatabase(primary.url, async (url) => {
      const pool = createPool(url, { applicationName: 'wartable-bench', size: 2 });
      const replicaUrl = databaseUrl(replica.url, new URL(url).pathname.slice(1));
      const instances: ServeProcess[] = [];
      try {
        const { key } = await createKeyForAccount(pool, 'bench');
        const machine = machineLine(await machineOf(pool));
        const lines = [machine];
        const figures: Record<string, unknown> = { machine };
        for (const reads of ['', replicaUrl, replicaUrl]) {
          instances.push(await startServe(url, { READ_URLS: reads }));
        }
        for (const { players, rounds, results, wantedMs } of events) {
          const name = `${players} players, ${rounds} rounds`;
          options.say(`${name} …`);
          const event = await publishEvent(pool, players, rounds);
          const delays = await delaysOf({ url, pool, key, instances, event, results });
          const byInstance = delays.map((each) => ({ p50: rounded(each, 0.5), p99: rounded(each, 0.99) }));
          const all = delays.flat();
          const [p50, p99] = [rounded(all, 0.5), rounded(all, 0.99)];
          figures[name] = { results, p50, p99, wantedP99: wantedMs, byInstance };
          lines.push(
            `${name}, ${results} results: p50 ${p50} ms, p99 ${p99} ms (we want at most ${wantedMs} ms)`,
            `  primary ${shown(byInstance[0])}; replica ${shown(byInstance[1])}; replica ${shown(byInstance[2])}`,
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
async function publishEvent(pool: Pool, players: number, rounds: number): Promise<Event> {
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
  await pool.query('vacuum analyze');
  return event;
}

interface Scene {
  url: string;
  pool: Pool;
  key: string;
  instances: ServeProcess[];
  event: Event;
  results: number;
}

/** Milliseconds, by instance. One result follows the other, after a pause of random length. */
async function delaysOf({ url, pool, key, instances, event, results }: Scene): Promise<number[][]> {
  const importer = spawn(process.execPath, ['src/cli.ts', 'import', '-'], {
    cwd: root,
    env: { PATH: process.env['PATH'] ?? '', DATABASE_URL: url },
  });
  const errors = text(importer.stderr);
  importer.stdout.resume();
  const delays = instances.map((): number[] => []);
  const decided = event.battles.filter(({ winner }) => winner !== null && winner !== undefined);
  const watchers = instances.map(({ origin }) =>
    watcher(`${origin}/api/v1/tournaments/${event.slug}/standings`, key),
  );
  try {
    for (let i = 0; i < results; i += 1) {
      const battle = decided[i % decided.length];
      assert.ok(battle);
      const [first, second] = battle.sides;
      // Each turn through the battles changes the winner again.
      const isOdd = Math.floor(i / decided.length) % 2 === 1;
      const other = battle.winner === first?.participant ? second?.participant : first?.participant;
      const winner = (isOdd ? battle.winner : other) ?? null;
      const before = await Promise.all(watchers.map((watch) => watch.now()));
      importer.stdin.write(
        `${JSON.stringify({ kind: 'battle', tournament: event.slug, ...battle, winner })}\n`,
      );
      const shownAt = await Promise.all(watchers.map((watch, each) => watch.untilOther(before[each] ?? '')));
      const committedAt = await commitTime(pool, battle.id);
      for (const [each, at] of shownAt.entries()) delays[each]?.push(at - committedAt);
      await sleep(Math.random() * 300);
    }
    importer.stdin.end();
    const [code] = (await once(importer, 'close')) as [number];
    assert.equal(code, 0, await errors);
  } finally {
    await ended(importer);
  }
  return delays;
}

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

function rounded(delays: number[], share: number): number {
  return Math.round(
    quantile(
      delays.toSorted((a, b) => a - b),
      share,
    ),
  );
}

function shown(figures: { p50: number; p99: number } | undefined): string {
  return `${figures?.p50} / ${figures?.p99} ms`;
}
