import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { CannotRun } from '../failures/explain.ts';
import type { SavedFiles } from './saved-pages.ts';

/** The file that lists our files. All other files in the folder are left alone. */
const listName = 'wartable-files.txt';

/**
 * Writes the files into an existing folder, and deletes those of the previous run. The list names old and new
 * files until everything is done, so even a run that is stopped at any moment leaves nothing that the next
 * one does not know.
 */
export async function writeFolder(folder: string, files: SavedFiles): Promise<void> {
  const before = await listed(folder);
  const there = new Set(await readdir(folder));
  for (const name of files.keys()) {
    if (there.has(name) && !before.has(name))
      throw new CannotRun(`${path.join(folder, name)} was not written by Wartable: name another folder.`);
  }
  const old = [...before].filter((name) => !files.has(name));
  await replace(folder, listName, [...files.keys(), ...old].join('\n'));
  for (const [name, content] of files) await replace(folder, name, content);
  for (const name of old.flatMap((each) => [each, `${each}.part`]))
    await rm(path.join(folder, name), { force: true });
  await replace(folder, listName, [...files.keys()].join('\n'));
}

async function listed(folder: string): Promise<Set<string>> {
  const text = await readFile(path.join(folder, listName), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  // Somebody may have edited the list, so names that lead out of the folder are ignored.
  return new Set(text.split(/\r?\n/).filter((name) => /^[a-z0-9][a-z0-9._-]*$/.test(name)));
}

/** Replaces a file. A reader sees either the old file or the new one. */
async function replace(folder: string, name: string, content: string | Buffer): Promise<void> {
  const file = path.join(folder, name);
  const part = `${file}.part`;
  // A stopped run may have left this file behind. Somebody else may have put a link there, and writing
  // through it would change another file.
  await rm(part, { force: true });
  await writeFile(part, content, { flag: 'wx' });
  await rename(part, file);
}
