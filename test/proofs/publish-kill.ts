import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { FeedRecord } from '../../src/record/feed/records.ts';
import { stream } from '../../src/world/chance/random.ts';
import { dayOf } from '../../src/world/dates.ts';
import { world } from '../../src/world/world.ts';
import { importLines } from '../support/feed.ts';
import { publishedRows, rowsByThing } from '../support/published.ts';
import { cloner, onClient, type Proof, untilAlone, withDatabase } from './proof.ts';

/**
 * Kills a publisher at a random moment. Then all rows of each tournament and casual battle must be old, or all must be
 * new, and publishing again must give the same bytes as a run without a kill.
 */
export const publishKill: Proof = ({ serverUrl, size }) =>
  withDatabase(serverUrl, async (url) => {
    const kills = size === 'stated' ? 50 : 3;
    const records = [
      ...world({
        seed: 21,
        battles: size === 'stated' ? 3_000 : 300,
        from: dayOf('2025-01-01'),
        today: dayOf('2025-12-31'),
      }),
    ];
    await onClient(url, (client) => importLines(client, records));
    await runChild(url);
    // Changes of things that the world has removed are refused. The others are enough.
    await onClient(url, (client) => importLines(client, changesOf(records)));

    const clone = cloner(serverUrl, url);
    const before = await onClient(url, rowsByThing);
    const { whole, after, milliseconds } = await clone(async (copy) => ({
      milliseconds: await runChild(copy),
      whole: await onClient(copy, publishedRows),
      after: await onClient(copy, rowsByThing),
    }));
    const random = stream(Number(process.env['KILL_SEED'] ?? Date.now() % 100_000), 'kills');
    let within = 0;
    let killed = 0;
    // A few kills may all come too early, or all too late.
    for (; killed < kills || (within === 0 && killed < 10 * kills); killed += 1) {
      const isWithin = await clone(async (copy) => {
        await runChild(copy, random.unit() * milliseconds);
        const fresh = await onClient(copy, async (client) => {
          await untilAlone(client);
          const now = await rowsByThing(client);
          let changed = 0;
          for (const thing of new Set([...before.keys(), ...after.keys(), ...now.keys()])) {
            if (now.get(thing) === before.get(thing)) continue;
            assert.equal(now.get(thing), after.get(thing), `${thing} is neither as before nor as after`);
            changed += 1;
          }
          return changed;
        });
        await runChild(copy);
        await onClient(copy, async (client) => {
          assert.deepEqual(await publishedRows(client), whole, 'publishing again completes it');
          const { rows } = await client.query('select from record.stale');
          assert.equal(rows.length, 0);
        });
        return fresh > 0;
      });
      if (isWithin) within += 1;
    }
    assert.ok(within > 0, 'no kill fell between the first commit and the last');
    return [
      `${killed} kills at random moments of publishing ${after.size} tournaments and casual battles, ${within} of them after some were published. Each time every thing was completely old or completely new, and the second run gave the same bytes as a run that was never killed.`,
    ];
  });

/** Changes something in every tournament, and names that many of them show. */
function changesOf(records: FeedRecord[]): FeedRecord[] {
  const changes: FeedRecord[] = [];
  for (const record of records) {
    if (record.kind === 'player' && record.id.endsWith('1')) {
      changes.push({ kind: 'player', id: record.id, name: `Renamed ${record.id}` });
    }
    if (record.kind === 'tournament') {
      const battles = record.battles?.map((battle) => ({ ...battle, scenario: 'Last Ferry' }));
      const name = `${record.name ?? record.slug}, told again`;
      changes.push({ kind: 'tournament', slug: record.slug, name, ...(battles ? { battles } : {}) });
    }
  }
  return changes;
}

/** Runs a publisher to its end, or kills it. Returns the milliseconds from its start to its end. */
async function runChild(url: string, killAfter?: number): Promise<number> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('publish-child.ts', import.meta.url))], {
    env: { ...process.env, DATABASE_URL: url },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  await once(child.stdout, 'data');
  const startedAt = performance.now();
  child.stdout.resume();
  if (killAfter !== undefined) {
    await Promise.race([sleep(killAfter), ended]);
    child.kill('SIGKILL');
  }
  const [code] = (await ended) as [number | null];
  if (killAfter === undefined) assert.equal(code, 0);
  return performance.now() - startedAt;
}
