import { readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parseEnv } from 'node:util';
import { Command } from 'commander';
import { CannotRun, explainError, stackOf } from './failures/explain.ts';
import { addExamples, examplesText } from './commands/help/examples.ts';
import { printable } from './commands/help/printable.ts';
import { throwUsageErrors } from './failures/usage-error.ts';
import { settings } from './config/config.ts';

const { version } = createRequire(import.meta.url)('../package.json') as { version: string };

/**
 * The commands. Each is loaded only when it is used, because `serve` would otherwise keep the code of all the
 * others in memory.
 */
const commands: Record<string, () => Promise<Command>> = {
  preview: async () => (await import('./preview/preview.ts')).previewCommand,
  demo: async () => (await import('./demo/demo.ts')).demoCommand,
  migrate: async () => (await import('./commands/migrate.ts')).migrateCommand,
  import: async () => (await import('./commands/import.ts')).importCommand,
  publish: async () => (await import('./commands/publish.ts')).publishCommand,
  tournaments: async () => (await import('./commands/tournaments.ts')).tournamentsCommand,
  players: async () => (await import('./commands/players.ts')).playersCommand,
  serve: async () => (await import('./commands/serve.ts')).serveCommand,
  keys: async () => (await import('./commands/keys.ts')).keysCommand,
  accounts: async () => (await import('./commands/accounts.ts')).accountsCommand,
  audit: async () => (await import('./commands/audit.ts')).auditCommand,
  doctor: async () => withDoctorExamples((await import('./commands/doctor.ts')).doctorCommand),
  convert: async () => (await import('./commands/convert.ts')).convertCommand,
  feed: async () => (await import('./commands/feed.ts')).feedCommand,
  sources: async () => (await import('./commands/sources.ts')).sourcesCommand,
  backup: async () => (await import('./commands/backup.ts')).backupCommand,
  files: async () => (await import('./commands/files.ts')).filesCommand,
  world: async () => (await import('./commands/world.ts')).worldCommand,
};

const program = new Command('wartable')
  .version(version)
  .description('Results of tabletop-wargame tournaments as a read-only JSON API')
  .addHelpText(
    'after',
    `
Every command except convert, demo, feed schema and preview needs the setting
DATABASE_URL, in the environment or in a .env file. docs/settings.md describes
all settings.
The help for each command also has examples.
${examplesText([
  [
    'From an empty database to a server',
    'wartable migrate',
    'wartable keys create --account "First steps"',
    'CURSOR_SECRETS=$(openssl rand -hex 32) wartable serve',
  ],
])}`,
  );

// Otherwise a package used by node-pg-migrate leaves an empty folder in the temporary directory.
process.env['JITI_FS_CACHE'] = 'false';
const [, , first = ''] = process.argv;
const used = Object.hasOwn(commands, first) ? [first] : Object.keys(commands);
for (const name of used) {
  const command = await commands[name]?.();
  // Invented feeds are for developers, so no page for operators mentions this command.
  if (command !== undefined) program.addCommand(command, { hidden: name === 'world' });
}
throwUsageErrors(program);
process.on('uncaughtException', (error) => {
  // `serve` has its own listener, because it drains first.
  if (process.listenerCount('uncaughtException') === 1) fail(error);
});

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // `import --acknowledge` has its own listener.
  if (process.stdout.listenerCount('error') > 1) return;
  // A reader that has read enough, such as `head`, is not an error.
  if (error.code === 'EPIPE') process.exit();
  fail(error.code === 'ENOSPC' ? error : new CannotRun('The output cannot be written.', { cause: error }));
});

try {
  readEnvFile();
  await program.parseAsync();
} catch (error) {
  fail(error);
}

/**
 * Reads `.env`. Node's loadEnvFile would lose the first setting of a file with a byte order mark, which
 * editors on Windows write.
 */
function readEnvFile(): void {
  if (!statSync('.env', { throwIfNoEntry: false })?.isFile()) return;
  const given = parseEnv(readFileSync('.env', 'utf8').replace(/^\uFEFF/, ''));
  for (const [name, value] of Object.entries(given)) process.env[name] ??= value;
}

function fail(error: unknown): void {
  const { message, exitCode } = explainError(error, program.args[0]);
  process.exitCode = exitCode;
  if (message === undefined) return;
  console.error(printable(`wartable: ${message}`));
  if (process.env[settings.logLevel.name] === 'debug') console.error(printable(stackOf(error)));
  // After a failed login the driver leaves the connection open, and the process would wait a minute for the
  // server.
  process.exit();
}

function withDoctorExamples(command: Command): Command {
  addExamples(
    command,
    ['Check everything, for example once a day from cron', 'wartable doctor'],
    ['Compare all documents with a fresh derivation', 'wartable doctor --thorough'],
  );
  return command;
}
