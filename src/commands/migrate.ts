import { Command } from 'commander';
import { readConfig } from '../config.ts';
import { migrate } from '../database/migrate.ts';
import { onClient } from '../database/on-client.ts';
import { closeToOthers } from '../database/rights.ts';
import { explainMissing, missingObjects } from '../database/schema.ts';
import { CannotRun } from './explain-error.ts';
import { addExamples } from './help/examples.ts';

export const migrateCommand = new Command('migrate')
  .description('bring the database to the newest schema; safe to run twice and by several processes at once')
  .option('--private', 'let only the owner and members of the group roles connect to the database')
  .action(async (options: { private?: boolean }) => {
    const config = readConfig(process.env);
    const { ran, granted, unknown } = await migrate(config.databaseUrl);
    if (ran.length > 0) console.log(`Migrated: ${ran.join(', ')}.`);
    for (const right of granted) console.log(`Granted: ${right}.`);
    const missing = unknown.length === 0 ? await onClient(config.databaseUrl, missingObjects) : [];
    if (missing.length > 0) throw new CannotRun(explainMissing(missing));
    if (unknown.length > 0)
      console.log('A newer version of Wartable migrated the database: there is nothing to do.');
    else if (ran.length === 0 && granted.length === 0) console.log('The database is up to date.');
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
