import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Command } from 'commander';
import { accountsCommand } from '../../src/commands/accounts.ts';
import { auditCommand } from '../../src/commands/audit.ts';
import { convertCommand } from '../../src/commands/convert.ts';
import { feedCommand } from '../../src/commands/feed.ts';
import { filesCommand } from '../../src/commands/files.ts';
import { sourcesCommand } from '../../src/commands/sources.ts';
import { importCommand } from '../../src/commands/import.ts';
import { keysCommand } from '../../src/commands/keys.ts';
import { migrateCommand } from '../../src/commands/migrate.ts';
import { playersCommand } from '../../src/commands/players.ts';
import { publishCommand } from '../../src/commands/publish.ts';
import { serveCommand } from '../../src/commands/serve.ts';
import { tournamentsCommand } from '../../src/commands/tournaments.ts';
import { previewCommand } from '../../src/preview/preview.ts';
import { freePort } from '../../harness/support/postgres.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { bareEnvironment } from '../../harness/support/bare-environment.ts';
import { wartable } from '../../harness/support/command.ts';
import { createTestDatabase } from '../../harness/support/database.ts';

const groups = [
  migrateCommand,
  importCommand,
  publishCommand,
  tournamentsCommand,
  playersCommand,
  serveCommand,
  keysCommand,
  accountsCommand,
  auditCommand,
  convertCommand,
  feedCommand,
  filesCommand,
  sourcesCommand,
];
const database = await createTestDatabase();
const { stdout: root } = await wartable(['--help'], {});
const folder = await mkdtemp(path.join(tmpdir(), 'wartable-help-'));
atEnd(() => rm(folder, { recursive: true }));

test('this file knows every command', () => {
  const named = [...root.matchAll(/^ {2}([a-z]+) .*$/gm)].map(([, name]) => name);
  // Each of these has a test of its own: `demo` and `preview` run until they are stopped, `doctor` finds
  // faults in a test database, and `backup` needs programs of PostgreSQL.
  const known = new Set([
    ...groups.map((command) => command.name()),
    'demo',
    'preview',
    'doctor',
    'backup',
    'help',
  ]);
  assert.deepEqual(
    named.filter((name) => !known.has(name ?? '')),
    [],
  );
});

for (const command of [...groups, previewCommand].flatMap((group) => [group, ...group.commands])) {
  test(`the help of ${command.name()} has examples and fits 80 columns`, () => {
    const help = helpOf(command);
    assert.match(help, /^Usage: /);
    assert.ok(examplesOf(help).length > 0);
    assertFits(help);
  });
}

test('the help of wartable fits 80 columns', () => assertFits(root));

// Many examples begin with the same set-up, and running it once is enough.
const pasted = new Set<string>();

for (const [name, help] of [
  ['wartable', root] as const,
  ...groups.map((group) => [group.name(), helpOf(group)] as const),
]) {
  test(`the examples of ${name} work when pasted`, () => paste(examplesOf(help)));
}

async function paste(examples: string[]): Promise<void> {
  const lines = examples.filter((line) => !pasted.has(line));
  for (const line of lines) pasted.add(line);
  const ports = { API_PORT: await freePort(), SITE_PORT: await freePort(), OPS_PORT: await freePort() };
  const program = `"${process.execPath}" "${fileURLToPath(new URL('../../src/cli.ts', import.meta.url))}"`;
  const script = `
    wartable() { ${program} "$@"; }
    serve_a_moment() {
      ${program} serve & SERVER=$!
      until curl -sf "http://localhost:$OPS_PORT/ready" >/dev/null || ! kill -0 "$SERVER"; do sleep 0.2; done
      kill "$SERVER"; wait "$SERVER"
    }
    ${lines.map((line) => line.replace('wartable serve', 'serve_a_moment')).join('\n')}`;
  await promisify(execFile)('bash', ['--norc', '-euo', 'pipefail', '-c', script], {
    cwd: folder,
    maxBuffer: 64_000_000,
    env: {
      ...bareEnvironment,
      DATABASE_URL: database.url,
      DRAIN_SECONDS: '0',
      ...Object.fromEntries(Object.entries(ports).map(([key, port]) => [key, String(port)])),
    },
  });
}

function helpOf(command: Command): string {
  let help = '';
  // Help that is added to a group is also added to its subcommands, which print to their own output.
  command.configureOutput({ writeOut: (text) => (help += text), getOutHelpWidth: () => 80 });
  command.outputHelp();
  return help;
}

/** Returns the lines to paste, which are indented more than the explanations above them. */
function examplesOf(help: string): string[] {
  const [, examples = ''] = help.split('\nExamples:\n');
  return [...examples.matchAll(/^ {4}(\S.*)$/gm)].map(([, line]) => line ?? '');
}

function assertFits(help: string): void {
  for (const line of help.split('\n')) assert.ok(line.length <= 80, line);
}
