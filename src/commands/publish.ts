import { Command } from 'commander';
import { startEpoch } from '../publish/number-changes.ts';
import { markEverything, markOutdated } from '../publish/mark-all.ts';
import { publishBacklog } from '../publish/publisher.ts';
import { addExamples } from './help/examples.ts';
import { keepMemorySmall } from './keep-memory-small.ts';
import { startProgress } from './progress.ts';
import { reportFailures } from './report-failures.ts';
import { withPool } from './with-pool.ts';

export const publishCommand = new Command('publish')
  .description('publish everything that was recorded and is not published yet')
  .option('--all', 'derive everything again; unchanged documents are not written')
  .option(
    '--announce',
    'after a restore, or a failover that lost data: tell everyone who follows changes to read everything again',
  )
  .action(async ({ all, announce }: { all?: true; announce?: true }) => {
    keepMemorySmall();
    await withPool(async (pool) => {
      if (announce) {
        await startEpoch(pool);
        console.log('Announced: callers who follow changes will read everything again.');
      }
      await (all ? markEverything(pool) : markOutdated(pool));
      const started = Date.now();
      const progress = startProgress(process.stderr);
      const { things, rows, failed } = await publishBacklog(pool, {
        onProgress: (now) => {
          const rate = Math.round(now.things / Math.max((Date.now() - started) / 1000, 0.001));
          progress.show(
            () =>
              `${now.things} published · ${now.rows} rows written · ${rate}/s · ${now.failed.length} failed`,
          );
        },
      });
      progress.end();
      console.log(`${things} published, ${rows} rows written, ${failed.length} failed.`);
      reportFailures(failed);
    });
  });

addExamples(
  publishCommand,
  ['After a killed import, or after an upgrade', 'wartable publish'],
  ['After a restore from a backup', 'wartable publish --announce'],
  ['Compare every document with the facts', 'wartable publish --all'],
);
