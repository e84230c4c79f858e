import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { createPool } from '../../src/database/pool.ts';
import { publishStale } from '../../src/publish/publisher.ts';
import type { FeedRecord } from '../../src/record/feed/records.ts';
import { dayOf } from '../../src/world/dates.ts';
import { world } from '../../src/world/world.ts';
import { allFacts, importLines } from '../support/feed.ts';
import { publishedRows } from '../support/published.ts';
import { cloner, onClient, type Proof, untilAlone, withDatabase } from './proof.ts';

/**
 * Kills an erasure at moments spread over all of its statements. Then the record must be completely as before or
 * completely as after, with the deed or without it. What the next publisher publishes must fit the record.
 */
export const eraseKill: Proof = ({ serverUrl, size }) =>
  withDatabase(serverUrl, async (url) => {
    const kills = size === 'stated' ? 20 : 4;
    const records = [
      ...world({
        seed: 12,
        battles: size === 'stated' ? 2_000 : 150,
        from: dayOf('2025-01-01'),
        today: dayOf('2025-12-31'),
      }),
    ];
    const player = busiest(records);
    const name = records.find((record) => record.kind === 'player' && record.id === player);
    assert.ok(name?.kind === 'player' && name.name);
    await onClient(url, async (client) => {
      await importLines(client, records);
      await importLines(client, mentionsOf(name.name ?? '', records));
    });
    await publish(url);
    const before = await onClient(url, stateOf);
    const clone = cloner(serverUrl, url);
    const { counted, after } = await clone(async (copy) => ({
      counted: JSON.parse(await runChild(copy, { PLAYER: player })) as Counted,
      after: await onClient(copy, stateOf),
    }));
    assert.notDeepEqual(after, before);
    let done = 0;
    for (let kill = 0; kill < kills; kill += 1) {
      await clone(async (copy) => {
        await runChild(copy, {
          PLAYER: player,
          KILL_AT: String(momentOf(kill, kills, counted)),
          KILL_AFTER: String((kill % 4) / 2),
        });
        await onClient(copy, untilAlone);
        const { published: _, ...record } = await onClient(copy, stateOf);
        const isDone = JSON.stringify(record.facts) === JSON.stringify(after.facts);
        const expected = isDone ? after : before;
        assert.deepEqual(
          record,
          { facts: expected.facts, deeds: expected.deeds },
          'neither before nor after',
        );
        if (isDone) done += 1;
        await publish(copy);
        assert.deepEqual((await onClient(copy, stateOf)).published, expected.published);
      });
    }
    assert.ok(done > 0 && done < kills, `${done} of ${kills} kills fell after the commit`);
    return [
      `${kills} kills at moments spread over the ${counted.sent} statements of an erasure of a player in ${playedIn(records, player)} tournaments, ${done} of them after the commit. Each time the record was completely as before or completely as after, and the next publisher published exactly that.`,
    ];
  });

interface Counted {
  searched: number;
  erased: number;
  sent: number;
}

/** Two of three moments fall into the transaction, the others into the publishing. */
function momentOf(kill: number, kills: number, { searched, erased, sent }: Counted): number {
  const share = (kill + 0.5) / kills;
  if (share < 2 / 3) return searched + 1 + Math.floor((erased - searched) * share * 1.5);
  return erased + 1 + Math.floor((sent - erased) * (share - 2 / 3) * 3);
}

function busiest(records: FeedRecord[]): string {
  const counts = new Map<string, number>();
  const gone = new Set<string>();
  for (const record of records) {
    if (record.kind === 'player' && record.erased) gone.add(record.id);
    if (record.kind === 'remove' && record.of === 'player') gone.add(record.id);
    if (record.kind !== 'tournament') continue;
    for (const { player } of record.participants ?? [])
      if (player) counts.set(player, (counts.get(player) ?? 0) + 1);
  }
  return [...counts].filter(([id]) => !gone.has(id)).toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? '';
}

const playedIn = (records: FeedRecord[], player: string): number =>
  records.filter(
    (record) =>
      record.kind === 'tournament' && record.participants?.some((each) => each.player === player) === true,
  ).length;

const mentionsOf = (name: string, records: FeedRecord[]): FeedRecord[] =>
  records
    .flatMap((record) => (record.kind === 'club' ? record.slug : []))
    .slice(0, 3)
    .map((slug) => ({ kind: 'club', slug, description: `Thanks to ${name}.` }));

async function stateOf(client: pg.Client) {
  const { rows: deeds } = await client.query('select deed, kind, thing from audit.deed order by id');
  return { facts: await allFacts(client), deeds, published: await publishedRows(client) };
}

async function publish(url: string): Promise<void> {
  const pool = createPool(url, { applicationName: 'erase-kill', size: 4 });
  try {
    assert.deepEqual((await publishStale(pool)).failed, []);
  } finally {
    await pool.end();
  }
}

/** Returns what it printed, or nothing if it was killed. */
async function runChild(url: string, environment: Record<string, string>): Promise<string> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('erase-child.ts', import.meta.url))], {
    env: { ...process.env, DATABASE_URL: url, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const printed = await text(child.stdout);
  const [code, signal] = (await ended) as [number | null, string | null];
  if (environment['KILL_AT'] === undefined) assert.equal(code, 0);
  else assert.ok(signal === 'SIGKILL' || code === 0);
  return printed;
}
