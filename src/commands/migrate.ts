import { Command } from 'commander';
import { readConfig } from '../config.ts';
import { migrate } from '../database/migrate.ts';

export const migrateCommand = new Command('migrate')
  .description('bring the database to the newest schema; safe to run twice and by several processes at once')
  .action(async () => {
    const config = readConfig(process.env);
    const ran = await migrate(config.databaseUrl);
    console.log(ran.length === 0 ? 'The database is up to date.' : `Migrated: ${ran.join(', ')}.`);
  });
