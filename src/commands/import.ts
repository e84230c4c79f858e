import { createReadStream } from 'node:fs';
import { Command } from 'commander';
import { readConfig } from '../config.ts';
import { publishStale } from '../publish/publisher.ts';
import { importFeed } from '../record/import.ts';
import { withPool } from './with-pool.ts';

export const importCommand = new Command('import')
  .description('record a feed (newline-delimited JSON) and publish what it changed')
  .argument('<file...>', 'feed files; - is standard input')
  .action(async (files: string[]) => {
    const config = readConfig(process.env);
    await withPool(config.databaseUrl, async (pool) => {
      let recorded = 0;
      let refused = 0;
      for (const file of files) {
        const input = file === '-' ? process.stdin : createReadStream(file);
        const result = await importFeed(pool, file === '-' ? 'standard input' : file, input);
        for (const line of result.refused) console.error(line);
        recorded += result.recorded;
        refused += result.refused.length;
      }
      const published = await publishStale(pool, config.siteUrl);
      console.log(`${recorded} recorded, ${refused} refused, ${published} documents published.`);
      if (refused > 0) process.exitCode = 1;
    });
  });
