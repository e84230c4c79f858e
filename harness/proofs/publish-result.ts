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
const maxRatio = 0.08;

/**
 * Compares publishing one result of a large running event with publishing the whole event, in the same run;
 * also with the event sent again.
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
  let rows = 0;
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
          ({ rows } = await publishBacklog(pool));
        }),
      );
      assert.ok(rows > 0);
    }
  }

  await importLines(client, [event]);
  await publishBacklog(pool);
  await importLines(client, [event]);
  assert.equal((await publishBacklog(pool)).rows, 0, 'the unchanged event was written again');

  const [whole, result] = [median(wholes), median(results)];
  if (isStated)
    assert.ok(
      result / whole <= maxRatio,
      `a result cost ${(result / whole).toFixed(3)} of the whole, must be at most ${maxRatio}`,
    );
  return [
    `${(result / whole).toFixed(3)} of ${players} players, ${finished.battles.length} battles.`,
    `A tournament of ${players} players with ${finished.battles.length} battles published whole: ${(whole * 1000).toFixed(0)} ms; one changed result: ${(result * 1000).toFixed(0)} ms and ${rows} rows deleted or written. Ratio of the times: ${(result / whole).toFixed(3)} (medians of ${wholes.length} and ${results.length}); must be at most ${maxRatio}.`,
    'The same tournament sent again, unchanged: 0 rows written.',
  ];
}
