import { inTransaction } from '../database/pool.ts';
import { readCasualBattles } from '../record/facts/read-battles.ts';
import { Changes } from './changes.ts';
import { compareBattles } from './compare.ts';
import { type BattleDocuments, casualBattleDocuments } from './derive/documents.ts';
import { lockKind, readMarks, settleMarks } from '../record/backlog/drain.ts';
import { derive, type KindPublisher, notDerived, nothingPublished } from './kind-publisher.ts';
import { lowerDerivation } from './mark-all.ts';
import { readNameless } from './site-rows/names.ts';
import { clockRevision, moveRevisions } from './revisions.ts';
import { inSnapshot } from './transactions.ts';
import { readStoredBattles, type StoredBattle } from './stored.ts';

export const casualBattlePublisher: KindPublisher = {
  kind: 'battle',
  max: 1_000,
  publish: (pool, ids, isRetry = false) =>
    inTransaction(pool, async (writer) => {
      const result = nothingPublished();
      if (!(await lockKind(writer, 'battle'))) return result;
      const { marks, battles } = await inSnapshot(pool, async (reader) => ({
        marks: await readMarks(reader, 'battle', ids),
        battles: await readCasualBattles(reader, ids),
      }));
      // One statement reads a battle's tournament and its digests, so they are consistent. A battle that is
      // published with a tournament is left alone. If it has become casual, it waits until the tournament is
      // published without it.
      const isThorough = isRetry || marks.some(({ rebuild }) => rebuild);
      const published = await readStoredBattles(writer, 'id', ids, isThorough);
      const stored = new Map(published.filter(isCasual).map((battle) => [battle.id, battle]));
      const blockers = new Map(
        published.flatMap(({ id, tournament }) => (tournament === null ? [] : [[id, tournament] as const])),
      );
      const fresh: BattleDocuments[] = [];
      for (const battle of battles) {
        const key = battle.id;
        const holder = blockers.get(key);
        if (holder !== undefined) {
          const reason = `the battle is still published with tournament ${holder}`;
          const waitsFor = { kind: 'tournament', key: holder } as const;
          result.postponed.push({ kind: 'battle', key, reason, waitsFor });
          continue;
        }
        const documents = derive(result, 'battle', key, () => casualBattleDocuments(battle));
        if (documents === notDerived) stored.delete(key);
        else fresh.push(documents);
      }
      const changes = new Changes();
      // Casual battles do not say which version of the derivations made them, so all of their rows are
      // compared.
      compareBattles(changes, stored, fresh, {
        clock: await clockRevision(writer),
        before: stored,
        isOutdated: true,
      });
      const named = fresh.flatMap(({ players }) => players);
      for (const player of await readNameless(writer, named)) {
        changes.named.gained.add(player);
        changes.moved.players.add(player);
      }
      await settleMarks(writer, marks, result);
      await lowerDerivation(writer, 'battle');
      await changes.write(writer, isThorough);
      await moveRevisions(writer, changes);
      result.things = ids.length - result.failed.length - result.postponed.length;
      result.rows = changes.rows;
      return result;
    }),
};

const isCasual = ({ tournament }: StoredBattle): boolean => tournament === null;
