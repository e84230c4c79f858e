import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { type ServeProcess, startServe } from './serve-process.ts';
import { root } from './world.ts';

/** The first line of the installed command: it keeps the memory of a server small. */
export async function installedFlags(): Promise<{ environment: Record<string, string>; flags: string[] }> {
  const [first = ''] = (await readFile(new URL('bin/wartable.cjs', root), 'utf8')).split('\n');
  const [, before = '', after = ''] =
    /^#!\/usr\/bin\/env -S ((?:\w+=\d+ )*)node ((?:--[\w-]+=\d+ ?)*)$/.exec(first) ?? [];
  const environment = Object.fromEntries(
    before
      .trim()
      .split(' ')
      .map((each) => each.split('=')),
  );
  const flags = after.split(' ');
  assert.ok(flags[0]?.startsWith('--') && 'MALLOC_ARENA_MAX' in environment, first);
  return { environment, flags };
}

/** Starts `wartable serve` with them. `before` runs the program, for example on one core. */
export async function startAsInstalled(
  databaseUrl: string,
  settings: Record<string, string>,
  before: string[] = [],
): Promise<ServeProcess> {
  const { environment, flags } = await installedFlags();
  const [command, ...parameters] = [...before, process.execPath, ...flags, 'src/cli.ts'];
  return startServe(databaseUrl, { ...environment, ...settings }, [command, ...parameters]);
}
