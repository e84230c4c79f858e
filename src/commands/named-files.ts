import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { CannotRun } from '../failures/explain.ts';

/**
 * Returns the files, with each name like `*.csv` replaced by the files that it stands for. A shell does this
 * itself, but the terminals of Windows do not.
 */
export async function namedFiles(given: string[]): Promise<string[]> {
  return (await Promise.all(given.map(filesLike))).flat();
}

async function filesLike(name: string): Promise<string[]> {
  const { dir, base } = path.parse(name);
  if (!base.includes('*') || (await stat(name).catch(() => undefined)) !== undefined) return [name];
  const literal = base.split('*').map((part) => part.replaceAll(/[\\^$.|?+()[\]{}]/g, String.raw`\$&`));
  const pattern = new RegExp(`^${literal.join('.*')}$`, 'i');
  const names = await readdir(dir || '.').catch(() => []);
  // Like a shell, it leaves out hidden files.
  const found = names.filter((each) => pattern.test(each) && !each.startsWith('.'));
  if (found.length === 0) throw new CannotRun(`There is no file ${name}: check the name.`);
  return found.toSorted().map((each) => path.join(dir, each));
}
