import { Command, InvalidArgumentError, Option } from 'commander';
import type { ClientBase } from 'pg';
import { isCalendarDate } from '../contract/patterns.ts';
import { exportFeed } from '../record/export/export.ts';
import { feedSchema } from '../record/feed/json-schema.ts';
import { longestText } from '../record/feed/scalars.ts';
import { Refused } from '../failures/explain.ts';
import { compareCommand } from './feed-compare.ts';
import { addExamples } from './help/examples.ts';
import { keepMemorySmall } from './keep-memory-small.ts';
import { refuseUnknownSource, sourceOption } from './options/source.ts';
import { withSnapshot, withPool } from './with-pool.ts';

export const feedCommand = new Command('feed').description(
  'export and compare feeds, and describe their format; docs/feed.md explains it',
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
  source?: string;
  allSources?: true;
}

feedCommand
  .command('export')
  .description('print what is recorded as a feed, which does not replace a backup')
  .option('--tournament <slug...>', 'only these tournaments, and what they refer to')
  .option(
    '--from <date>',
    'only tournaments that start on this day or later, and what they refer to',
    calendarDate,
  )
  .option(
    '--to <date>',
    'only tournaments that start on this day or earlier, and what they refer to',
    calendarDate,
  )
  .option('--drafts', 'include unpublished tournaments')
  .addOption(sourceOption('only what belongs to this source, and what that refers to'))
  .addOption(
    new Option('--all-sources', 'everything, no matter which source it belongs to').conflicts('source'),
  )
  .action(async ({ tournament, source, allSources, ...options }: ExportOptions) => {
    keepMemorySmall();
    await withPool((pool, { importSource }) =>
      withSnapshot(pool, async (client) => {
        await refuseUnknown(client, tournament ?? [], options.drafts === true);
        const owner = tournament || allSources ? undefined : (source ?? importSource);
        if (owner !== undefined) await refuseUnknownSource(client, owner);
        let records = 0;
        const feed = exportFeed(client, {
          ...options,
          // A tournament that is named is exported no matter which source owns it.
          ...(tournament && { tournaments: tournament }),
          ...(owner !== undefined && { source: owner }),
          onLongText: (path) =>
            console.error(
              `${path} has more than ${longestText} bytes, so only this database can import it again.`,
            ),
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
    'Save everything from a source, and compare it with what is recorded',
    'wartable feed export --drafts > all.ndjson',
    'wartable feed compare all.ndjson',
  ],
  [
    'Write what only Wartable has as records that remove it',
    'wartable feed compare --removals surplus.ndjson -- cat all.ndjson',
    'wartable import --dry-run surplus.ndjson',
  ],
);

/**
 * Refuses to export a tournament that does not exist or is a draft. An empty feed would look like a copy of
 * it, and somebody who then removed the tournament would have lost it.
 */
async function refuseUnknown(client: ClientBase, slugs: string[], withDrafts: boolean): Promise<void> {
  const { rows } = await client.query<{ slug: string; recorded: boolean }>(
    `select slug, t.id is not null as recorded from unnest($1::text[]) slug left join record.tournament t using (slug)
      where t.id is null or not (t.published or $2) limit 1`,
    [slugs, withDrafts],
  );
  for (const { slug, recorded } of rows)
    throw new Refused(
      recorded
        ? `Tournament ${slug} is not published: add --drafts to export it.`
        : `There is no tournament ${slug}: check the slug.`,
    );
}

/**
 * Prints a record. The command line has its own error listener for a reader that goes away (`| head`), which
 * must remain the only one.
 */
async function print(record: object): Promise<void> {
  if (process.stdout.write(`${JSON.stringify(record)}\n`)) return;
  await new Promise((resolve) => process.stdout.once('drain', resolve));
}

function calendarDate(given: string): string {
  if (!isCalendarDate(given)) throw new InvalidArgumentError('It must be a date like 2025-12-31.');
  return given;
}
