import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { atEnd } from '../../harness/support/at-end.ts';
import { allPages } from '../../harness/guides/samples.ts';
import { bareEnvironment } from '../../harness/support/bare-environment.ts';

const root = new URL('../..', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, root), 'utf8');

interface Step {
  name?: string;
  run?: string;
  uses?: string;
  with?: Record<string, unknown>;
}
const workflow = parse(read('.github/workflows/release.yml')) as {
  jobs: Record<'verify' | 'release', { steps: Step[] }>;
};

test('the changelog has the version of the package with its day, and above it at most what is not released', () => {
  const { version } = JSON.parse(read('package.json')) as { version: string };
  const sections = [...read('CHANGELOG.md').matchAll(/^## (\S+) \((.*)\)$/gm)].map(([, each, when]) => ({
    each,
    when,
  }));
  const newest = sections.find(({ when }, place) => place > 0 || when !== 'unreleased');
  assert.equal(newest?.each, version);
  assert.match(newest?.when ?? '', /^\d{4}-\d{2}-\d{2}$/);
});

test('every page that names the tarball names the version of the package', () => {
  const { version } = JSON.parse(read('package.json')) as { version: string };
  // The evidence names the version that was tested last.
  const pages = allPages().filter(({ page }) => !page.startsWith('docs/evidence/'));
  const named = pages.flatMap(({ page, text }) =>
    [...text.matchAll(/wartable-(\d\S*)\.tgz/g)].map(([, each]) => `${page}: ${each}`),
  );
  assert.ok(named.length > 5);
  for (const each of named) assert.ok(each.endsWith(`: ${version}`), each);
});

test('a tag makes a release only if it is the version and the changelog has its day', async () => {
  const check = scriptOf('verify', 'The tag is the version, and the changelog has it');
  const closed = '# Changelog\n\n## 1.2.3 (2026-11-16)\n\n- New.\n\n## 1.2.2 (2026-01-01)\n\n- Old.\n';
  assert.equal(await run(check, closed, 'v1.2.3'), '');
  await assert.rejects(run(check, closed, 'v1.2.2'));
  await assert.rejects(run(check, closed.replace('2026-11-16', 'unreleased'), 'v1.2.3'));
  await assert.rejects(run(check, closed.replace('1.2.3', '1x2.3'), 'v1.2.3'));
});

test('the image is built for both architectures, the other one emulated', () => {
  const uses = workflow.jobs.release.steps.flatMap((step) => step.uses?.replace(/@.*/, '') ?? []);
  const [qemu, buildx, build] = ['setup-qemu', 'setup-buildx', 'build-push'].map((name) =>
    uses.indexOf(`docker/${name}-action`),
  );
  assert.ok(qemu !== undefined && qemu > 0 && qemu + 1 === buildx && buildx + 1 === build, uses.join(' '));
  const image = workflow.jobs.release.steps.find(({ name }) => name === 'Image');
  assert.equal(image?.with?.['platforms'], 'linux/amd64,linux/arm64');
});

test('the notes of a release are its section of the changelog', async () => {
  const [, notes = ''] = /--notes-file <\((.*)\)$/m.exec(scriptOf('release', 'Release')) ?? [];
  const closed = '## 1.2.3 (2026-11-16)\n\n- New.\n\n## 1.2.2 (2026-01-01)\n\n- Old.\n';
  assert.equal(await run(notes, closed, 'v1.2.3'), '\n- New.\n\n');
});

test('the tarball carries its dependencies, and names one version of each that it does not', () => {
  const { bundleDependencies, optionalDependencies } = JSON.parse(read('package.json')) as {
    bundleDependencies: boolean;
    optionalDependencies: Record<string, string>;
  };
  assert.equal(bundleDependencies, true);
  for (const version of Object.values(optionalDependencies)) assert.match(version, /^\d/);
});

test('the workflow makes the files with the commands of docs/releasing.md', () => {
  const [, page = ''] = /^## The files$.*?^```sh\n(.*?)^```$/ms.exec(read('docs/releasing.md')) ?? [];
  const scripts = scriptOf('release', 'Tarball and SBOM') + scriptOf('release', 'Checksums');
  assert.equal(scripts.trim(), page.trim());
});

function scriptOf(job: 'verify' | 'release', name: string): string {
  const script = workflow.jobs[job].steps.find((step) => step.name === name)?.run;
  assert.ok(script !== undefined, name);
  return script;
}

/** Runs a script of the workflow with this changelog, and with the package at 1.2.3. */
async function run(script: string, changelog: string, tag: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'wartable-release-'));
  atEnd(() => rm(folder, { recursive: true }));
  await writeFile(path.join(folder, 'package.json'), '{"version":"1.2.3"}');
  await writeFile(path.join(folder, 'CHANGELOG.md'), changelog);
  const options = { cwd: folder, env: { ...bareEnvironment, GITHUB_REF_NAME: tag } };
  return new Promise((resolve, reject) => {
    execFile('bash', ['-eo', 'pipefail', '-c', script], options, (error, stdout) =>
      error === null ? resolve(stdout) : reject(error),
    );
  });
}
