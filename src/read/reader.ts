import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from '../database/databases.ts';
import type { Statement } from '../database/read.ts';
import { isUnavailable } from '../availability/unavailable.ts';
import type { Admission } from './admission.ts';
import type { Asker } from '../http/asker.ts';
import type { NewestRevisions, RevisionScope, ShownScope } from './newest-revisions.ts';

export type { Statement };

/** Columns that every statement returns: the revision of the thing that was asked for, if it exists. */
export interface Row {
  revision: string;
}

export interface Reader {
  /** Runs one statement on a replica, or on the primary if there are no replicas. */
  read: <R extends Row>(query: DocumentQuery<R>) => Promise<Copy<R>>;
  /**
   * Trusts a replica again only after it has caught up with this moment, because we may have missed a change.
   */
  distrustReplicas: () => void;
  /** Returns how many reads have failed on a replica so far. */
  replicaFailures: () => number;
  close: () => void;
}

interface DocumentQuery<R> {
  scope: RevisionScope;
  statement: Statement;
  values: unknown[];
  /**
   * Returns the scopes that the rows show besides the one that was asked for, with revisions from the same
   * rows.
   */
  alsoShown?: ((rows: R[]) => ShownScope[]) | undefined;
  /** Older copies are not used, even if no notice has named this revision yet. */
  atLeast?: bigint | undefined;
  /** The request or shared read that waits for it. */
  asker: Asker;
}

interface Copy<R> {
  /** Empty if the thing does not exist. */
  rows: R[];
  /** The scope that was asked for, and the others that the rows show. */
  shown: ShownScope[];
  /** The serial of the last notice before the read began. */
  serial: number;
  /**
   * True if the copy may be kept in memory. An old copy from a replica, used because there was no other, may
   * not.
   */
  isKeepable: boolean;
}

export interface ReaderOptions {
  primary: Database;
  replicas: Database[];
  newestRevisions: NewestRevisions;
  isListening: () => boolean;
  admission: Admission;
  logger: Logger;
}

/**
 * Creates the reader.
 *
 * Reads use the replicas in turn. If a replica's copy shows anything in an older revision than the newest
 * that we know, we ask the primary. While we receive no notices we cannot judge a replica's copy, so we ask
 * the primary first. We send an old copy only if the primary does not answer. We also ask the primary after
 * any error on a replica, because if the error is our mistake, the primary reports it as well.
 */
export function createReader({
  primary,
  replicas,
  newestRevisions,
  isListening,
  admission,
  logger,
}: ReaderOptions): Reader {
  const caughtUp = new Set<Database>();
  const toldAt = new Map<Database, number>();
  let failures = 0;
  let turn = 0;
  let timesDistrusted = 0;
  let catchingUp = new AbortController();

  async function read<R extends Row>(query: DocumentQuery<R>): Promise<Copy<R>> {
    const { scope, statement, values, alsoShown = () => [], atLeast = 0n } = query;
    const ask = async (database: Database): Promise<Copy<R>> => {
      const serial = newestRevisions.serial();
      const rows = await database.query<R>(statement, values);
      const shown = [{ scope, revision: BigInt(rows[0]?.revision ?? 0) }, ...alsoShown(rows)];
      return { rows, shown, serial, isKeepable: true };
    };
    const askReplica = (replica: Database) =>
      ask(replica).catch((error: unknown) => noteFailure(replica, error));
    const isOld = ({ shown, serial }: Copy<R>) =>
      newestRevisions.isOld(shown, serial) || (shown[0]?.revision ?? 0n) < atLeast;

    const askAgain = async (before: Copy<R>) => {
      const lastNotice = new Map(
        before.shown.map((each) => [each.scope, newestRevisions.lastNotice(each.scope)]),
      );
      const copy = await ask(primary);
      for (const { scope: each, revision } of copy.shown) {
        const named = lastNotice.get(each);
        // A missing thing corrects nothing, because a replica may still have what was removed.
        if (named !== undefined && revision > 0n) newestRevisions.correct(each, named, revision);
      }
      return copy;
    };

    const before = timesDistrusted;
    const replica = nextTrustedReplica();
    const copy = replica && (await askReplica(replica));
    // If replicas have lost our trust in the meantime, the notice that would show this copy to be old may have
    // been forgotten, even if it arrived before the read began.
    const isJudged = isListening() && before === timesDistrusted;
    if (copy !== undefined && isJudged && !isOld(copy)) return copy;
    try {
      const generation = newestRevisions.generation();
      const onPrimary = await ask(primary);
      // If a notice arrived while the primary was reading, its next answer is newer. A new generation may
      // have forgotten that notice.
      const isSure = !isOld(onPrimary) && generation === newestRevisions.generation();
      return isSure ? onPrimary : await askAgain(onPrimary);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      turn += 1;
      const inTurn = replicas.map((_, i) => replicas[(turn + i) % replicas.length] as Database);
      const unasked = inTurn.filter((each) => each !== replica);
      const old = copy ?? (await firstCopy(unasked, askReplica));
      if (old === undefined) throw error;
      return { ...old, isKeepable: false };
    }
  }

  function nextTrustedReplica(): Database | undefined {
    if (!isListening()) return undefined;
    turn += 1;
    const usable = replicas.filter((replica) => caughtUp.has(replica) && !replica.isDown());
    return usable[turn % usable.length];
  }

  function noteFailure(replica: Database, error: unknown): undefined {
    failures += 1;
    if (performance.now() - (toldAt.get(replica) ?? -Infinity) < tellAgainMs) return;
    toldAt.set(replica, performance.now());
    logger.warn(
      { err: error, replica: replicas.indexOf(replica) + 1 },
      'a replica failed; asking the primary',
    );
  }

  async function catchUp(signal: AbortSignal): Promise<void> {
    // Many notices can arrive at once. Each would query the primary, and reads would have to wait for that.
    await nextTurn();
    if (signal.aborted) return;
    const position = await untilAnswered(signal, async () => {
      // We don't use pg_current_wal_lsn, because the notice of an asynchronous commit can arrive before its
      // WAL is written. The transaction id makes this transaction write a commit after that position; on a
      // quiet primary no other write might follow for a long time.
      const [row] = await primary.query<{ at: string }>({
        name: 'wal_position',
        text: 'select pg_current_wal_insert_lsn() as at from pg_current_xact_id()',
      });
      return row?.at;
    });
    const follow = (replica: Database) =>
      untilAnswered(signal, async () => {
        const [row] = await replica.query<{ there: boolean }>(hasReplayed, [position]);
        if (row?.there !== true) return undefined;
        if (!signal.aborted) caughtUp.add(replica);
        return true;
      });
    await Promise.all(replicas.map(follow));
  }

  return {
    read: (query) => admission.pass(query.asker, () => read(query)),
    distrustReplicas() {
      timesDistrusted += 1;
      caughtUp.clear();
      catchingUp.abort();
      catchingUp = new AbortController();
      if (replicas.length > 0) void catchUp(catchingUp.signal);
    },
    replicaFailures: () => failures,
    close: () => catchingUp.abort(),
  };
}

async function firstCopy<T>(
  replicas: Database[],
  ask: (replica: Database) => Promise<T | undefined>,
): Promise<T | undefined> {
  for (const replica of replicas) {
    const copy = await ask(replica);
    if (copy !== undefined) return copy;
  }
  return undefined;
}

/** Tries until there is an answer, because a database that is down will come back. */
async function untilAnswered<T>(
  signal: AbortSignal,
  ask: () => Promise<T | undefined>,
): Promise<T | undefined> {
  while (!signal.aborted) {
    const answer = await ask().catch(() => undefined);
    if (answer !== undefined) return answer;
    await sleep(askAgainMs, undefined, { signal }).catch(() => {});
  }
  return undefined;
}

const hasReplayed: Statement = {
  name: 'has_replayed',
  text: 'select not pg_is_in_recovery() or pg_last_wal_replay_lsn() >= $1::pg_lsn as there',
};

const askAgainMs = 100;
const tellAgainMs = 60_000;
