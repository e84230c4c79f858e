import { Command } from 'commander';
import { readConfig } from '../config.ts';
import { publishNow } from '../publish/publish-now.ts';
import { setPublished } from '../record/write/set-published.ts';
import { Refused } from './explain-error.ts';
import { reportFailures } from './report-failures.ts';
import { withPool } from './with-pool.ts';

export const tournamentsCommand = new Command('tournaments').description('show or hide a tournament');

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
      const config = readConfig(process.env);
      await withPool(config.databaseUrl, async (pool) => {
        if (!(await setPublished(pool, slug, published)))
          throw new Refused(`There is no tournament ${slug}.`);
        const failed = await publishNow(pool, [{ kind: 'tournament', key: slug }]);
        if (failed.length === 0)
          console.log(`Tournament ${slug} is ${published ? 'published' : 'not published'}.`);
        reportFailures(failed);
      });
    });
}
