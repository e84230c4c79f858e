import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { atEnd } from '../../harness/support/at-end.ts';

// An older Node is not available everywhere, so here the current Node pretends to be an older one.

const root = new URL('../..', import.meta.url);
const { scripts } = JSON.parse(await readFile(new URL('package.json', root), 'utf8')) as {
  scripts: Record<string, string>;
};
const folder = await mkdtemp(path.join(tmpdir(), 'wartable-older-node-'));
atEnd(() => rm(folder, { recursive: true }));
const disguise = path.join(folder, 'disguise.cjs');

const startsTypeScript = Object.entries(scripts).filter(([, line]) => /\bnode\b[^&]*\.ts\b/.test(line));

test('bench, dev, tests, pictures, prove, generate and reference are the npm scripts that start TypeScript', () => {
  assert.deepEqual(startsTypeScript.map(([name]) => name).toSorted(), [
    'bench',
    'dev',
    'generate',
    'pictures',
    'prove',
    'reference',
    'test',
    'test:unit',
  ]);
});

const installed = ['The installed command', './bin/wartable.cjs --version'];
for (const [name, line] of [
  installed,
  ...startsTypeScript.map(([each, started]) => [`npm run ${each}`, started]),
]) {
  test(`${name} says in one sentence that Node is too old`, async () => {
    const { status, stdout, stderr } = await runAs('20.20.2', line ?? '');
    assert.equal(
      stderr,
      'Wartable needs Node 24 or newer; this is v20.20.2. Install it from https://nodejs.org.\n',
    );
    assert.equal(stdout, '');
    assert.equal(status, 1);
  });
}

test('Node 24 and newer are fine', async () => {
  const check = /--require \S+/.exec(scripts['dev'] ?? '')?.[0];
  for (const version of ['24.0.0', '25.1.0', '100.0.0']) {
    const { status, stderr } = await runAs(version, `node ${check} -e 0`);
    assert.equal(stderr, '');
    assert.equal(status, 0);
  }
});

async function runAs(version: string, line: string) {
  await writeFile(
    disguise,
    `Object.defineProperty(process, 'version', { value: 'v${version}' });
     Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });`,
  );
  // With exec, Node replaces the shell, so a timeout ends Node itself.
  return spawnSync('sh', ['-c', `exec ${line}`], {
    cwd: root,
    encoding: 'utf8',
    timeout: 120_000,
    env: {
      PATH: `${path.dirname(process.execPath)}:${process.env['PATH']}`,
      NODE_OPTIONS: `--require ${disguise}`,
    },
  });
}
