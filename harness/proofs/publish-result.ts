import assert from 'node:assert/strict';
import type pg from 'pg';
import { median } from '../measure/spread.ts';
import { createPool, type Pool } from '../../src/database/pool.ts';
import { markEverything } from '../../src/publish/mark-all.ts';
import { publishBacklog } from '../../src/publish/publisher.ts';
import type { TournamentRecord } from '../../src/record/feed/records.ts';
import { dayNumber } from '../../src/world/dates.ts';
import { eventFeed } from '../../src/world/one-event.ts';
import { importLines } from '../support/feed.ts';
import { onClient, type Proof, timed, withDatabase } from './proof.ts';

const resultsPerTurn = 5;
/** The table, what pages show of it, the battle, the two players and their clubs, and the change. */
const maxRows = 20;
/**
 * A publisher that derived the whole event for each result would cost 1, however few rows it then wrote. A
 * third leaves room for the noise of a shared machine, and for the table, which does have to be derived again.
 */
const maxRatio = 0.33;

/**
 * Compares publishing one result of a large running event with deriving everything again and finding no
 * difference, in the same run. Counts the rows that a result writes.
 */
export const publishResult: Proof = ({ serverUrl, size }) =>
  withDatabase(serverUrl, (url) =>
    onClient(url, async (client) => {
      const pool = createPool(url, { applicationName: 'proof', size: 8 });
      try {
        return await measure(client, pool, size === 'stated' ? 1_000 : 100, size === 'stated');
      } finally {
        await pool.end();
      }
    }),
  );

async function measure(client: pg.Client, pool: Pool, players: number, isStated: boolean): Promise<string[]> {
  const feed = eventFeed(
    { seed: 3, players, format: 'swiss', rounds: 8, start: dayNumber('2025-03-01') },
    'finished',
  );
  const finished = feed.find((record): record is TournamentRecord => record.kind === 'tournament');
  assert.ok(finished?.battles);
  const event: TournamentRecord = {
    ...finished,
    status: 'ongoing',
    participants: finished.participants?.map((each) => ({ ...each, finalPlacement: null })) ?? [],
  };
  const told = feed.map((record) => (record === finished ? event : record));
  assert.deepEqual((await importLines(client, told)).refusals, []);
  await publishBacklog(pool);
  await client.query('analyze');

  const wholes: number[] = [];
  const results: number[] = [];
  const unchanged: number[] = [];
  let mostRows = 0;
  for (let turn = 0; turn < 5; turn += 1) {
    await client.query(
      'truncate published.tournament, published.standings, published.participant, published.battle, published.battle_detail, published.player_battle, published.club_battle, published.player_tournament',
    );
    await markEverything(pool);
    wholes.push(await timed(() => publishBacklog(pool)));
    for (const battle of finished.battles.slice(turn * resultsPerTurn, (turn + 1) * resultsPerTurn)) {
      assert.ok(battle.winner);
      const [first, second] = battle.sides;
      const winner = battle.winner === first?.participant ? second?.participant : first?.participant;
      await importLines(client, [
        { kind: 'battle', tournament: event.slug, ...battle, winner: winner ?? null },
      ]);
      results.push(
        await timed(async () => {
          const { rows } = await publishBacklog(pool);
          assert.ok(rows > 0 && rows <= maxRows, `a result wrote ${rows} rows, must be at most ${maxRows}`);
          mostRows = Math.max(mostRows, rows);
        }),
      );
    }
    await markEverything(pool);
    unchanged.push(
      await timed(async () => {
        const { rows } = await publishBacklog(pool);
        assert.equal(rows, 0, 'unchanged documents were written again');
      }),
    );
  }

  await importLines(client, [event]);
  await publishBacklog(pool);
  await importLines(client, [event]);
  assert.equal((await publishBacklog(pool)).rows, 0, 'the unchanged event was written again');

  const [whole, result, again] = [median(wholes), median(results), median(unchanged)];
  const ratio = (result / again).toFixed(2);
  if (isStated)
    assert.ok(
      result / again <= maxRatio,
      `a result cost ${ratio} of deriving everything, must be at most ${maxRatio}`,
    );
  return [
    `${mostRows} rows, and ${ratio} of the time, with ${players} players and ${finished.battles.length} battles.`,
    `An event of ${players} players with ${finished.battles.length} battles, published whole: ${(whole * 1000).toFixed(0)} ms; derived again without a change: ${(again * 1000).toFixed(0)} ms and no row; one changed result: ${(result * 1000).toFixed(0)} ms and at most ${mostRows} rows deleted or written (medians of ${wholes.length}, ${unchanged.length} and ${results.length}).`,
  ];
}
