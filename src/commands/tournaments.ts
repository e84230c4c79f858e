import { Command } from 'commander';
import { publishNow } from '../publish/publish-now.ts';
import { listTournaments } from '../record/facts/list-tournaments.ts';
import { setPublished } from '../record/write/set-published.ts';
import { Refused } from '../failures/explain.ts';
import { addExamples } from './help/examples.ts';
import { reportFailures } from './report-failures.ts';
import { printJson, printTable } from './table.ts';
import { withPool } from './with-pool.ts';

export const tournamentsCommand = new Command('tournaments').description(
  'list tournaments, and show or hide one',
);

tournamentsCommand
  .command('list')
  .description('list recorded tournaments, latest start first')
  .option('--drafts', 'include unpublished tournaments')
  .option('--json', 'print a JSON array')
  .action(async ({ drafts = false, json }: { drafts?: true | false; json?: true }) => {
    const tournaments = await withPool((pool) => listTournaments(pool, drafts));
    if (json) return printJson(tournaments);
    printTable(
      ['slug', 'starts', 'status', 'shown', 'name'],
      tournaments.map(({ slug, startDate, status, published, name }) => [
        slug,
        startDate ?? '-',
        status,
        published ? 'yes' : 'no',
        name,
      ]),
    );
  });

for (const [verb, published, description] of [
  ['publish', true, 'show a hidden tournament'],
  [
    'unpublish',
    false,
    'hide a tournament: delete its documents and those of its battles, in one transaction',
  ],
] as const) {
  tournamentsCommand
    .command(verb)
    .description(description)
    .argument('<slug>', 'the tournament')
    .action(async (slug: string) => {
      await withPool(async (pool) => {
        if (!(await setPublished(pool, slug, published)))
          throw new Refused(`There is no tournament ${slug}: check the slug.`);
        const failed = await publishNow(pool, [{ kind: 'tournament', key: slug }]);
        if (failed.length === 0)
          console.log(`Tournament ${slug} is ${published ? 'published' : 'not published'}.`);
        reportFailures(failed);
      });
    });
}

addExamples(tournamentsCommand, [
  'List all tournaments, then show one, and hide it again',
  'wartable tournaments list --drafts',
  'wartable tournaments publish cup',
  'wartable tournaments unpublish cup',
]);
