import { inTransaction } from '../database/pool.ts';
import { readCasualBattles } from '../record/read-battles.ts';
import { Changes } from './changes.ts';
import { compareBattles } from './compare.ts';
import { casualBattleDocuments } from './documents.ts';
import { MisfitError } from './misfit.ts';
import { deleteMarks, lockKind, noteReason, readMarks } from './marks.ts';
import type { Batch, Movement } from './movement.ts';
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
      const fresh = [];
      for (const battle of battles) {
        try {
          fresh.push(casualBattleDocuments(battle, settings.siteUrl));
        } catch (error) {
          if (!(error instanceof MisfitError)) throw error;
          batch.failed.push({ kind: 'battle', key: battle.id, reason: error.message });
          await noteReason(writer, 'battle', battle.id, error.message);
        }
      }
      const failed = new Set(batch.failed.map(({ key }) => key));
      // A battle that has become a tournament's is published with it.
      const stored = (await readStoredBattles(writer, ids)).filter(
        ({ id, tournament }) => tournament === null && !failed.has(id),
      );
      const changes = new Changes();
      const clock = await clockRevision(writer);
      compareBattles(changes, new Map(stored.map((battle) => [battle.id, battle])), fresh, clock);
      await deleteMarks(
        writer,
        marks.filter(({ key }) => !failed.has(key)),
      );
      await changes.write(writer);
      await moveRevisions(writer, changes);
      batch.things = ids.length - failed.size;
      batch.rows = changes.rows;
      return batch;
    }),
};
