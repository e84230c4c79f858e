import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, cp, mkdtemp, readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../support/postgres.ts';
import { assertInstallsAsLocked, assertNpxAsLocked, npmSettings } from './installed-packages.ts';
import { startLaterRegistry } from './later-registry.ts';
import { lockedPackages, nameAt } from './locked-packages.ts';
import { assertNothingIsLeft, followDemoGuide, followPreviewGuide, type Terminal } from './first-page.ts';
import { blocksOf } from '../guides/guide-blocks.ts';
import { samplesRunBy } from '../guides/samples.ts';
import { type Proof, withFolder } from '../proofs/proof.ts';
import { databaseUrl, onServer, withoutPassword } from '../support/on-server.ts';

const run = promisify(execFile);
const checkout = path.resolve(import.meta.dirname, '../..');

/**
 * Builds the files of a release as docs/releasing.md says, and runs the script of docs/install.md with the
 * installed tarball.
 */
export const release: Proof = ({ serverUrl }) =>
  withFolder(async (folder) => {
    const clone = path.join(folder, 'clone');
    await run('git', ['clone', '--quiet', checkout, clone]);
    await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: clone, maxBuffer: 1 << 26 });
    const readme = await readFile(path.join(checkout, 'README.md'), 'utf8');
    const [demo = '', begin = '', save = '', build = '', ...more] = samplesRunBy(import.meta.filename).map(
      ({ text }) => text,
    );
    assert.ok(more.length === 0 && readme.includes(`\`${demo.trim()}\``));
    await shell(build, clone);
    const files = path.join(clone, 'release');
    const { stdout: sums } = await run('sha256sum', ['--check', 'SHA256SUMS'], { cwd: files });

    const { version } = JSON.parse(await readFile(path.join(clone, 'package.json'), 'utf8')) as Named;
    const tarball = `wartable-${version}.tgz`;
    assert.equal(sums, `sbom.cdx.json: OK\n${tarball}: OK\n`);
    const packages = await assertListsLocked(path.join(files, 'sbom.cdx.json'), clone);
    const machine = await assertInstallsAsLocked(path.join(files, tarball), clone, folder);
    await runScript(path.join(machine, 'bin/wartable'), serverUrl);
    await chmod(folder, 0o755);
    const registry = await startLaterRegistry(clone, folder);
    for (const work of [
      (alone: Terminal) => followDemoGuide(alone, demo),
      (alone: Terminal) => followPreviewGuide(alone, [begin, save]),
    ]) {
      const npm = npmSettings(registry.url, folder);
      const alone = { ...(await onlyNode(folder, npm)), folder: await mkdtemp(path.join(folder, 'alone-')) };
      await cp(path.join(files, tarball), path.join(alone.folder, tarball));
      await work(alone);
      await assertNothingIsLeft(alone.tmp);
    }
    await assertNpxAsLocked(folder, clone);
    registry.close();
    return [
      `${tarball} and an SBOM of ${packages} packages: made, checked, installed, run.`,
      `\`npm pack\`, \`npm sbom\` and \`sha256sum\`, as docs/releasing.md has them, in a fresh clone: ${tarball}, an SBOM of ${packages} packages, and checksums that agree.`,
      `The tarball, installed with \`--global\` and by npx in an empty folder, from a registry that has a newer version of everything, brings the ${packages} packages of the lock file, no others and no newer ones.`,
      'The installed command runs the script of install.md: three 401s and a 200 with the club.',
      `\`${demo.trim()}\`, in a folder with nothing else and only Node on the path, starts the demo, and its three requests work. After Ctrl-C nothing of it is left.`,
      'The same, with the first two sections of docs/organisers.md: two lines to a page that follows its sheets, and one to a folder.',
      'Otherwise than on the page: the script calls the installed command, not `src/cli.ts`.',
    ];
  });

interface Sbom {
  metadata: { component: Named };
  components: Named[];
}

interface Named {
  name: string;
  version: string;
}

/** Fails unless the SBOM lists exactly what an installation contains. Returns the number of packages. */
async function assertListsLocked(sbom: string, clone: string): Promise<number> {
  const { components, metadata } = JSON.parse(await readFile(sbom, 'utf8')) as Sbom;
  assert.equal(metadata.component.name, 'wartable');
  const locked = Object.entries(await lockedPackages(clone)).map(
    ([place, version]) => `${nameAt(place)} ${version}`,
  );
  assert.deepEqual(components.map(({ name, version }) => `${name} ${version}`).toSorted(), locked.toSorted());
  return components.length;
}

async function runScript(command: string, serverUrl: string): Promise<void> {
  const page = await readFile(path.join(checkout, 'docs/install.md'), 'utf8');
  const [script, ...more] = blocksOf(page).filter(({ language }) => language === 'bash');
  assert.ok(script !== undefined && more.length === 0);
  const parts = script.text.split('node src/cli.ts');
  assert.ok(parts.length > 1, 'the script of docs/install.md has changed');
  // The script creates this database.
  const database = `wartable_proof_${randomBytes(6).toString('hex')}`;
  const apart = withoutPassword(serverUrl);
  const printed = await shell(parts.join(command), path.dirname(command), {
    DATABASE_URL: databaseUrl(apart.url, database),
    PGPASSWORD: apart.PGPASSWORD,
    API_PORT: String(await freePort()),
    SITE_PORT: String(await freePort()),
    OPS_PORT: String(await freePort()),
  }).finally(() => onServer(serverUrl, `drop database if exists ${database} with (force)`));
  assert.equal(printed.match(/"status":401/g)?.length, 3, printed);
  assert.match(printed, /^HTTP\/1\.1 200 OK.*"slug":"north-gate"/ms);
}

/**
 * Returns an environment like that of a machine with only Node, npm, and the shell with which npm starts
 * programs.
 */
async function onlyNode(
  folder: string,
  npm: Record<string, string>,
): Promise<{ env: Record<string, string>; tmp: string }> {
  const [bin, tmp] = [await mkdtemp(path.join(folder, 'bin-')), await mkdtemp(path.join(folder, 'tmp-'))];
  for (const name of ['node', 'npm', 'npx', 'sh']) {
    const { stdout } = await run('sh', ['-c', `command -v ${name}`]);
    await symlink(stdout.trim(), path.join(bin, name));
  }
  // If root runs this, PostgreSQL runs as nobody.
  await chmod(tmp, 0o755);
  return { tmp, env: { ...npm, PATH: bin, TMPDIR: tmp } };
}

async function shell(script: string, cwd: string, environment: Record<string, string> = {}): Promise<string> {
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], {
    cwd,
    env: { ...process.env, ...environment },
    maxBuffer: 1 << 26,
    timeout: 300_000,
  });
  return stdout;
}
