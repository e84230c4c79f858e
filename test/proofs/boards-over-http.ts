import assert from 'node:assert/strict';
import { createPool } from '../../src/database/pool.ts';
import { createKeyForAccount } from '../../src/keys/store.ts';
import { publishStale } from '../../src/publish/publisher.ts';
import { dayOf } from '../../src/world/dates.ts';
import { world } from '../../src/world/world.ts';
import { importText } from '../support/feed.ts';
import { onClient, type Proof, withDatabase } from './proof.ts';
import { recomputeBoards } from './recompute-boards.ts';
import { startProofServer } from './serving.ts';

/**
 * Imports, publishes and serves a world. Then a caller recomputes every board from the battles, over HTTP only. We give
 * the caller the facts that the API does not show: byes, adjustments, carried-over stages, another order of tie-breaks.
 */
export const boardsOverHttp: Proof = ({ serverUrl, size }) =>
  withDatabase(serverUrl, async (url) => {
    const battles = size === 'stated' ? 20_000 : 1_000;
    await onClient(url, async (client) => {
      const records = world({ seed: 8, battles, from: dayOf('2024-01-01'), today: dayOf('2026-06-30') });
      const lines = [...records].map((record) => JSON.stringify(record));
      assert.deepEqual((await importText(client, `${lines.join('\n')}\n`)).refusals, []);
    });
    const pool = createPool(url, { applicationName: 'proof', size: 8 });
    const { failed } = await publishStale(pool);
    assert.deepEqual(failed, []);
    const { key } = await createKeyForAccount(pool, 'statistician');
    const hidden = await whatNobodyCanSee(url);
    await pool.end();

    const server = await startProofServer(url);
    try {
      const { differences, ...found } = await recomputeBoards(server.apiUrl, key, hidden);
      assert.deepEqual(differences.slice(0, 5), []);
      assert.ok(found.boards > 0 && found.rowsWithoutId > 0 && found.ranks > 0);
      return [
        `A world of ${battles} battles, over HTTP alone: ${found.boards} boards recomputed from participants and battles. Exactly the expected ${found.rows} rows, ${found.rowsWithoutId} of them without an id, with ${found.numbers} numbers and ${found.ranks} ranks: no difference.`,
      ];
    } finally {
      await server.close();
    }
  });

/** By tournament: the stages whose boards count more than battles, and whether it has its own order of tie-breaks. */
async function whatNobodyCanSee(url: string): Promise<Map<string, { stages: Set<string>; order: boolean }>> {
  return onClient(url, async (client) => {
    const { rows } = await client.query<{ slug: string; stages: string[]; order: boolean }>(`
      select t.slug,
        array(select stage from record.bye b where b.tournament_id = t.id
          union select stage from record.adjustment a where a.tournament_id = t.id
          union select id from record.stage s where s.tournament_id = t.id and s.carries_over is not null) as stages,
        t.tie_breaks[1] is distinct from 'battlePoints' as "order"
      from record.tournament t`);
    return new Map(rows.map(({ slug, stages, order }) => [slug, { stages: new Set(stages), order }]));
  });
}
