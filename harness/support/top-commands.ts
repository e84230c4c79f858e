import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Command } from 'commander';

const root = path.resolve(import.meta.dirname, '../..');

/**
 * Returns the commands of `wartable` by name, from the modules that create them, because importing src/cli.ts
 * would run one.
 */
export async function topCommands(): Promise<Map<string, Command>> {
  const made: Command[] = [];
  for (const file of globSync('src/**/*.ts', { cwd: root })) {
    const full = path.join(root, file);
    if (file === path.join('src', 'cli.ts') || !readFileSync(full, 'utf8').includes('new Command(')) continue;
    const exported = Object.values((await import(full)) as Record<string, unknown>);
    made.push(...exported.filter((each) => each instanceof Command));
  }
  const below = new Set(made.flatMap(({ commands }) => commands));
  return new Map(made.filter((each) => !below.has(each)).map((each) => [each.name(), each]));
}
