import { inTransaction } from '../database/pool.ts';
import { readCasualBattles } from '../record/read-battles.ts';
import { Changes } from './changes.ts';
import { compareBattles } from './compare.ts';
import { casualBattleDocuments } from './documents.ts';
import { lockKind, readMarks, settleMarks } from './marks.ts';
import { type Batch, derive, type Movement, notDerived } from './movement.ts';
import { clockRevision, moveRevisions } from './revisions.ts';
import { inSnapshot } from './snapshot.ts';
import { readOwners, readStoredBattles } from './stored.ts';

export const casualBattleMovement: Movement = {
  kind: 'battle',
  most: 1_000,
  publish: (pool, settings, ids) =>
    inTransaction(pool, async (writer) => {
      const batch: Batch = { things: 0, rows: 0, failed: [] };
      if (!(await lockKind(writer, 'battle'))) return batch;
      const { marks, battles } = await inSnapshot(pool, async (reader) => ({
        marks: await readMarks(reader, 'battle', ids),
        battles: await readCasualBattles(reader, ids),
      }));
      const fresh = battles
        .map((battle) =>
          derive(batch, 'battle', battle.id, () => casualBattleDocuments(battle, settings.siteUrl)),
        )
        .filter((documents) => documents !== notDerived);
      // A battle that was a tournament's is that tournament's until it has been published without it.
      const owners = new Map([...(await readOwners(writer, ids))].filter(([, owner]) => owner !== null));
      batch.postponed = [...owners].map(([key, owner]) => ({
        kind: 'battle',
        key,
        reason: `the battle is still published with tournament ${owner}`,
      }));
      const failed = new Set([...batch.failed, ...batch.postponed].map(({ key }) => key));
      const stored = (await readStoredBattles(writer, ids)).filter(({ id }) => !failed.has(id));
      const changes = new Changes();
      const clock = await clockRevision(writer);
      compareBattles(
        changes,
        new Map(stored.map((battle) => [battle.id, battle])),
        fresh.filter(({ id }) => !owners.has(id)),
        clock,
      );
      await settleMarks(
        writer,
        marks.filter(({ key }) => !owners.has(key)),
        batch.failed,
      );
      await changes.write(writer);
      await moveRevisions(writer, changes);
      batch.things = ids.length - failed.size;
      batch.rows = changes.rows;
      return batch;
    }),
};
