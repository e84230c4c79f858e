import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { root } from '../../harness/guides/samples.ts';

// The name `wartable` in npm's registry is not ours. Its owner could run any code on the machine of a reader
// who pastes it, so everything that people read names the tarball.

const fromRegistry =
  /\b(?:npx|bunx|npm\s+(?:install|i|add|exec|x)|(?:pnpm|yarn)\s+(?:add|dlx))(?:\s+-\S+)*\s+wartable\b(?![\w.-]*\.tgz)/;

test('nothing that people read installs or runs the package of the registry', () => {
  const files = ['*.md', 'docs/**/*.{md,mjs,html}', '.github/**/*.{md,yml}', 'src/**/*.ts'];
  const read = globSync(files, { cwd: root }).map((file) => ({
    file,
    text: readFileSync(path.join(root, file), 'utf8'),
  }));
  assert.ok(read.length > 100);
  assert.deepEqual(
    read.filter(({ text }) => fromRegistry.test(text)).map(({ file }) => file),
    [],
  );
});

test('the test finds each way of writing it, and lets the tarball pass', () => {
  const wrong = [
    'npx wartable demo',
    'npx --yes wartable',
    'npm install wartable',
    'npm i -g wartable@1.0.0',
  ];
  for (const command of [...wrong, 'npm exec -- wartable demo', 'pnpm dlx wartable'])
    assert.match(command, fromRegistry);
  for (const command of ['npx ./wartable-1.0.0.tgz demo', 'npm install --global /root/wartable-1.0.0.tgz'])
    assert.doesNotMatch(command, fromRegistry);
});
