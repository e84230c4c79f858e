import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { loadEnvFile } from 'node:process';
import { Command } from 'commander';
import { accountsCommand } from './commands/accounts.ts';
import { auditCommand } from './commands/audit.ts';
import { demoCommand } from './commands/demo/demo.ts';
import { CannotRun, explainError, stackOf } from './commands/explain-error.ts';
import { feedCommand } from './commands/feed.ts';
import { addExamples, examplesText } from './commands/help/examples.ts';
import { printable } from './commands/help/printable.ts';
import { throwUsageErrors } from './commands/help/usage-error.ts';
import { importCommand } from './commands/import.ts';
import { keysCommand } from './commands/keys.ts';
import { migrateCommand } from './commands/migrate.ts';
import { playersCommand } from './commands/players.ts';
import { publishCommand } from './commands/publish.ts';
import { serveCommand } from './commands/serve.ts';
import { tournamentsCommand } from './commands/tournaments.ts';
import { worldCommand } from './commands/world.ts';
import { settings } from './config.ts';
import { doctorCommand } from './doctor/command.ts';

const { version } = createRequire(import.meta.url)('../package.json') as { version: string };

const program = new Command('wartable')
  .version(version)
  .description('Results of tabletop-wargame tournaments as a read-only JSON API')
  .addCommand(demoCommand)
  .addCommand(migrateCommand)
  .addCommand(importCommand)
  .addCommand(publishCommand)
  .addCommand(tournamentsCommand)
  .addCommand(playersCommand)
  .addCommand(serveCommand)
  .addCommand(keysCommand)
  .addCommand(accountsCommand)
  .addCommand(auditCommand)
  .addCommand(doctorCommand)
  .addCommand(feedCommand)
  .addCommand(worldCommand)
  .addHelpText(
    'after',
    `
Every command except demo, feed and world needs the setting DATABASE_URL, in the
environment or in a file .env. docs/operating.md has all settings.
The help of each command has examples, too.
${examplesText([
  [
    'From an empty database to a server with invented results',
    'wartable migrate',
    'wartable world --battles 100 | wartable import -',
    'wartable keys create --account "First steps"',
    'CURSOR_SECRETS=$(openssl rand -hex 32) wartable serve',
  ],
])}`,
  );

addExamples(
  doctorCommand,
  ['Look at everything, for example once a day from cron', 'wartable doctor'],
  ['Compare all documents with a fresh derivation', 'wartable doctor --thorough'],
);
throwUsageErrors(program);
process.on('uncaughtException', (error) => {
  // `serve` listens, too. It drains first.
  if (process.listenerCount('uncaughtException') === 1) fail(error);
});

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // `import --acknowledge` and `world` listen, too.
  if (process.stdout.listenerCount('error') > 1) return;
  // A reader that has read enough, such as `head`, is no fault.
  if (error.code === 'EPIPE') process.exit();
  fail(error.code === 'ENOSPC' ? error : new CannotRun('The output cannot be written.', { cause: error }));
});

try {
  if (statSync('.env', { throwIfNoEntry: false })?.isFile()) loadEnvFile('.env');
  await program.parseAsync();
} catch (error) {
  fail(error);
}

function fail(error: unknown): void {
  const { message, exitCode } = explainError(error, program.args[0]);
  process.exitCode = exitCode;
  if (message === undefined) return;
  console.error(printable(`wartable: ${message}`));
  if (process.env[settings.logLevel.name] === 'debug') console.error(printable(stackOf(error)));
  // The driver leaves the connection open after a failed login. The process would wait a minute for the server.
  process.exit();
}
