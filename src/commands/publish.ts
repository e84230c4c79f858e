import { Command } from 'commander';
import { readConfig } from '../config.ts';
import { publishStale } from '../publish/publisher.ts';
import { withPool } from './with-pool.ts';

export const publishCommand = new Command('publish')
  .description('publish everything that was recorded and is not published yet')
  .action(async () => {
    const config = readConfig(process.env);
    const published = await withPool(config.databaseUrl, (pool) => publishStale(pool, config.siteUrl));
    console.log(`${published} documents published.`);
  });
