import { access, constants, readdir } from 'node:fs/promises';
import path from 'node:path';

/**
 * Finds a program on PATH, or in the folders where Debian keeps those of PostgreSQL, the newest version
 * first.
 */
export async function findProgram(name: string): Promise<string | undefined> {
  const debian = '/usr/lib/postgresql';
  const versions = await readdir(debian).catch(() => []);
  const folders = [
    ...(process.env['PATH'] ?? '').split(path.delimiter),
    ...versions.toSorted((a, b) => Number(b) - Number(a)).map((version) => path.join(debian, version, 'bin')),
  ];
  for (const folder of folders) {
    const file = path.join(folder, name);
    const isThere = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (folder !== '' && isThere) return file;
  }
  return undefined;
}
