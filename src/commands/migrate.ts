import { Command } from 'commander';
import { readConfig } from '../config.ts';
import { migrate } from '../database/migrate.ts';
import { closeToOthers } from '../database/rights.ts';

export const migrateCommand = new Command('migrate')
  .description('bring the database to the newest schema; safe to run twice and by several processes at once')
  .option('--private', 'let only the owner and members of the group roles connect to the database')
  .action(async (options: { private?: boolean }) => {
    const config = readConfig(process.env);
    const ran = await migrate(config.databaseUrl);
    console.log(ran.length === 0 ? 'The database is up to date.' : `Migrated: ${ran.join(', ')}.`);
    if (options.private !== true) return;
    const lost = await closeToOthers(config.databaseUrl);
    console.log(
      lost.length === 0
        ? 'No login has lost the right to connect to this database.'
        : `These logins can no longer connect to this database: ${lost.join(', ')}.`,
    );
  });
