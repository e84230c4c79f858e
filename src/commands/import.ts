import { createReadStream } from 'node:fs';
import { access, constants, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { Command, Option } from 'commander';
import type { Config } from '../config/config.ts';
import { LastingClient } from '../database/lasting-client.ts';
import type { Pool } from '../database/pool.ts';
import { KnownFailures } from '../publish/known-failures.ts';
import { stampIfEmpty } from '../publish/mark-all.ts';
import { publishAlongside } from '../publish/publish-alongside.ts';
import { Debounce } from '../publish/debounce.ts';
import type { FeedInput } from '../record/feed/read-lines.ts';
import { importFeed, type ImportOptions, type ImportProgress, type RecordedLines } from '../record/import.ts';
import { refuseForeignFiles, withoutForeign } from '../record/foreign-format.ts';
import { CannotRun, sentenceOf } from '../failures/explain.ts';
import { Acknowledgements } from './acknowledge.ts';
import { addExamples } from './help/examples.ts';
import { keepMemorySmall } from './keep-memory-small.ts';
import { sourceOption } from './options/source.ts';
import { importLine, startProgress } from './progress.ts';
import { reportFailures } from './report-failures.ts';
import { reportRefusals } from './report-refusals.ts';
import { startWarnings } from './warnings.ts';
import { inDryRun, inLastingClient, withPool } from './with-pool.ts';

interface Options {
  dryRun?: true;
  stopOnError?: true;
  strict?: true;
  acknowledge?: true;
  source?: string;
}

export const importCommand = new Command('import')
  .description('record a feed (newline-delimited JSON) and publish what it changed')
  .argument('<file...>', 'feed files; - is standard input')
  .option('--dry-run', 'check everything, references included, and record nothing')
  .option('--stop-on-error', 'record nothing after the first refused record')
  .option('--strict', 'refuse records that cause a warning')
  .addOption(
    new Option('--acknowledge', 'report what is recorded, refused and published, in lines of JSON').conflicts(
      'dryRun',
    ),
  )
  .addOption(sourceOption('the source of the feed'))
  .action(async (files: string[], options: Options) => {
    keepMemorySmall();
    const progress = startProgress(process.stderr);
    const tell = (line: string): void => progress.print(line);
    await withPool((pool, config) => run(pool, config, files, options, progress), tell);
  });

addExamples(
  importCommand,
  [
    'Check a file, then record and publish it',
    'wartable convert --template',
    'wartable convert --slug cup event.csv players.csv games.csv > cup.ndjson',
    'wartable import --dry-run cup.ndjson',
    'wartable import cup.ndjson',
  ],
  ['Record what another program writes, as it arrives', 'cat cup.ndjson | wartable import -'],
  ['Tell that program what became of its lines', 'cat cup.ndjson | wartable import --acknowledge -'],
);

async function run(
  pool: Pool,
  config: Config,
  files: string[],
  options: Options,
  progress: ReturnType<typeof startProgress>,
): Promise<void> {
  const started = Date.now();
  const bytes = await sizeOf(files);
  await refuseForeignFiles(files);
  const outageMs = config.reconnectSeconds * 1000;
  const client = await LastingClient.connect(
    pool,
    { patienceMs: outageMs, tell: (line) => progress.print(line) },
    options.dryRun ? undefined : stampIfEmpty,
  );
  const warnings = startWarnings((line) => progress.print(line));
  const report = reportRefusals((line) => progress.print(line));
  if (files.includes('-') && process.stdin.isTTY)
    progress.print('Reading the feed from the terminal. Ctrl-D ends it.');
  const streams = files.map(open);
  const inputs = streams.map((chunks, index) => inputOf(files[index] ?? '', chunks));
  const acknowledgements = options.acknowledge && new Acknowledgements((line) => process.stdout.write(line));
  const debounce = new Debounce();
  let last: RecordedLines | undefined;
  const printLast = () => {
    if (last) progress.print(`${last.file} is recorded up to line ${last.line}.`);
  };
  if (acknowledgements) {
    process.stdout.once('error', (cause) => {
      printLast();
      throw new CannotRun(
        'The program that reads the acknowledgements has ended: start it and the import again.',
        {
          cause,
        },
      );
    });
  }
  const importOptions: ImportOptions = {
    source: options.source ?? config.importSource,
    dryRun: options.dryRun === true,
    stopOnError: options.stopOnError === true,
    strict: options.strict === true,
    remarks: warnings,
    lockWatch: pool.lockWatch,
    onProgress: (now) => {
      progress.show(() => importLine(now, (Date.now() - started) / 1000, bytes));
    },
    onRefusal: (file, line, problems, about) => {
      report.refused(file, line, problems, about);
      acknowledgements?.refused(file, line, problems);
    },
    onTournament: (slug) => report.recorded(slug),
    onRecorded: (recorded) => {
      last = recorded;
      debounce.wake();
      acknowledgements?.recorded(recorded);
    },
  };
  const importing = (
    options.dryRun
      ? inDryRun(client.client, (one) => importFeed(one, inputs, importOptions))
      : inLastingClient(client, () => importFeed(client, inputs, importOptions))
  ).finally(() => {
    warnings.end();
    progress.end();
    report.end();
    // An import that stops early must not wait for the rest of its input.
    for (const stream of streams) stream.destroy();
  });
  const onTrouble = (error: unknown) =>
    progress.print(`Publishing failed, trying again: ${sentenceOf(error, 'import')}`);
  const failures = new KnownFailures();
  const publishing = options.dryRun
    ? Promise.resolve(undefined)
    : publishAlongside(pool, { onTrouble, outageMs, failures, debounce }, importing);
  const following = acknowledgements?.follow(pool, failures, publishing);
  const [recording, publication] = await Promise.allSettled([importing, publishing, following]);
  if (recording.status === 'rejected') {
    printLast();
    throw recording.reason;
  }
  const done = recording.value;
  const published = publication.status === 'fulfilled' ? publication.value : undefined;
  // With acknowledgements, standard output is reserved for them.
  const say = acknowledgements ? console.error : console.log;
  say(summaryOf(done, published, { isDryRun: options.dryRun === true, ms: Date.now() - started }));
  for (const line of warnings.tournamentLines) say(line);
  reportFailures(published?.failed ?? []);
  if (done.refused > 0) process.exitCode = 1;
  // The records are committed and have been reported above. `wartable publish` can publish them later.
  if (publication.status === 'rejected') throw publication.reason;
}

function summaryOf(
  { records, changed, battles, refused }: ImportProgress,
  published: { things: number; rows: number } | undefined,
  { isDryRun, ms }: { isDryRun: boolean; ms: number },
): string {
  const recorded = isDryRun ? 'would be recorded' : 'recorded';
  const shown = published && `; ${published.things} published, ${published.rows} rows written`;
  const games = `${battles} ${battles === 1 ? 'battle' : 'battles'}`;
  return `${records} ${recorded} (${changed} changed, ${records - changed} unchanged; ${games}), ${refused} refused, in ${(ms / 1000).toFixed(1)} s${shown ?? ''}.`;
}

const open = (file: string): Readable =>
  file === '-' ? process.stdin : createReadStream(file, { highWaterMark: 1 << 18 });

function inputOf(file: string, bytes: AsyncIterable<Buffer>): FeedInput {
  const chunks = withoutForeign(file, bytes);
  return file === '-' ? { name: 'standard input', chunks, live: true } : { name: file, chunks };
}

/**
 * Returns the size of all files together. Returns undefined if one of them is a pipe. Throws if one of them
 * cannot be read.
 */
async function sizeOf(files: string[]): Promise<number | undefined> {
  let bytes = 0;
  let known = true;
  for (const file of files) {
    if (file === '-') known = false;
    else {
      const facts = await stat(file);
      if (facts.isDirectory()) throw new CannotRun(`${file} is a folder: name the files in it.`);
      await access(file, constants.R_OK);
      const { size } = facts;
      bytes += size;
      if (size === 0) known = false;
    }
  }
  return known ? bytes : undefined;
}
