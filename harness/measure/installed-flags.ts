import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { type ServeProcess, startServe } from './serve-process.ts';
import { root } from '../support/root.ts';

/** Returns the flags in the first line of the installed command, which keep the memory of a server small. */
async function installedFlags(): Promise<string[]> {
  const [first = ''] = (await readFile(new URL('bin/wartable.cjs', root), 'utf8')).split('\n');
  const flags = /^#!\/usr\/bin\/env -S node (--[\w-]+=\d+)$/.exec(first)?.slice(1) ?? [];
  assert.equal(flags.length, 1, first);
  return flags;
}

/**
 * Starts `wartable serve` with these flags. `before` is a command that runs the program, for example on one
 * core.
 */
export async function startAsInstalled(
  databaseUrl: string,
  settings: Record<string, string>,
  before: string[] = [],
): Promise<ServeProcess> {
  const flags = await installedFlags();
  const [command, ...parameters] = [...before, process.execPath, ...flags, 'src/cli.ts'];
  return startServe(databaseUrl, settings, [command, ...parameters]);
}
