// A batch of records, in one transaction: each is wholly recorded or wholly refused. What only the database could
// refuse undoes the batch; its records are then tried one by one, so that only the guilty one is left out. Where somebody
// else was in the way the batch is tried again, then in halves, which hold fewer locks for less long.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientBase } from 'pg';
import { isInTheWay, isRefusal, problemsOf } from './database-refusal.ts';
import type { CasualBattleRecord } from '../feed/tournament-records.ts';
import type {
  BattlePackRecord,
  ClubRecord,
  FeedRecord,
  PlayerRecord,
  RemoveRecord,
} from '../feed/records.ts';
import type { TournamentChangeRecord } from './tournament-change.ts';
import type { Problem } from '../feed/problem.ts';
import { type Known, Recording } from './recording.ts';
import { remove } from './remove.ts';
import { writeCasualBattles } from './write-casual-battles.ts';
import { writeTournaments } from './write-tournaments.ts';
import { writeBattlePacks, writeClubs, writePlayers } from './write-clubs-players-packs.ts';

export type Refusals = Map<FeedRecord, Problem[]>;

export interface ApplyOptions {
  /** Inside a transaction that the caller will roll back: savepoints instead of transactions of its own. */
  nested?: boolean;
  /** Nothing after the first refused record is recorded. */
  stopOnError?: boolean;
}

export async function applyRecords(
  client: ClientBase,
  known: Known,
  records: FeedRecord[],
  options: ApplyOptions = {},
): Promise<Refusals> {
  if (records.length === 0) return new Map();
  try {
    const refusals = await patiently(() => inTransaction(client, known, records, options));
    const first = records.findIndex((record) => refusals.has(record));
    if (!options.stopOnError || first < 0) return refusals;
    const before = await applyRecords(client, known, records.slice(0, first), options);
    const stopped = records[first];
    return before.size > 0 || !stopped ? before : new Map([[stopped, refusals.get(stopped) ?? []]]);
  } catch (error) {
    if (isInTheWay(error) && records.length > 1) {
      const half = records.length >> 1;
      return applyEach(client, known, [records.slice(0, half), records.slice(half)], options);
    }
    if (!isRefusal(error)) throw error;
    if (records.length > 1) {
      const singles = records.map((record) => [record]);
      return applyEach(client, known, singles, options);
    }
    return applyAgain(client, known, records, options);
  }
}

/** Four tries; the waits are random, so that two that met do not meet again. */
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
  client: ClientBase,
  known: Known,
  batches: FeedRecord[][],
  options: ApplyOptions,
): Promise<Refusals> {
  const all: Refusals = new Map();
  for (const records of batches) {
    const refusals = await applyRecords(client, known, records, options);
    for (const [each, problems] of refusals) all.set(each, problems);
    if (options.stopOnError && refusals.size > 0) break;
  }
  return all;
}

/** Once more, since another process may have been in the way; what is refused now is refused. */
async function applyAgain(
  client: ClientBase,
  known: Known,
  records: FeedRecord[],
  options: ApplyOptions,
): Promise<Refusals> {
  try {
    return await patiently(() => inTransaction(client, known, records, options));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return new Map(records.map((record) => [record, problemsOf(error, record)]));
  }
}

async function inTransaction(
  client: ClientBase,
  known: Known,
  records: FeedRecord[],
  { nested = false, stopOnError = false }: ApplyOptions,
): Promise<Refusals> {
  const recording = new Recording(client, known);
  await client.query(nested ? 'savepoint batch' : 'begin');
  try {
    for (const run of runs(records)) await writeRun(recording, run);
    if (stopOnError && recording.refusals.size > 0) {
      await undo(client, known, nested);
      return recording.refusals;
    }
    await recording.marks.append(client);
    // What is checked at commit is checked here when there is none.
    if (nested)
      await client.query('set constraints all immediate; set constraints all deferred; release batch');
    else await client.query('commit');
    return recording.refusals;
  } catch (error) {
    await undo(client, known, nested).catch(() => undefined);
    throw error;
  }
}

async function undo(client: ClientBase, known: Known, nested: boolean): Promise<void> {
  known.forget();
  await client.query(nested ? 'rollback to batch; release batch' : 'rollback');
}

interface Run {
  what: string;
  records: FeedRecord[];
}

/**
 * Neighbours of one kind, as long as no thing occurs twice: the order of the feed is kept wherever it can matter, and
 * what a batch accepts does not depend on where it was cut.
 */
function runs(records: FeedRecord[]): Run[] {
  const all: Run[] = [];
  let seen = new Set<string>();
  for (const record of records) {
    const what = record.kind === 'battle' && !('tournament' in record) ? 'casual' : record.kind;
    const identity = identityOf(record);
    const last = all.at(-1);
    if (last && last.what === what && what !== 'remove' && !seen.has(identity)) last.records.push(record);
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
    default:
      return writeTournaments(recording, records as TournamentChangeRecord[]);
  }
}
