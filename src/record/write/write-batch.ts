import { openTransaction } from '../../database/lock-watch.ts';
import { isOutage } from '../../availability/unavailable.ts';
import { holdErasures, shareErasures } from '../people/erasures-lock.ts';
import { lastBatch, noteBatch } from './committed-batch.ts';
import { BatchRemarks, Recording, type Refusals } from '../recording/recording.ts';
import type { Session } from './session.ts';

export interface ApplyOptions {
  /** Records nothing after the first refused record. */
  stopOnError?: boolean;
  /** Receives the warnings. */
  remarks?: BatchRemarks;
  /** Set if a record erases a person. */
  erases?: boolean;
  /**
   * Set only after a first attempt, because looking for each battle elsewhere would make every import slower.
   */
  takesBattles?: boolean;
}

/**
 * Thrown if nothing was committed but there is a new connection, so that the records can be applied again.
 */
export class Interrupted extends Error {}

/**
 * Writes in one transaction. If the connection is lost, it asks on a new one whether the transaction was
 * committed, because a batch that shows one thing in several states must not be applied twice.
 */
export async function writeBatch(
  session: Session,
  write: (recording: Recording) => Promise<void>,
  options: ApplyOptions,
): Promise<Refusals> {
  const remarks = options.remarks ?? new BatchRemarks();
  const recording = new Recording(session, remarks, options.takesBattles);
  let isCommitted: boolean;
  try {
    isCommitted = await session.watch(() => attempt(session, recording, write, options));
  } catch (error) {
    if (!isOutage(error)) throw error;
    isCommitted = await isCommittedAfterAll(session, error, recording.batch);
    if (!isCommitted) throw new Interrupted('The database was away.', { cause: error });
  }
  if (isCommitted) {
    session.committed(recording.appended);
    for (const record of recording.changed) remarks.changed.add(record);
  }
  return recording.refusals;
}

/** Returns whether it committed. With `stopOnError`, it does not commit if a record was refused. */
async function attempt(
  session: Session,
  recording: Recording,
  write: (recording: Recording) => Promise<void>,
  { stopOnError = false, erases = false }: ApplyOptions,
): Promise<boolean> {
  const { client, isNested } = session;
  try {
    await openTransaction(session, isNested ? 'savepoint batch' : 'begin', { bounded: !isNested });
    // A dry run cannot bring back what was erased, and it may be long, so it must not keep an erasure
    // waiting.
    if (!isNested) await (erases ? holdErasures(client) : shareErasures(client));
    await write(recording);
    if (stopOnError && recording.refusals.size > 0) {
      await undo(session);
      return false;
    }
    recording.appended = await recording.marks.append(client);
    if (!isNested && recording.appended.length > 0) {
      recording.batch = session.nextBatch();
      await noteBatch(client, session.id, recording.batch);
    }
    // A dry run never commits, so check the deferred constraints here.
    if (isNested)
      await client.query('set constraints all immediate; set constraints all deferred; release batch');
    else await client.query('commit');
    return true;
  } catch (error) {
    await undo(session).catch(() => undefined);
    throw error;
  }
}

/**
 * Finds out whether the transaction was committed. One without a number has changed nothing, so it may be
 * applied again.
 */
async function isCommittedAfterAll(
  session: Session,
  lost: unknown,
  batch: number | undefined,
): Promise<boolean> {
  for (let error = lost; ;) {
    await session.reconnect(error);
    if (batch === undefined) return false;
    try {
      const last = await session.watch(async () => {
        await openTransaction(session, 'begin');
        const found = await lastBatch(session.client, session.id);
        await session.client.query('commit');
        return found;
      });
      return last === batch;
    } catch (again) {
      if (!isOutage(again)) throw again;
      error = again;
    }
  }
}

async function undo({ client, known, isNested }: Session): Promise<void> {
  known.forget();
  await client.query(isNested ? 'rollback to batch; release batch' : 'rollback');
}
