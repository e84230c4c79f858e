// Writes a batch of records in one transaction. Each record is recorded completely or refused. If the
// database itself refuses a row, the batch is rolled back and its records are written one by one, so that
// only the bad one is refused. After a deadlock the batch is retried, then split into halves, which hold
// fewer locks for a shorter time. After a lost connection it is split at once, because smaller batches get
// through when connections do not live long.
import { setTimeout as sleep } from 'node:timers/promises';
import { isInTheWay, isRefusal, problemsOf } from '../recording/database-refusal.ts';
import type { CasualBattleRecord } from '../feed/tournament-records.ts';
import type {
  BattlePackRecord,
  ClubRecord,
  FeedRecord,
  MovedRecord,
  PlayerRecord,
  RemoveRecord,
} from '../feed/records.ts';
import type { TournamentChangeRecord } from './tournament-change.ts';
import type { Recording, Refusals } from '../recording/recording.ts';
import { remove } from './remove.ts';
import type { Session } from './session.ts';
import { type ApplyOptions, writeBatch, Interrupted } from './write-batch.ts';
import { writeCasualBattles } from './write-casual-battles.ts';
import { writeMoved } from './write-moved.ts';
import { writeTournaments } from './write-tournaments.ts';
import { writeBattlePacks, writeClubs, writePlayers } from './write-clubs-players-packs.ts';

export async function applyRecords(
  session: Session,
  records: FeedRecord[],
  options: ApplyOptions = {},
): Promise<Refusals> {
  if (records.length === 0) return new Map();
  let refusals: Refusals;
  try {
    refusals = await applyOnce(session, records, options);
  } catch (error) {
    const isInterrupted = error instanceof Interrupted;
    if (isInterrupted && records.length === 1) return applyRecords(session, records, options);
    if ((isInterrupted || isInTheWay(error)) && records.length > 1) {
      const half = records.length >> 1;
      return applyEach(session, [records.slice(0, half), records.slice(half)], options);
    }
    if (!isRefusal(error)) throw error;
    if (records.length > 1) {
      const singles = records.map((record) => [record]);
      return applyEach(session, singles, options);
    }
    return applyAgain(session, records, options);
  }
  const first = records.findIndex((record) => refusals.has(record));
  if (!options.stopOnError || first < 0 || records.length === 1) return refusals;
  // The refused record is applied alone, because an erasure in it is obeyed all the same.
  const rest = records.slice(first + 1);
  return applyEach(session, [records.slice(0, first), records.slice(first, first + 1), rest], options);
}

function applyOnce(session: Session, records: FeedRecord[], options: ApplyOptions): Promise<Refusals> {
  const erases = records.some(isErasure);
  const stopOnError = options.stopOnError === true && records.length > 1;
  return patiently(() =>
    writeBatch(session, (recording) => writeRecords(recording, records), { ...options, stopOnError, erases }),
  );
}

/** Returns true if the record may erase a player or a guest. */
function isErasure(record: FeedRecord): boolean {
  switch (record.kind) {
    case 'player':
    case 'participant':
      return record.erased === true;
    case 'tournament':
      return record.participants?.some(({ erased }) => erased) ?? false;
    case 'battle':
      return record.sides.some((side) => 'erased' in side && side.erased);
    case 'remove':
      return record.of === 'player';
    // Guests may have been erased under its old name.
    case 'moved':
      return record.of === 'tournament';
    default:
      return false;
  }
}

/** Tries four times. The waits are random, so that two processes do not collide again. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === 4 || !isInTheWay(error)) throw error;
      await sleep(Math.random() * 50 * attempt);
    }
  }
}

async function applyEach(
  session: Session,
  batches: FeedRecord[][],
  options: ApplyOptions,
): Promise<Refusals> {
  const all: Refusals = new Map();
  for (const records of batches) {
    const refusals = await applyRecords(session, records, options);
    for (const [each, problems] of refusals) all.set(each, problems);
    if (options.stopOnError && refusals.size > 0) break;
  }
  return all;
}

/**
 * Retries once, because another process may have caused the refusal, or because a battle has moved here. A
 * second refusal is final.
 */
async function applyAgain(session: Session, records: FeedRecord[], options: ApplyOptions): Promise<Refusals> {
  try {
    return await applyOnce(session, records, { ...options, takesBattles: true });
  } catch (error) {
    if (error instanceof Interrupted) return applyAgain(session, records, options);
    if (!isRefusal(error)) throw error;
    const refusals: Refusals = new Map();
    for (const record of records) {
      refusals.set(record, await session.read((client) => problemsOf(client, error, record)));
    }
    return refusals;
  }
}

async function writeRecords(recording: Recording, records: FeedRecord[]): Promise<void> {
  for (const run of runs(records)) await writeRun(recording, run);
}

interface Run {
  what: string;
  records: FeedRecord[];
}

/**
 * Splits the records into runs of one kind in which no thing occurs twice. This keeps the order of the feed
 * wherever it matters, and the result does not depend on where a batch ended.
 */
function runs(records: FeedRecord[]): Run[] {
  const all: Run[] = [];
  let seen = new Set<string>();
  for (const record of records) {
    const what = record.kind === 'battle' && !('tournament' in record) ? 'casual' : record.kind;
    const identity = identityOf(record);
    const last = all.at(-1);
    if (last && last.what === what && what !== 'remove' && what !== 'moved' && !seen.has(identity))
      last.records.push(record);
    else {
      all.push({ what, records: [record] });
      seen = new Set();
    }
    seen.add(identity);
  }
  return all;
}

function identityOf(record: FeedRecord): string {
  switch (record.kind) {
    case 'club':
    case 'tournament':
      return record.slug;
    case 'player':
    case 'battle':
      return record.id;
    case 'battlePack':
      return record.name;
    case 'participant':
      return `${record.tournament} ${record.id}`;
    case 'bye':
      return `${record.tournament} ${record.stage} ${record.round} ${record.participant}`;
    case 'match':
      return `${record.tournament} ${record.stage} ${record.round} ${record.position}`;
    case 'ranking':
      return `${record.tournament} ${record.stage} ${record.afterRound}`;
    default:
      return '';
  }
}

function writeRun(recording: Recording, { what, records }: Run): Promise<void> {
  switch (what) {
    case 'club':
      return writeClubs(recording, records as ClubRecord[]);
    case 'player':
      return writePlayers(recording, records as PlayerRecord[]);
    case 'battlePack':
      return writeBattlePacks(recording, records as BattlePackRecord[]);
    case 'casual':
      return writeCasualBattles(recording, records as CasualBattleRecord[]);
    case 'remove':
      return remove(recording, records[0] as RemoveRecord);
    case 'moved':
      return writeMoved(recording, records[0] as MovedRecord);
    default:
      return writeTournaments(recording, records as TournamentChangeRecord[]);
  }
}
