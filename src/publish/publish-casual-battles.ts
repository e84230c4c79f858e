import { readCasualBattles } from '../record/read-battles.ts';
import { Changes } from './changes.ts';
import { compareBattles } from './compare.ts';
import { type BattleDocuments, casualBattleDocuments } from './documents.ts';
import { lockKind, readMarks, settleMarks } from './marks.ts';
import { type Batch, derive, type Movement, notDerived } from './movement.ts';
import { clockRevision, moveRevisions } from './revisions.ts';
import { inPublication, inSnapshot } from './transactions.ts';
import { readStoredBattles, type StoredBattle } from './stored.ts';

export const casualBattleMovement: Movement = {
  kind: 'battle',
  most: 1_000,
  publish: (pool, settings, ids) =>
    inPublication(pool, async (writer) => {
      const batch: Batch = { things: 0, rows: 0, failed: [] };
      if (!(await lockKind(writer, 'battle'))) return batch;
      const { marks, battles } = await inSnapshot(pool, async (reader) => ({
        marks: await readMarks(reader, 'battle', ids),
        battles: await readCasualBattles(reader, ids),
      }));
      // Whose each is and what is published of it come from one statement. What is a tournament's is none of our business,
      // and what shall be casual has to wait until that one has been published without it.
      const published = await readStoredBattles(writer, ids);
      const stored = new Map(published.filter(isCasual).map((battle) => [battle.id, battle]));
      const owners = new Map(
        published.filter((battle) => !isCasual(battle)).map((b) => [b.id, b.tournament]),
      );
      const fresh: BattleDocuments[] = [];
      batch.postponed = [];
      for (const battle of battles) {
        const key = battle.id;
        const owner = owners.get(key);
        if (owner !== undefined) {
          const reason = `the battle is still published with tournament ${owner}`;
          batch.postponed.push({ kind: 'battle', key, reason });
          continue;
        }
        const documents = derive(batch, 'battle', key, () => casualBattleDocuments(battle, settings.siteUrl));
        if (documents === notDerived) stored.delete(key);
        else fresh.push(documents);
      }
      const waiting = new Set(batch.postponed.map(({ key }) => key));
      const changes = new Changes();
      compareBattles(changes, stored, fresh, { clock: await clockRevision(writer), before: stored });
      await settleMarks(
        writer,
        marks.filter(({ key }) => !waiting.has(key)),
        batch.failed,
      );
      await changes.write(writer);
      await moveRevisions(writer, changes);
      batch.things = ids.length - batch.failed.length - waiting.size;
      batch.rows = changes.rows;
      return batch;
    }),
};

const isCasual = ({ tournament }: StoredBattle): boolean => tournament === null;
