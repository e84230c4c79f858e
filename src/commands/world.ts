import { Command } from 'commander';
import { dayNumber } from '../world/dates.ts';
import { parseFormat } from '../world/event/format.ts';
import { eventFeed } from '../world/one-event.ts';
import { world } from '../world/world.ts';
import { keepMemorySmall } from './keep-memory-small.ts';

interface Options {
  seed: number;
  battles: number;
  event?: true;
  players: number;
  format: string;
}

// Fixed days, because the world must not depend on the clock.
const firstDay = dayNumber('2022-01-01');
const today = dayNumber('2026-11-14');

export const worldCommand = new Command('world')
  .description('write an invented world of tournaments, or one event, as a feed')
  .option('--seed <number>', 'the same seed gives the same bytes', Number, 1)
  .option('--battles <number>', 'how many battles the world has', Number, 20_000)
  .option('--event', 'make one event instead of a world')
  .option('--players <number>', 'players of the event', Number, 64)
  .option(
    '--format <format>',
    'format of the event: swiss or groups, then any of +knockout, +placements, +placement-swiss',
    'swiss',
  )
  .action(async (options: Options) => {
    keepMemorySmall();
    await writeLines(options.event ? eventOf(options) : world({ ...options, from: firstDay, today }));
  });

function eventOf({ seed, players, format: form }: Options): Iterable<unknown> {
  const rounds = parseFormat(form).grouped || players < 12 ? 3 : players > 150 ? 7 : 5;
  return eventFeed({ seed, players, format: form, rounds, start: today }, 'finished');
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

/** Writes to standard output, and waits for a slow reader. */
async function write(text: string): Promise<void> {
  if (!process.stdout.write(text)) await new Promise((resolve) => process.stdout.once('drain', resolve));
}
