import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command, InvalidArgumentError } from 'commander';
import { dayOf, momentText } from '../world/dates.ts';
import { parseFormat } from '../world/event/format.ts';
import { eventFeed, type EventOptions, eventSeries } from '../world/one-event.ts';
import { world } from '../world/world.ts';
import { CannotRun } from './explain-error.ts';
import { addExamples } from './help/examples.ts';
import { keepMemorySmall } from './keep-memory-small.ts';

interface Options {
  seed: number;
  battles: number;
  event?: true;
  players: number;
  format: string;
  live?: true;
  speed?: number;
}

// The world does not depend on the clock.
const firstDay = dayOf('2022-01-01');
const today = dayOf('2026-11-14');

export const worldCommand = new Command('world')
  .description('write an invented world of tournaments, or one event, as a feed')
  .option('--seed <number>', 'the same seed gives the same bytes', whole(0, Number.MAX_SAFE_INTEGER), 1)
  .option('--battles <number>', 'how many battles the world has', whole(0, 1_000_000_000), 20_000)
  .option('--event', 'make one event instead of a world')
  .option('--players <number>', 'players of the event', whole(4, 5000), 64)
  .option(
    '--format <format>',
    'format of the event: swiss or groups, then any of +knockout, +placements, +placement-swiss',
    format,
    'swiss',
  )
  .option('--live', 'write the event as it unfolds, each line {"at": moment, "record": record}')
  .option('--speed <factor>', 'with --live: write plain records in real time, this many times faster', factor)
  .action(async (options: Options) => {
    keepMemorySmall();
    if (options.speed !== undefined && !options.live)
      throw new CannotRun('--speed needs --live: add --live.');
    if (options.live && !options.event) throw new CannotRun('--live needs --event: add --event.');
    if (options.live && options.speed !== undefined) await writeAtPace(eventOptions(options), options.speed);
    else await writeLines(options.event ? eventLines(options) : world({ ...options, from: firstDay, today }));
  });

addExamples(
  worldCommand,
  ['A world of 100 battles in a file', 'wartable world --battles 100 > feed.ndjson'],
  ['One event with a knockout', 'wartable world --event --players 16 --format swiss+knockout'],
  [
    'An event while it is played, 10,000 times as fast',
    'wartable world --event --players 8 --live --speed 10000',
  ],
);

function eventOptions({ seed, players, format: form }: Options): EventOptions {
  const rounds = parseFormat(form).grouped || players < 12 ? 3 : players > 150 ? 7 : 5;
  return { seed, players, format: form, rounds, start: today };
}

function eventLines(options: Options): Iterable<unknown> {
  if (!options.live) return eventFeed(eventOptions(options), 'finished');
  return eventSeries(eventOptions(options)).map(({ at, record }) => ({ at: momentText(at), record }));
}

// Seconds. Skips the weeks of sign-up and the night between two days.
const longestGap = 600;

async function writeAtPace(options: EventOptions, speed: number): Promise<void> {
  let shown: number | undefined;
  for (const { at, record } of eventSeries(options)) {
    const gap = Math.min(longestGap, at - (shown ?? at));
    if (gap > 0) await sleep((gap * 1000) / speed);
    shown = at;
    await write(`${JSON.stringify(record)}\n`);
  }
}

async function writeLines(records: Iterable<unknown>): Promise<void> {
  let lines = '';
  for (const record of records) {
    lines += `${JSON.stringify(record)}\n`;
    if (lines.length < 1 << 17) continue;
    await write(lines);
    lines = '';
  }
  await write(lines);
}

// Waits for a slow reader. A reader that is gone (`| head`) is not an error.
async function write(text: string): Promise<void> {
  process.stdout.once('error', stopOnClosedPipe);
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
  process.stdout.off('error', stopOnClosedPipe);
}

function stopOnClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
}

function whole(least: number, most: number) {
  return (text: string): number => {
    const number = Number(text);
    if (!/^[0-9]+$/.test(text) || number < least || number > most) {
      throw new InvalidArgumentError(`It must be a whole number between ${least} and ${most}.`);
    }
    return number;
  };
}

function factor(text: string): number {
  const number = Number(text);
  if (!(number > 0) || number === Number.POSITIVE_INFINITY)
    throw new InvalidArgumentError('It must be a number above 0.');
  return number;
}

function format(text: string): string {
  try {
    parseFormat(text);
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
  }
  return text;
}
