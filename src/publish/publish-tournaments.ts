import type { PoolClient } from 'pg';
import { inTransaction, type Pool } from '../database/pool.ts';
import type { BattleOutline, TournamentFacts } from '../record/facts/facts.ts';
import { readBattleOutlines } from '../record/facts/read-battles.ts';
import { countBattles, readTournaments } from '../record/facts/read-facts.ts';
import { battleContext } from './derive/documents/battle.ts';
import { Changes } from './changes.ts';
import { compareTournament, derivationVersions, type Fresh } from './compare.ts';
import {
  battleDocuments,
  documentsWithoutBattles,
  standingsDocuments,
  tournamentDocuments,
} from './derive/documents.ts';
import { isSpreadPending, lockKeys, type Mark, readMarks, settleMarks } from '../record/backlog/drain.ts';
import {
  type PublishResult,
  derive,
  type KindPublisher,
  notDerived,
  nothingPublished,
  type Postponed,
} from './kind-publisher.ts';
import { readPlayersOfBattles } from './site-rows/player-tournaments.ts';
import { clockRevision, moveRevisions } from './revisions.ts';
import { inSnapshot } from './transactions.ts';
import { readTournamentsOf, readStoredTournaments, type StoredTournament } from './stored.ts';

/** Maximum number of battles in one transaction: enough to be worth a commit, few enough for the memory. */
const battlesInABatch = 2_000;

export const tournamentPublisher: KindPublisher = {
  kind: 'tournament',
  max: 200,
  lighten: async (pool, slugs, { maxBattles = battlesInABatch }) => {
    if (slugs.length < 2) return slugs;
    const battles = await countBattles(pool, slugs);
    let sum = 0;
    const light = slugs.findIndex((slug) => (sum += battles.get(slug) ?? 0) > maxBattles);
    return light < 0 ? slugs : slugs.slice(0, Math.max(1, light));
  },
  publish: publishTournaments,
};

/** Derives documents from facts and writes the changes, for a batch of tournaments in one transaction. */
async function publishTournaments(pool: Pool, slugs: string[], isRetry = false): Promise<PublishResult> {
  return inTransaction(pool, async (writer) => {
    const locked = await lockKeys(writer, 'tournament', slugs);
    const result = nothingPublished();
    if (locked.length === 0) return result;

    // Take the snapshot after the locks, so that a change that it does not see has a mark that is not deleted
    // here.
    const { marks, isThorough, versions } = await inSnapshot(pool, async (reader) => {
      const seen = await readMarks(reader, 'tournament', locked);
      const thorough = isRetry || seen.some(({ part, rebuild }) => rebuild && part === null);
      return {
        marks: seen,
        isThorough: thorough,
        versions: await readVersions(writer, reader, narrowChanges(seen), thorough, result),
      };
    });
    result.postponed = await postpone(writer, versions);

    const changes = new Changes();
    // Read the clock last, so that a battle that another publisher has just removed returns with a later
    // revision.
    const clock = await clockRevision(writer);
    const before = new Map([...versions.values()].flatMap(({ stored }) => [...(stored?.battles ?? [])]));
    for (const [slug, { stored, fresh }] of versions) {
      compareTournament(changes, slug, stored, fresh, { clock, before, isOutdated: isThorough });
    }
    await settleMarks(writer, marks, result);
    await changes.write(writer, isThorough);
    await moveRevisions(writer, changes);
    result.rows = changes.rows;
    result.hidden = [...versions.values()].filter(({ fresh }) => fresh === undefined).length;
    result.things = versions.size - result.hidden;
    return result;
  });
}

/** A tournament as it is published, and as it should be. Undefined means that it is not shown. */
interface Versions {
  stored: StoredTournament | undefined;
  fresh: Fresh | undefined;
}

/**
 * Reads and derives both versions of each tournament. Leaves out the tournaments that cannot be derived,
 * whose failures are in `result`.
 */
async function readVersions(
  writer: PoolClient,
  reader: PoolClient,
  changeOf: Map<string, NarrowChange | undefined>,
  isThorough: boolean,
  result: PublishResult,
): Promise<Map<string, Versions>> {
  const versions = new Map<string, Versions>();
  const take = (slug: string, stored: StoredTournament | undefined, documents: () => Fresh | undefined) => {
    const fresh = derive(result, 'tournament', slug, documents);
    if (fresh !== notDerived) versions.set(slug, { stored, fresh });
  };
  const partial: [slug: string, change: NarrowChange][] = [];
  for (const [slug, change] of changeOf) {
    if (change === undefined || isThorough) continue;
    if (change.isRebuild) partial.push([slug, change]);
    else {
      const narrow = await readNarrowly(writer, reader, slug, change.battles);
      if (narrow) take(slug, narrow.stored, () => narrowDocuments(narrow));
    }
  }
  for (const each of await readWithoutBattles(writer, reader, partial))
    take(each.facts.slug, each.stored, () => withoutBattles(each));
  const failed = new Set(result.failed.map(({ key }) => key));
  const wide = [...changeOf.keys()].filter((slug) => !versions.has(slug) && !failed.has(slug));
  if (wide.length === 0) return versions;
  const stored = await readStoredTournaments(writer, wide, { isThorough });
  const facts = new Map((await readTournaments(reader, wide)).map((each) => [each.slug, each]));
  for (const slug of wide) {
    const known = facts.get(slug);
    take(slug, stored.get(slug), () => (known?.published ? tournamentDocuments(known) : undefined));
  }
  return versions;
}

/**
 * Removes the tournaments with a battle that is still published elsewhere, because the holder must first be
 * published without it. A holder that gives it up in the same batch is no problem, because rows are deleted
 * before others are inserted.
 */
async function postpone(writer: PoolClient, versions: Map<string, Versions>): Promise<Postponed[]> {
  const postponed: Postponed[] = [];
  const wanted = new Map<string, string>();
  for (const [slug, { stored, fresh }] of versions) {
    for (const { id } of fresh?.battles ?? []) if (!stored?.battles.has(id)) wanted.set(id, slug);
  }
  const blockers = await readTournamentsOf(writer, [...wanted.keys()]);
  const isGivenUp = (id: string, holder: string | null): boolean => {
    const version = versions.get(holder ?? '');
    return (
      version?.stored?.battles.has(id) === true && !version.fresh?.battles.some((battle) => battle.id === id)
    );
  };
  // A removed tournament keeps its battles, so that others may have to be removed, too. Repeat until nothing
  // changes.
  for (let before = -1; before !== postponed.length;) {
    before = postponed.length;
    for (const [id, holder] of blockers) {
      const slug = wanted.get(id) ?? '';
      if (!versions.has(slug) || isGivenUp(id, holder)) continue;
      versions.delete(slug);
      const reason = `battle ${id} is still published ${holder === null ? 'as a casual one' : `with tournament ${holder}`}`;
      postponed.push({
        kind: 'tournament',
        key: slug,
        reason,
        waitsFor: holder === null ? { kind: 'battle', key: id } : { kind: 'tournament', key: holder },
      });
    }
  }
  return postponed;
}

/** The part of a tournament that must be derived. */
interface NarrowChange {
  /** The battles that changed. */
  battles: string[];
  /** True if everything except the other battles must be derived again although no fact of it changed. */
  isRebuild: boolean;
}

/**
 * Returns the change for each tournament, or undefined if anything may have changed. A tournament is absent
 * if another publisher has used up its marks in the meantime.
 */
function narrowChanges(marks: Mark[]): Map<string, NarrowChange | undefined> {
  return new Map(
    [...Map.groupBy(marks, ({ key }) => key)].map(([slug, seen]) => {
      if (seen.some(({ part }) => part === null)) return [slug, undefined];
      const battles = new Set(seen.flatMap(({ part }) => (part ? [part] : [])));
      return [slug, { battles: [...battles], isRebuild: seen.some(({ rebuild }) => rebuild) }];
    }),
  );
}

/**
 * Reads a running tournament of which only some battles changed. Returns undefined if the change may reach
 * further.
 */
async function readNarrowly(
  writer: PoolClient,
  reader: PoolClient,
  slug: string,
  battles: string[],
): Promise<Narrow | undefined> {
  const [published, [facts]] = await Promise.all([
    readStoredTournaments(writer, [slug], { onlyBattles: battles, withParticipants: false }),
    readTournaments(reader, [slug], { onlyBattles: battles, onlyListsOf: battles }),
  ]);
  const stored = published.get(slug);
  if (stored?.derivation !== derivationVersions.tournament || !areBattlesCurrent(stored)) return undefined;
  // In a finished tournament a result may also change final placements, which participants show.
  if (facts === undefined || !facts.published || facts.status === 'finished') return undefined;
  // The board must not show a new name before the participants show it.
  if (await isSpreadPending(reader, playersOf(facts))) return undefined;
  const outlines = (await readBattleOutlines(reader, [slug])).get(slug) ?? [];
  const sides = facts.battles.flatMap((battle) => battle.sides.flatMap(({ playerId }) => playerId ?? []));
  // A mark does not say whose bye was recorded.
  const free = new Set(facts.byes.map(({ participant }) => participant));
  const others = facts.participants.flatMap(({ id, playerId }) => (free.has(id) ? (playerId ?? []) : []));
  const rows = await readPlayersOfBattles(
    writer,
    { tournament: slug, startDate: stored.startDate },
    battles,
    [...sides, ...others],
  );
  return { facts, outlines, players: rows.named, stored: { ...stored, players: rows.stored } };
}

/** The changed battles with all their facts, and the other battles with the facts that boards need. */
interface Narrow {
  facts: TournamentFacts;
  outlines: BattleOutline[];
  /**
   * The players whom the changed battles name, before or after the change, and those with a bye. No other
   * player's row can change.
   */
  players: Set<string>;
  stored: StoredTournament;
}

function narrowDocuments({ facts, outlines, players }: Narrow): Fresh {
  const standings = standingsDocuments({ ...facts, battles: outlines }, players);
  return { ...standings, participants: undefined, ...changedBattles(facts) };
}

function changedBattles(facts: TournamentFacts): Pick<Fresh, 'battles' | 'hasOnlyChangedBattles'> {
  const context = battleContext(facts);
  return {
    battles: facts.battles.map((battle) => battleDocuments(battle, context)),
    hasOnlyChangedBattles: true,
  };
}

const playersOf = ({ participants, tournamentOrganizers }: TournamentFacts): (string | null)[] =>
  [...participants, ...tournamentOrganizers].map(({ playerId }) => playerId);

const areBattlesCurrent = ({ battleDerivation }: StoredTournament): boolean =>
  battleDerivation === derivationVersions.battle;

/**
 * Reads the facts of these tournaments without their battles. Leaves out tournaments whose battles must be
 * derived, too.
 */
async function readWithoutBattles(
  writer: PoolClient,
  reader: PoolClient,
  changeOf: [slug: string, change: NarrowChange][],
): Promise<Omit<Narrow, 'players'>[]> {
  if (changeOf.length === 0) return [];
  const slugs = changeOf.map(([slug]) => slug);
  const onlyBattles = changeOf.flatMap(([, { battles }]) => battles);
  const published = await readStoredTournaments(writer, slugs, { onlyBattles });
  const recorded = await readTournaments(reader, slugs, { onlyBattles });
  // Boards must not show a new name before the battles show it.
  if (await isSpreadPending(reader, recorded.flatMap(playersOf))) return [];
  const outlines = await readBattleOutlines(reader, slugs);
  return recorded.flatMap((facts) => {
    const stored = published.get(facts.slug);
    if (!facts.published || stored === undefined || !areBattlesCurrent(stored)) return [];
    return [{ facts, stored, outlines: outlines.get(facts.slug) ?? [] }];
  });
}

function withoutBattles({ facts, outlines }: Omit<Narrow, 'players'>): Fresh {
  return { ...documentsWithoutBattles({ ...facts, battles: outlines }), ...changedBattles(facts) };
}
