import { inTransaction } from '../database/pool.ts';
import { readCasualBattles } from '../record/read-battles.ts';
import { Changes } from './changes.ts';
import { compareBattles } from './compare.ts';
import { casualBattleDocuments } from './documents.ts';
import { lockKind, readMarks, settleMarks } from './marks.ts';
import { type Batch, derive, type Movement, notDerived } from './movement.ts';
import { clockRevision, moveRevisions } from './revisions.ts';
import { inSnapshot } from './snapshot.ts';
import { readStoredBattles } from './stored.ts';

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
      const failed = new Set(batch.failed.map(({ key }) => key));
      // A battle that has become a tournament's is published with it.
      const stored = (await readStoredBattles(writer, ids)).filter(
        ({ id, tournament }) => tournament === null && !failed.has(id),
      );
      const changes = new Changes();
      const clock = await clockRevision(writer);
      compareBattles(changes, new Map(stored.map((battle) => [battle.id, battle])), fresh, clock);
      await settleMarks(writer, marks, batch.failed);
      await changes.write(writer);
      await moveRevisions(writer, changes);
      batch.things = ids.length - failed.size;
      batch.rows = changes.rows;
      return batch;
    }),
};
