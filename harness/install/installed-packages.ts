import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { startLaterRegistry } from './later-registry.ts';
import { lockedPackages, type Packages } from './locked-packages.ts';

const run = promisify(execFile);

/**
 * Installs the tarball globally, and with npx in an empty folder. Returns the folder of the global
 * installation.
 */
export async function assertInstallsAsLocked(
  tarball: string,
  checkout: string,
  folder: string,
): Promise<string> {
  const registry = await startLaterRegistry(checkout, folder);
  try {
    const env = { PATH: process.env['PATH'] ?? '', ...npmSettings(registry.url, folder) };
    const options = { cwd: await mkdtemp(path.join(folder, 'empty-')), env };
    const machine = path.join(folder, 'machine');
    await run('npm', ['install', '--global', '--prefix', machine, tarball], options);
    await assertAsLocked(path.join(machine, 'lib'), checkout);
    await run('npx', ['--package', tarball, '--', 'true'], options);
    await assertNpxAsLocked(folder, checkout);
    return machine;
  } finally {
    registry.close();
  }
}

/** Returns settings for an npm that knows only this registry, and keeps everything in this folder. */
export function npmSettings(registry: string, folder: string): Record<string, string> {
  return {
    HOME: folder,
    npm_config_registry: registry,
    npm_config_noproxy: '127.0.0.1',
    npm_config_cache: path.join(folder, 'cache'),
    npm_config_update_notifier: 'false',
    // Answers yes to npx's question.
    npm_config_yes: 'true',
  };
}

/** Asserts that npx has installed what the lock file says. It keeps its installations in npm's cache. */
export async function assertNpxAsLocked(folder: string, checkout: string): Promise<void> {
  const kept = path.join(folder, 'cache/_npx');
  const installed = await readdir(kept);
  assert.ok(installed.length > 0);
  for (const each of installed) await assertAsLocked(path.join(kept, each), checkout);
}

/** Fails unless this installation has the packages of the lock file, and no others. */
async function assertAsLocked(folder: string, checkout: string): Promise<void> {
  assert.deepEqual(await installedPackages(folder), await lockedPackages(checkout));
}

/**
 * Returns the packages that came with Wartable. npm may install packages that the tarball does not contain in
 * the folder beside it.
 */
async function installedPackages(folder: string): Promise<Packages> {
  const found: Packages = {};
  const unvisited = ['node_modules'];
  for (const parent of unvisited) {
    for (const name of await packagesIn(path.join(folder, parent))) {
      const place = `${parent}/${name}`;
      unvisited.push(`${place}/node_modules`);
      const { version } = JSON.parse(await readFile(path.join(folder, place, 'package.json'), 'utf8')) as {
        version: string;
      };
      if (name !== 'wartable') found[place.replace('node_modules/wartable/', '')] = version;
    }
  }
  return found;
}

async function packagesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  const nested = names.map(async (name) => {
    if (name.startsWith('.')) return [];
    return name.startsWith('@')
      ? (await readdir(path.join(folder, name))).map((each) => `${name}/${each}`)
      : name;
  });
  return (await Promise.all(nested)).flat();
}
