import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { Command } from 'commander';
import { claims } from '../../harness/evidence/claims.ts';
import { topCommands } from '../../harness/support/top-commands.ts';
import { allPages, root } from '../../harness/guides/samples.ts';

// Every command that a page mentions, in a sentence or in a sample, exists and has the options shown.

const pages = allPages().filter(({ page }) => page !== 'CHANGELOG.md');

test('every wartable command of a page exists, with its options', async () => {
  const top = await topCommands();
  assert.ok(top.has('import') && top.has('serve'), [...top.keys()].join(' '));
  const wrong = pages.flatMap(({ page, text }) =>
    commandsIn(text)
      .filter((words) => words[0] === 'wartable')
      .flatMap((words) => problemsOf(ownWords(words), top).map((problem) => `${page}: ${problem}`)),
  );
  assert.deepEqual(wrong, []);
});

test('settings.md says of every command who runs it and what they lack without it', async () => {
  const page = pages.find((each) => each.page === 'docs/settings.md')?.text ?? '';
  const [, section = ''] = page.split('\n## Commands\n');
  const said = [...section.matchAll(/^- `([a-z]+)`: [A-Z][^.]*\.\s+Without it, /gm)].map(
    ([, name = '']) => name,
  );
  const commands = new Set((await topCommands()).keys());
  // This command is hidden because it is for developers.
  assert.ok(commands.delete('world'));
  assert.deepEqual(said.toSorted(), [...commands].toSorted());
});

test('every npm script and every proof of a page exists', () => {
  const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  let seen = 0;
  for (const { page, text } of pages) {
    for (const [npm, run, script = '', proof = ''] of commandsIn(text)) {
      if (npm !== 'npm' || run !== 'run') continue;
      seen += 1;
      assert.ok(script in scripts, `${page}: npm run ${script}`);
      if (script !== 'prove' || !/^[a-z]/.test(proof)) continue;
      assert.ok(Object.hasOwn(claims, proof), `${page}: npm run prove ${proof}`);
    }
  }
  assert.ok(seen > 20, `${seen} commands`);
});

/** Returns the words without the name, and without the other command that comes after `--`. */
function ownWords(words: string[]): string[] {
  const other = words.indexOf('--');
  return words.slice(1, other < 0 ? undefined : other);
}

/**
 * Returns the words of each command: in a sentence between backticks, in a line of a sample, in each part of
 * a pipe.
 */
function commandsIn(text: string): string[][] {
  const isSample = /^ *```(?:sh|bash)\n(.*?)^ *```$/gms;
  const samples = [...text.matchAll(isSample)].flatMap(([, sample = '']) => sample.split('\n'));
  const sentences = text.replaceAll(/^ *```.*?^ *```$/gms, '');
  const inline = [...sentences.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
  return [...samples, ...inline]
    .flatMap((line) => line.replace(/ #.*$/s, '').split(/\\?\||&&|;|\$\(/))
    .map((command) =>
      command
        .trim()
        .replaceAll(/[)\]"]/g, ' ')
        .split(/[\s[]+/),
    );
}

function problemsOf(words: string[], top: Map<string, Command>): string[] {
  const named = words.join(' ');
  // `wartable`, `wartable -h` and `wartable COMMAND` refer to all commands.
  if (words.length === 0 || /^(-|[A-Z])/.test(words[0] ?? '')) return [];
  let command = top.get(words[0] ?? '');
  if (command === undefined) return [`wartable ${named}: no such command`];
  const [, second = ''] = words;
  const below = command.commands.find((each) => each.name() === second);
  if (below === undefined && command.commands.length > 0 && /^[a-z]/.test(second))
    return [`wartable ${named}: no such command`];
  command = below ?? command;
  const known = new Set(command.options.map(({ long }) => long));
  return words
    .filter((word) => word.startsWith('--') && word !== '--help')
    .map((word) => word.replace(/[=,.:].*$/, ''))
    .filter((option) => !known.has(option))
    .map((option) => `wartable ${named}: no ${option}`);
}
