import { Command } from 'commander';
import { readConfig } from '../config.ts';
import { migrate, readMigrations } from '../database/migrate.ts';
import { onClient } from '../database/on-client.ts';
import { closeToOthers } from '../database/rights.ts';
import { addExamples } from './help/examples.ts';

export const migrateCommand = new Command('migrate')
  .description('bring the database to the newest schema; safe to run twice and by several processes at once')
  .option('--private', 'let only the owner and members of the group roles connect to the database')
  .action(async (options: { private?: boolean }) => {
    const config = readConfig(process.env);
    const ran = await migrate(config.databaseUrl);
    if (ran.length > 0) console.log(`Migrated: ${ran.join(', ')}.`);
    else if ((await onClient(config.databaseUrl, readMigrations)).unknown.length === 0)
      console.log('The database is up to date.');
    else console.log('A newer version of Wartable migrated the database: there is nothing to do.');
    if (options.private !== true) return;
    const lost = await closeToOthers(config.databaseUrl);
    console.log(
      lost.length === 0
        ? 'No login has lost the right to connect to this database.'
        : `These logins can no longer connect to this database: ${lost.join(', ')}.`,
    );
  });

addExamples(
  migrateCommand,
  ['Before the servers of a new version start', 'wartable migrate'],
  ['Let no other login of the cluster connect', 'wartable migrate --private'],
);
