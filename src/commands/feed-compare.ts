import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { Command, InvalidArgumentError } from 'commander';
import type { Pool } from '../database/pool.ts';
import { compareFeed, type RecordWindow } from '../record/compare/compare.ts';
import type { FeedInput } from '../record/feed/read-lines.ts';
import { CannotRun } from '../failures/explain.ts';
import { inOneLine } from './help/printable.ts';
import { keepMemorySmall } from './keep-memory-small.ts';
import { refuseUnknownSource, sourceOption } from './options/source.ts';
import { withSnapshot, withPool } from './with-pool.ts';

interface Options extends RecordWindow {
  removals?: string;
  atMost?: number;
  source?: string;
}

export const compareCommand = (calendarDate: (given: string) => string): Command =>
  new Command('compare')
    .description('compare a complete feed with what is recorded; the exit code is 0 if they are equal')
    .argument('<file...>', 'the feed (- is standard input); with --removals, a command that prints it')
    .option('--from <date>', 'the feed covers only tournaments that start on this day or later', calendarDate)
    .option('--to <date>', 'the feed covers only tournaments that start on this day or earlier', calendarDate)
    .addOption(sourceOption('the source of the feed, which need not contain what belongs to other sources'))
    .option('--removals <file>', 'write records that remove what only Wartable has, except players')
    .option('--at-most <number>', 'write no removals if there are more than this', wholeNumber)
    .action(async (given: string[], options: Options) => {
      keepMemorySmall();
      const isWindow = (options.from ?? options.to) !== undefined;
      if (options.removals !== undefined && isWindow)
        throw new CannotRun('--removals needs a complete feed: leave out --from and --to.');
      if (options.removals === undefined && given.length > 1)
        throw new CannotRun('Give only one file. To run a command instead, put --removals before it.');
      const file = options.removals ?? given[0] ?? '-';
      if (file !== '-' && (await stat(file).catch(() => undefined))?.isDirectory())
        throw new CannotRun(`${file} is a folder: name a file.`);
      // The file of an earlier run must not be imported by mistake.
      if (options.removals !== undefined) await rm(options.removals, { force: true });
      await withPool((pool, { importSource }) =>
        compare(pool, given, options.source ?? importSource, options),
      );
    });

async function compare(pool: Pool, given: string[], owner: string, options: Options): Promise<void> {
  await refuseUnknownSource(pool, owner);
  const counts = { differ: 0, onlyRecorded: 0, onlyInFeed: 0, problems: 0 };
  const stillNamed: { count: number; first?: string } = { count: 0 };
  const say = (what: string, kind: string, key: string): void =>
    console.log(inOneLine(`${what} ${kind} ${key}`));
  const removals = options.removals === undefined ? undefined : await startRemovals(options.removals);
  // The snapshot is taken before the command starts, so that records that arrive after the command has read
  // its data do not count as surplus.
  const comparing = withSnapshot(pool, async (client) => {
    const input = removals ? run(given) : read(given[0] ?? '-');
    return compareFeed(
      client,
      input,
      { ...options, source: owner },
      {
        onDifference: (kind, key, member) => {
          counts.differ += 1;
          say('differs:', kind, `${key}: ${member}`);
        },
        onlyInFeed: (kind, key) => {
          counts.onlyInFeed += 1;
          say('only in the feed:', kind, key);
        },
        onlyRecorded: (kind, key) => {
          counts.onlyRecorded += 1;
          say('only in Wartable:', kind, key);
          if (kind !== 'player') removals?.add({ kind: 'remove', of: kind, id: key });
        },
        onProblem: (line) => {
          counts.problems += 1;
          console.error(inOneLine(line));
        },
        onStillNamed: (who) => {
          stillNamed.count += 1;
          stillNamed.first ??= who;
        },
      },
    );
  });
  const { records, owned } = await comparing.catch(async (error: unknown) => {
    await removals?.end(false, 0);
    throw error;
  });
  const { differ, onlyRecorded, onlyInFeed, problems } = counts;
  if (problems > 0) console.error('The feed is not complete, so what only Wartable has is not listed.');
  await removals?.end(problems === 0, options.atMost ?? Infinity);
  if (differ + onlyRecorded + onlyInFeed + problems > 0) process.exitCode = 1;
  const { count, first } = stillNamed;
  if (count > 0)
    console.log(
      `${count === 1 ? '1 person is' : `${count} people are`} erased here, and the feed still names them${count === 1 ? ':' : ', such as'} ${first}.`,
    );
  const result =
    process.exitCode === 1
      ? `${differ} differ, ${onlyRecorded} only in Wartable, ${onlyInFeed} only in the feed.`
      : `Equal: ${records} things.`;
  console.log(owned === undefined ? result : `${result} ${ownership(owner, owned, options)}`);
}

/**
 * Says what the feed was compared with, because a wrong source that owns little would look like one of which
 * nothing is left over.
 */
function ownership(source: string, owned: number, { from, to }: RecordWindow): string {
  const isWindow = (from ?? to) !== undefined;
  const noun = isWindow ? 'tournament' : 'thing';
  const number = owned === 0 ? 'no' : String(owned);
  return `Source ${source} owns ${number} ${noun}${owned === 1 ? '' : 's'}${isWindow ? ' in this window' : ''}.`;
}

const read = (file: string): FeedInput =>
  file === '-'
    ? { name: 'standard input', chunks: process.stdin }
    : { name: file, chunks: createReadStream(file) };

/**
 * Runs a command that prints a feed. If the command fails, its feed counts as incomplete, no matter what it
 * printed.
 */
function run([program = '', ...args]: string[]): FeedInput {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'], windowsHide: true });
  return { name: program, chunks: printed(child, program) };
}

async function* printed(child: ChildProcess, program: string): AsyncGenerator<Buffer> {
  const ended = once(child, 'close') as Promise<[number | null]>;
  ended.catch(() => undefined); // awaited below
  if (child.stdout) yield* child.stdout as AsyncIterable<Buffer>;
  const [code] = await ended.catch(async (cause: NodeJS.ErrnoException) => {
    const isFile = (await stat(program).catch(() => undefined))?.isFile() === true;
    throw new CannotRun(isFile ? needsCommand(program) : notStarted(program, cause.code), { cause });
  });
  if (code !== 0) throw new CannotRun(`${program} failed, so nothing was compared: see its message above.`);
}

const needsCommand = (file: string): string =>
  `${file} is a file, but --removals needs a command that prints the feed, because whatever was recorded after ` +
  `the file was written would be removed. Give \`-- cat ${file}\` only if nothing was recorded since.`;

const notStarted = (program: string, code = 'unknown'): string =>
  `${program} cannot be started (${code}): check the name of the command.`;

async function startRemovals(file: string) {
  const part = `${file}.part`;
  // A stopped run may have left this file behind. Somebody else may have put a link there, and writing
  // through it would change another file.
  await rm(part, { force: true });
  const stream = (await open(part, 'wx')).createWriteStream();
  let count = 0;
  return {
    add(record: object): void {
      count += 1;
      stream.write(`${JSON.stringify(record)}\n`);
    },
    async end(isWhole: boolean, atMost: number): Promise<void> {
      stream.end();
      await once(stream, 'close');
      if (isWhole && count <= atMost) return rename(part, file);
      await rm(part);
      if (isWhole)
        console.error(
          `${file} was not written, because it would have ${count} removals, more than ${atMost}.`,
        );
    },
  };
}

function wholeNumber(given: string): number {
  if (!/^\d{1,9}$/.test(given)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(given);
}
