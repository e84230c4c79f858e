import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { atEnd } from '../../harness/support/at-end.ts';

const root = new URL('../..', import.meta.url);

test('CI runs the steps of `npm run verify`, all of them and no others', async () => {
  const workflow = await readFile(new URL('.github/workflows/ci.yml', root), 'utf8');
  const { scripts } = JSON.parse(await readFile(new URL('package.json', root), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const steps = scripts['verify']?.split(' && ');
  const jobs = /^ +script: \[(.*)\]$/m.exec(workflow)?.[1]?.split(', ');
  assert.deepEqual(
    steps,
    jobs?.map((script) => `npm run ${script}`),
  );
  for (const script of jobs ?? []) assert.ok(scripts[script], `package.json has no script ${script}`);
  assert.match(workflow, /^ +- run: npm run \$\{\{ matrix\.script \}\}$/m);
});

test('both ways of CI install the same programs', async () => {
  const workflow = await readFile(new URL('.github/workflows/ci.yml', root), 'utf8');
  assert.match(workflow, /^ +- if: startsWith\(matrix\.script, 'test:'\)\n +run: bash \.ci\/install$/m);
  const run = await readFile(new URL('.ci/run', root), 'utf8');
  assert.match(run, /^bash \.ci\/install$/m);
  for (const text of [workflow, run]) assert.doesNotMatch(text, /apt-get/);
});

test('.ci/install installs what is missing, and fails in CI when that fails', async () => {
  const none = await install({ programs: [], apt: 'exit 0', CI: 'true' });
  assert.equal(none.code, 0);
  const named = none.asked.filter((line) => line.includes('install')).join(' ');
  for (const name of [
    'chromium',
    'fonts-noto-core',
    'caddy',
    'nginx-light',
    'redis-server',
    'mypy',
    'python3',
  ])
    assert.ok(named.split(' ').includes(name), `${name}: ${named}`);
  assert.ok(none.asked.includes('download -qq prometheus'));
  const some = await install({
    programs: ['google-chrome', 'caddy', 'nginx', 'mypy', 'promtool'],
    apt: 'exit 1',
    CI: 'true',
  });
  assert.equal(some.code, 1);
  assert.deepEqual(some.asked, ['update -qq', 'install -qq -y redis-server']);
  const withoutCi = await install({ programs: [], apt: 'exit 1', CI: '' });
  assert.equal(withoutCi.code, 0);
  const all = ['chromium', 'caddy', 'nginx', 'redis-server', 'mypy', 'promtool'];
  assert.deepEqual(await install({ programs: all, apt: 'exit 1', CI: 'true' }), { code: 0, asked: [] });
});

test('every action is pinned to a commit, and a comment says which version that is', () => {
  const uses = globSync('.github/workflows/*.yml', { cwd: root }).flatMap((file) =>
    [...readFileSync(new URL(file, root), 'utf8').matchAll(/^ +(?:- )?uses: (.*)$/gm)].map(
      ([, use = '']) => use,
    ),
  );
  assert.ok(uses.length >= 8);
  for (const use of uses) assert.match(use, /^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  // Each action is used in one version only.
  const names = new Set(uses.map((use) => use.split('@')[0]));
  assert.equal(new Set(uses).size, names.size);
});

/**
 * Runs .ci/install as root on a machine that has only these programs. `asked` contains the arguments of
 * apt-get.
 */
async function install({ programs, apt, CI }: { programs: string[]; apt: string; CI: string }) {
  const folder = await mkdtemp(path.join(tmpdir(), 'wartable-install-'));
  atEnd(() => rm(folder, { recursive: true }));
  const log = path.join(folder, 'log');
  await writeFile(log, '');
  for (const name of ['bash', 'env', 'timeout']) await symlink(await pathOf(name), path.join(folder, name));
  const fakes = {
    id: 'echo 0',
    'apt-get': `echo "$*" >> ${log}; ${apt}`,
    mktemp: `echo ${folder}`,
    dpkg: 'exit 0',
    install: 'exit 0',
  };
  for (const name of programs) Object.assign(fakes, { [name]: 'exit 0' });
  for (const [name, code] of Object.entries(fakes))
    await writeFile(path.join(folder, name), `#!${path.join(folder, 'bash')}\n${code}\n`, { mode: 0o755 });
  const code = await new Promise<number>((resolve) => {
    execFile(
      path.join(folder, 'bash'),
      [fileURLToPath(new URL('.ci/install', root))],
      { env: { PATH: folder, CI } },
      (error) => resolve(Number(error?.code ?? 0)),
    );
  });
  return { code, asked: (await readFile(log, 'utf8')).split('\n').filter((line) => line !== '') };
}

async function pathOf(program: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile('which', [program], (error, stdout) => (error ? reject(error) : resolve(stdout.trim())));
  });
}
