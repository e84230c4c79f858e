import { Command, Option } from 'commander';
import { readConfig } from '../config/config.ts';
import { migrate } from '../database/migrate.ts';
import { onClient } from '../database/on-client.ts';
import { explainMissing, missingObjects } from '../database/schema.ts';
import { CannotRun, Refused } from '../failures/explain.ts';
import { addExamples } from './help/examples.ts';

export const migrateCommand = new Command('migrate')
  .description(
    'migrate the database to the newest schema; safe to run twice and in several processes at once',
  )
  .addOption(
    new Option(
      '--private',
      'let only the owner and members of the group roles connect (the default for a new database)',
    ).conflicts('public'),
  )
  .option('--public', 'let every login of the cluster connect to a new database')
  .action(async (options: { private?: boolean; public?: boolean }) => {
    const config = readConfig(process.env);
    const connectPrivilege = options.private ? 'private' : options.public ? 'public' : undefined;
    const { ran, granted, unknown, closedTo } = await migrate(config.databaseUrl, { connectPrivilege });
    if (unknown.length > 0)
      throw new Refused(
        `A newer version of Wartable has migrated the database (${unknown.join(', ')}): use that version of the command.`,
      );
    if (ran.length > 0) console.log(`Migrated: ${ran.join(', ')}.`);
    for (const right of granted) console.log(`Granted: ${right}.`);
    const missing = await onClient(config.databaseUrl, missingObjects);
    if (missing.length > 0) throw new CannotRun(explainMissing(missing));
    if (ran.length === 0 && granted.length === 0) console.log('The database is up to date.');
    if (closedTo === undefined) return;
    if (closedTo.length > 0)
      console.log(
        `These logins can no longer connect to this database: ${closedTo.join(', ')}. Members of the group roles still can, and so can logins that were granted the right by name.`,
      );
    else if (options.private) console.log('No login has lost the right to connect to this database.');
  });

addExamples(
  migrateCommand,
  ['Before the servers of a new version start', 'wartable migrate'],
  [
    'After a restore: let no other login of the cluster connect to the database',
    'wartable migrate --private',
  ],
);
