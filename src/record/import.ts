// Imports feeds: files → lines → records → batches → facts. While the database writes one batch, the next one
// is read and checked. Reading is never more than one batch ahead, so memory does not grow with the file.
import type { ClientBase } from 'pg';
import type { LastingClient } from '../database/lasting-client.ts';
import type { LockWatch } from '../database/lock-watch.ts';
import { applyRecords } from './write/apply.ts';
import type { Warning } from './feed/warning.ts';
import type { FeedRecord } from './feed/records.ts';
import { parseLine } from './feed/parse-line.ts';
import type { Problem } from './feed/problem.ts';
import { recordWarnings } from './feed/record-warnings.ts';
import { type FeedInput, longestLine, readLines, type Line } from './feed/read-lines.ts';
import { type MarkOfLine, marksOfLines } from './marks-of-lines.ts';
import { Pace } from './pace.ts';
import { aboutRefused, type RefusedAbout } from './refused.ts';
import { type ImportRemarks, sentWarnings, TouchedTournaments } from './touched-tournaments.ts';
import { addSource, HealthOfSources } from './sources/health.ts';
import { mainSource } from './sources/ownership.ts';
import { BatchRemarks } from './recording/recording.ts';
import { Session } from './write/session.ts';

export interface ImportOptions {
  /** The source that sends the records. The default is `main`. */
  source?: string;
  dryRun?: boolean;
  stopOnError?: boolean;
  /** Refuses records that cause a warning. */
  strict?: boolean;
  /** Called for every refused line, in order. */
  onRefusal: (file: string, line: number, problems: Problem[], about: RefusedAbout) => void;
  /**
   * Called for every tournament record that was recorded. These calls and those for refusals come in the
   * order of the lines.
   */
  onTournament?: (slug: string) => void;
  onProgress?: (progress: ImportProgress) => void;
  /** If absent, the import looks for no warnings, unless it is strict. */
  remarks?: ImportRemarks;
  /** Called after the commit of a batch and after its refusals were reported, but never in a dry run. */
  onRecorded?: (recorded: RecordedLines) => void;
  /** Watches the transactions that wait for locks of other sessions. */
  lockWatch?: LockWatch;
  /** The time at which results arrive. Only tests give it. */
  now?: () => number;
  /** Limits in bytes for a line and for a batch. Only tests lower them. */
  longestLine?: number;
  batchBytes?: number;
}

export interface ImportProgress {
  records: number;
  /** Number of records that changed something. */
  changed: number;
  battles: number;
  refused: number;
  /** Number of bytes of all inputs that were read and recorded so far. */
  bytes: number;
}

/** Says that all lines of the file up to this one are recorded or refused. */
export interface RecordedLines {
  file: string;
  line: number;
  /**
   * Among the lines since the last call, the number of records that changed something, and of those that did
   * not.
   */
  changed: number;
  unchanged: number;
  /** The marks that the last commits appended. */
  marks: MarkOfLine[];
}

/**
 * Imports the inputs one after the other. A lasting client is replaced when it is lost, except in a dry run,
 * where the transaction is lost, too.
 */
export async function importFeed(
  connection: ClientBase | LastingClient,
  inputs: FeedInput[],
  options: ImportOptions,
): Promise<ImportProgress> {
  const progress: ImportProgress = { records: 0, changed: 0, battles: 0, refused: 0, bytes: 0 };
  const { dryRun = false, lockWatch, now, source = mainSource } = options;
  const session = new Session(connection, { nested: dryRun, lockWatch, now, source });
  const state: State = { session, progress };
  // Watched, because a connection that breaks without any signal would otherwise keep the import waiting for
  // ever.
  if (!dryRun) state.health = new HealthOfSources(source, (work) => session.watch(() => session.read(work)));
  if (options.remarks) state.touched = new TouchedTournaments(options.remarks);
  if (dryRun) await session.client.query('begin');
  try {
    await session.read((client) => addSource(client, source));
    for (const input of inputs) {
      const before = progress.bytes;
      const pace = new Pace(input.live === true);
      const batches = readBatches(input, options, pace);
      let writing: Promise<void> = Promise.resolve();
      let weight = 0;
      for (;;) {
        // Two normal batches fit into memory. After a huge line, wait before reading the next batch.
        if (weight > 2 * (options.batchBytes ?? batchBytes)) await writing;
        const coming = batches.next();
        coming.catch(() => undefined); // awaited below, unless the import ends before
        // Await the write first, because its error must not wait for an idle pipe.
        await writing;
        if (options.stopOnError && progress.refused > 0) {
          await session.read(async (client) => state.touched?.end(client));
          await state.health?.end();
          return progress;
        }
        const batch = await coming;
        if (batch.done) break;
        const { value } = batch;
        weight = value.weight;
        writing = pace.timed(value.records.length, () => recordBatch(input, before, value, options, state));
        writing.catch(() => undefined); // awaited above; this only prevents an unhandled rejection until then
      }
    }
    await session.read(async (client) => state.touched?.end(client));
    await state.health?.end();
    return progress;
  } finally {
    // After a lost connection there is nothing left to roll back.
    if (dryRun) await session.client.query('rollback').catch(() => {});
  }
}

/** The state that one import keeps from batch to batch. */
interface State {
  session: Session;
  progress: ImportProgress;
  touched?: TouchedTournaments;
  /** Absent in a dry run. */
  health?: HealthOfSources;
}

async function recordBatch(
  { name: file, live = false }: FeedInput,
  before: number,
  batch: Batch,
  options: ImportOptions,
  { session, progress, touched, health }: State,
): Promise<void> {
  const { dryRun = false, stopOnError = false } = options;
  const recordedBefore = progress.records;
  session.arrivals.isLive = live;
  const remarks = new BatchRemarks(options.strict);
  const given = batch.records.map((each) => each.record);
  const refusals = await applyRecords(session, given, { stopOnError, remarks });
  // Report refusals of the reader and of the database together, in the order of the file.
  const refused = [...batch.refused];
  for (const each of batch.records) {
    const problems = refusals.get(each.record);
    if (problems) refused.push({ line: each.line, problems, about: aboutRefused(each.record, problems) });
  }
  refused.sort((a, b) => a.line - b.line);
  if (stopOnError) refused.splice(1);
  const end = (stopOnError && refused[0]?.line) || Infinity;
  const tournaments: { line: number; slug: string }[] = [];
  const finished: string[] = [];
  for (const { line, battles, record, warnings, sent } of batch.records) {
    if (line >= end || refusals.has(record)) continue;
    progress.records++;
    if (remarks.changed.has(record)) progress.changed++;
    progress.battles += battles;
    if (record.kind === 'tournament') tournaments.push({ line, slug: record.slug });
    touched?.add(record, sent);
    const all = [...warnings, ...(remarks.warnings.get(record) ?? [])];
    if (all.length > 0) options.remarks?.onWarnings(file, line, all);
    const removed = remarks.removed.get(record);
    if (removed && record.kind === 'tournament') options.remarks?.onRemoved?.(record.slug, removed);
    const slug = remarks.finished.get(record);
    if (slug !== undefined) finished.push(slug);
  }
  for (const each of [...refused, ...tournaments].toSorted((a, b) => a.line - b.line)) {
    if ('slug' in each) options.onTournament?.(each.slug);
    else {
      progress.refused++;
      health?.refused(each.line, each.problems);
      options.onRefusal(file, each.line, each.problems, each.about);
    }
  }
  const marks = session.takeMarks();
  if (!dryRun) {
    const line = Math.min(end, batch.line);
    const recorded = batch.records.filter((each) => each.line < end && !refusals.has(each.record));
    const changed = recorded.filter((each) => remarks.changed.has(each.record)).length;
    const unchanged = recorded.length - changed;
    options.onRecorded?.({ file, line, changed, unchanged, marks: marksOfLines(marks, recorded, line) });
  }
  progress.bytes = before + batch.offset;
  options.onProgress?.(progress);
  health?.accepted(progress.records - recordedBefore);
  await health?.update();
  if (live && finished.length > 0) await session.read(async (client) => touched?.judge(client, finished));
}

interface Batch {
  records: {
    line: number;
    record: FeedRecord;
    battles: number;
    warnings: Warning[];
    /** The warnings that `TouchedTournaments.add` takes. */
    sent: Warning[] | undefined;
  }[];
  refused: { line: number; problems: Problem[]; about: RefusedAbout }[];
  /** The last line of the batch, and the bytes of the file up to the end of that line. */
  line: number;
  offset: number;
  weight: number;
  /** The time of its first line. */
  begunAt: number;
}

/**
 * Bytes of feed in a batch: enough to make the cost of a transaction small, and few enough that twice as many
 * fit into memory.
 */
const batchBytes = 3 * 1024 * 1024;
/**
 * Limits for a live source, in milliseconds: the longest wait for the next line, and the longest time to fill
 * a batch.
 */
const patience = 5;
const longestWait = 500;

async function* readBatches(input: FeedInput, options: ImportOptions, pace: Pace): AsyncGenerator<Batch> {
  const longest = options.longestLine ?? longestLine;
  const heaviest = options.batchBytes ?? batchBytes;
  const groups = readLines(input.chunks, longest);
  let batch = emptyBatch();
  let coming = groups.next();
  for (;;) {
    // A live input may pause or trickle, so hand over the lines that have arrived before waiting for more.
    if (input.live && batch.weight > 0 && (isOld(batch) || !(await arrives(coming)))) {
      yield batch;
      batch = emptyBatch();
    }
    const group = await coming;
    if (group.done) break;
    for (const line of group.value) {
      const stop = addLine(batch, line, longest, options) && options.stopOnError;
      if (stop || batch.weight > heaviest || batch.records.length >= pace.most) {
        yield batch;
        if (stop) return;
        batch = emptyBatch();
      }
    }
    coming = groups.next();
  }
  if (batch.weight > 0) yield batch;
}

const emptyBatch = (): Batch => ({ records: [], refused: [], line: 0, offset: 0, weight: 0, begunAt: 0 });
const isOld = ({ begunAt }: Batch): boolean => Date.now() - begunAt > longestWait;

async function arrives(coming: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), patience);
  });
  const arrived = await Promise.race([coming.then(() => true), late]);
  clearTimeout(timer);
  return arrived;
}

/** Adds a line to the batch. Returns whether the line was refused. */
function addLine(batch: Batch, line: Line, longest: number, { strict, remarks }: ImportOptions): boolean {
  if (batch.weight === 0) batch.begunAt = Date.now();
  batch.line = line.number;
  batch.offset = line.offset;
  batch.weight++;
  if (!line.bytes) {
    const message = `expected a line of at most ${longest} bytes, found a longer one`;
    batch.refused.push({ line: line.number, problems: [{ path: '', message }], about: {} });
    return true;
  }
  if (line.bytes.length === 0) return false;
  batch.weight += line.bytes.length;
  const parsed = parseLine(line.bytes, line.last);
  if ('problems' in parsed) {
    batch.refused.push({ line: line.number, problems: parsed.problems, about: parsed.about });
    return true;
  }
  const { record } = parsed;
  if (record.kind === 'end') return false;
  const warnings = strict || remarks ? recordWarnings(record) : [];
  if (strict && warnings.length > 0) {
    batch.refused.push({ line: line.number, problems: warnings, about: aboutRefused(record, warnings) });
    return true;
  }
  const sent = remarks && sentWarnings(record);
  batch.records.push({ line: line.number, record, battles: battlesIn(record), warnings, sent });
  return false;
}

function battlesIn(record: FeedRecord): number {
  if (record.kind === 'battle') return 1;
  return record.kind === 'tournament' ? (record.battles?.length ?? 0) : 0;
}
