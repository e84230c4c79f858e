import type { PoolClient } from 'pg';
import { inTransaction, type Pool } from '../database/pool.ts';
import type { BattleOutline, TournamentFacts } from '../record/facts.ts';
import { readBattleOutlines } from '../record/read-battles.ts';
import { countBattles, readTournaments } from '../record/read-facts.ts';
import { battleContext } from './battle.ts';
import { Changes } from './changes.ts';
import { compareTournament, derivationVersion, type Fresh } from './compare.ts';
import { battleDocuments, standingsDocuments, tournamentDocuments } from './documents.ts';
import { lockKeys, type Mark, readMarks, settleMarks } from './marks.ts';
import { type Batch, derive, type Movement, notDerived, type PublishSettings } from './movement.ts';
import { clockRevision, moveRevisions } from './revisions.ts';
import { inSnapshot } from './snapshot.ts';
import { readStoredTournaments, type StoredTournament } from './stored.ts';

/** Battles in one transaction: enough to pay for the commit, few enough for the memory. */
const battlesInABatch = 2_000;

export const tournamentMovement: Movement = {
  kind: 'tournament',
  most: 200,
  lighten: async (pool, slugs, { mostBattles = battlesInABatch }) => {
    const battles = await countBattles(pool, slugs);
    let sum = 0;
    const light = slugs.findIndex((slug) => (sum += battles.get(slug) ?? 0) > mostBattles);
    return light < 0 ? slugs : slugs.slice(0, Math.max(1, light));
  },
  publish: publishTournaments,
};

/** Facts → documents → what changed, for a batch of tournaments in one transaction. */
async function publishTournaments(pool: Pool, settings: PublishSettings, slugs: string[]): Promise<Batch> {
  return inTransaction(pool, async (writer) => {
    const locked = await lockKeys(writer, 'tournament', slugs);
    const batch: Batch = { things: locked.length, rows: 0, failed: [] };
    if (locked.length === 0) return batch;
    const changes = new Changes();
    const clock = await clockRevision(writer);

    // The snapshot comes after the locks: what it does not see yet has marks that are not drained here.
    const marks = await inSnapshot(pool, async (reader) => {
      const seen = await readMarks(reader, 'tournament', locked);
      const wide: string[] = [];
      for (const [slug, extent] of extents(locked, seen)) {
        const narrow = extent && (await readNarrowly(writer, reader, slug, extent));
        if (narrow === undefined) {
          wide.push(slug);
          continue;
        }
        const fresh = derive(batch, 'tournament', slug, () => narrowDocuments(narrow, settings.siteUrl));
        if (fresh !== notDerived) compareTournament(changes, slug, narrow.stored, fresh, clock);
      }
      await compareWidely(writer, reader, settings, wide, batch, changes, clock);
      return seen;
    });

    await settleMarks(writer, marks, batch.failed);
    await changes.write(writer);
    await moveRevisions(writer, changes);
    batch.rows = changes.rows;
    batch.things -= batch.failed.length;
    return batch;
  });
}

async function compareWidely(
  writer: PoolClient,
  reader: PoolClient,
  settings: PublishSettings,
  slugs: string[],
  batch: Batch,
  changes: Changes,
  clock: bigint,
): Promise<void> {
  if (slugs.length === 0) return;
  const stored = await readStoredTournaments(writer, slugs, { participants: true, battles: undefined });
  const facts = new Map((await readTournaments(reader, slugs)).map((each) => [each.slug, each]));
  for (const slug of slugs) {
    const known = facts.get(slug);
    const fresh = derive(batch, 'tournament', slug, () =>
      known?.published ? tournamentDocuments(known, settings.siteUrl) : undefined,
    );
    if (fresh !== notDerived) compareTournament(changes, slug, stored.get(slug), fresh, clock);
  }
}

/** Per tournament the battles that changed, or undefined where anything may have. */
function extents(slugs: string[], marks: Mark[]): Map<string, string[] | undefined> {
  const parts = new Map<string, Set<string> | undefined>(slugs.map((slug) => [slug, new Set()]));
  for (const { key, part } of marks) {
    if (part === null) parts.set(key, undefined);
    else if (part !== '') parts.get(key)?.add(part);
  }
  // Nobody marked it, or another publisher drained it in between: nothing is stale, and looking again is harmless.
  return new Map([...parts].map(([slug, battles]) => [slug, battles && [...battles]]));
}

/** When only some battles of a running event changed. Undefined where more than they could be touched. */
async function readNarrowly(
  writer: PoolClient,
  reader: PoolClient,
  slug: string,
  battles: string[],
): Promise<Narrow | undefined> {
  const stored = (await readStoredTournaments(writer, [slug], { participants: false, battles })).get(slug);
  if (stored === undefined || stored.derivation !== derivationVersion) return undefined;
  const [facts] = await readTournaments(reader, [slug], battles);
  // Once it is finished, a result may also settle final placements, which participants show.
  if (facts === undefined || !facts.published || facts.status === 'finished') return undefined;
  return { facts, outlines: await readBattleOutlines(reader, slug), stored };
}

/** The battles that changed, whole, and of all others what boards need. */
interface Narrow {
  facts: TournamentFacts;
  outlines: BattleOutline[];
  stored: StoredTournament;
}

function narrowDocuments({ facts, outlines }: Narrow, siteUrl: string): Fresh {
  const context = battleContext(facts);
  return {
    ...standingsDocuments({ ...facts, battles: outlines }, siteUrl),
    participants: undefined,
    battles: facts.battles.map((battle) => battleDocuments(battle, context, siteUrl)),
  };
}
