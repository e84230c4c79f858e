import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from '../src/database/pool.ts';
import type { FeedRecord, TournamentRecord } from '../src/record/feed/records.ts';
import { dayNumber } from '../src/world/dates.ts';
import { eventFeed } from '../src/world/one-event.ts';
import { publishFeed } from '../harness/support/publish-feed.ts';
import { ended, type ServeProcess } from '../harness/measure/serve-process.ts';
import { type World } from './world.ts';
import { root } from '../harness/support/root.ts';

// Measures the time from the commit of a result until a server shows it.

const pollMs = 4;
const patienceMs = 20_000;

type Event = TournamentRecord & { battles: NonNullable<TournamentRecord['battles']> };

/** Publishes an ongoing event of 32 players, with all its battles. */
export async function publishEvent(pool: Pool): Promise<Event> {
  const feed = eventFeed(
    { seed: 3, players: 32, format: 'swiss', rounds: 5, start: dayNumber('2025-03-01') },
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

/** Returns the delays in milliseconds. One result follows the other, after a pause of random length. */
export async function delaysOf(
  { url, pool, key }: World,
  { origin }: ServeProcess,
  { slug, battles }: Event,
  results: number,
): Promise<number[]> {
  const delays: number[] = [];
  const decided = battles.filter(({ winner }) => winner !== null && winner !== undefined);
  const importer = spawn(process.execPath, ['src/cli.ts', 'import', '-'], {
    cwd: root,
    env: { PATH: process.env['PATH'] ?? '', DATABASE_URL: url },
  });
  const errors = text(importer.stderr);
  importer.stdout.resume();
  const standings = `${origin}/api/v1/tournaments/${slug}/standings`;
  try {
    for (const battle of decided.slice(0, results)) {
      const [first, second] = battle.sides;
      const winner = battle.winner === first?.participant ? second?.participant : first?.participant;
      const tag = await tagOf(standings, key);
      importer.stdin.write(`${JSON.stringify({ kind: 'battle', tournament: slug, ...battle, winner })}\n`);
      for (
        const giveUpAt = Date.now() + patienceMs;
        (await tagOf(standings, key)) === tag;
        await sleep(pollMs)
      )
        assert.ok(Date.now() < giveUpAt, `nothing new at ${standings}`);
      // PostgreSQL uses the same clock.
      delays.push(Date.now() - (await commitTime(pool, battle.id)));
      await sleep(Math.random() * 300);
    }
    importer.stdin.end();
    const [code] = (await once(importer, 'close')) as [number];
    assert.equal(code, 0, await errors);
    return delays.toSorted((a, b) => a - b);
  } finally {
    await ended(importer);
  }
}

async function tagOf(url: string, key: string): Promise<string | null> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
  await response.arrayBuffer();
  assert.equal(response.status, 200, url);
  return response.headers.get('etag');
}

async function commitTime(pool: Pool, battle: string): Promise<number> {
  const { rows } = await pool.query<{ at: number }>(
    'select (extract(epoch from pg_xact_commit_timestamp(xmin)) * 1000)::float8 as at from record.battle where id = $1',
    [battle],
  );
  assert.ok(rows[0]);
  return rows[0].at;
}
