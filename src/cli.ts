import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { loadEnvFile } from 'node:process';
import { Command } from 'commander';
import { accountsCommand } from './commands/accounts.ts';
import { auditCommand } from './commands/audit.ts';
import { demoCommand } from './commands/demo/demo.ts';
import { explainError, stackOf } from './commands/explain-error.ts';
import { feedCommand } from './commands/feed.ts';
import { importCommand } from './commands/import.ts';
import { keysCommand } from './commands/keys.ts';
import { migrateCommand } from './commands/migrate.ts';
import { playersCommand } from './commands/players.ts';
import { publishCommand } from './commands/publish.ts';
import { serveCommand } from './commands/serve.ts';
import { tournamentsCommand } from './commands/tournaments.ts';
import { worldCommand } from './commands/world.ts';
import { settings } from './config.ts';

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
  .addCommand(feedCommand)
  .addCommand(worldCommand);

// commander would end the process itself, with its own exit code.
throwInsteadOfExit(program);
process.on('uncaughtException', (error) => {
  // `serve` listens, too. It drains first.
  if (process.listenerCount('uncaughtException') === 1) fail(error);
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
  console.error(`wartable: ${message}`);
  if (process.env[settings.logLevel.name] === 'debug') console.error(stackOf(error));
  // The driver leaves the connection open after a failed login. The process would wait a minute for the server.
  process.exit();
}

function throwInsteadOfExit(command: Command): void {
  command.exitOverride();
  for (const each of command.commands) throwInsteadOfExit(each);
}
