import type { Command, CommanderError } from 'commander';

/**
 * Thrown for a mistake in the command line. The message is commander's, as one sentence that also says where
 * to look.
 */
export class UsageError extends Error {}

/** Makes a command throw where commander would print a message and end the process with its own exit code. */
export function throwUsageErrors(command: Command): void {
  command.configureOutput({ outputError: () => {} });
  command.exitOverride((error) => {
    // Help and version have been printed already. So has the help of a command that needs a subcommand.
    if (error.exitCode === 0 || error.code === 'commander.help') throw error;
    throw new UsageError(usageSentence(error, nameOf(command)), { cause: error });
  });
  for (const each of command.commands) throwUsageErrors(each);
}

function usageSentence(error: CommanderError, name: string): string {
  const [first = '', ...more] = error.message.replace(/^error: /, '').split(/\n(?=\()/);
  // Commander suggests a similar name in parentheses, on a line of its own.
  const suggestion = more.map((line) => ` ${line.replaceAll(/[()]/g, '')}`).join('');
  const sentence = `${first.charAt(0).toUpperCase()}${first.slice(1)}`.replace(/\.?$/, '.');
  return `${sentence}${suggestion} See \`${name} --help\`.`;
}

function nameOf(command: Command): string {
  return command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`;
}
