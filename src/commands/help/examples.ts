import type { Command } from 'commander';

type Example = [what: string, ...lines: string[]];

/**
 * Adds examples to the help of a command and of its subcommands. A test pastes them into a shell, one after
 * the other. The explanation of an example is on the line above it, because not every shell accepts a comment
 * that is pasted.
 */
export function addExamples(command: Command, ...examples: Example[]): void {
  command.addHelpText('afterAll', examplesText(examples));
}

export function examplesText(examples: Example[]): string {
  const each = examples.map(([what, ...lines]) =>
    [`  ${what}:`, ...lines.map((line) => `    ${line}`)].join('\n'),
  );
  return `\nExamples:\n${each.join('\n')}`;
}
