import { once } from 'node:events';
import { Command, InvalidArgumentError } from 'commander';
import { readConfig } from '../config.ts';
import { isCalendarDate } from '../contract/patterns.ts';
import { exportFeed } from '../record/export/export.ts';
import { feedSchema } from '../record/feed/json-schema.ts';
import { longestText } from '../record/feed/scalars.ts';
import { compareCommand } from './feed-compare.ts';
import { addExamples } from './help/examples.ts';
import { keepMemorySmall } from './keep-memory-small.ts';
import { inSnapshot, withPool } from './with-pool.ts';

export const feedCommand = new Command('feed').description(
  'write and compare feeds, and describe their format; docs/feed.md explains it',
);

feedCommand
  .command('schema')
  .description('print the JSON Schema of one line')
  .action(() => {
    console.log(JSON.stringify(feedSchema(), null, 2));
  });

interface ExportOptions {
  tournament?: string[];
  from?: string;
  to?: string;
  drafts?: true;
}

feedCommand
  .command('export')
  .description('print what is recorded as a feed; it is no backup')
  .option('--tournament <slug...>', 'only these tournaments, and what they name')
  .option(
    '--from <date>',
    'only tournaments that start on this day or later, and what they name',
    calendarDate,
  )
  .option(
    '--to <date>',
    'only tournaments that start on this day or earlier, and what they name',
    calendarDate,
  )
  .option('--drafts', 'unpublished tournaments, too')
  .action(async ({ tournament, ...options }: ExportOptions) => {
    keepMemorySmall();
    await withPool(readConfig(process.env).databaseUrl, (pool) =>
      inSnapshot(pool, async (client) => {
        let records = 0;
        const feed = exportFeed(client, {
          ...options,
          ...(tournament && { tournaments: tournament }),
          onLongText: (place) =>
            console.error(`${place} has more than ${longestText} bytes: only this database takes it again.`),
        });
        for await (const record of feed) {
          records += 1;
          await print(record);
        }
        await print({ kind: 'end', records });
      }),
    );
  });

feedCommand.addCommand(compareCommand(calendarDate));

addExamples(
  feedCommand,
  ['Save the schema for an editor or a validator', 'wartable feed schema > feed.schema.json'],
  [
    'Save everything that is recorded, and compare',
    'wartable feed export --drafts > all.ndjson',
    'wartable feed compare all.ndjson',
  ],
  [
    'Write what only Wartable has as records that remove it',
    'wartable feed compare --removals surplus.ndjson -- cat all.ndjson',
    'wartable import --dry-run surplus.ndjson',
  ],
);

async function print(record: object): Promise<void> {
  if (!process.stdout.write(`${JSON.stringify(record)}\n`)) await once(process.stdout, 'drain');
}

function calendarDate(given: string): string {
  if (!isCalendarDate(given)) throw new InvalidArgumentError('It must be a date like 2025-12-31.');
  return given;
}
