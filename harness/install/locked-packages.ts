import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** An entry of package-lock.json. */
interface Locked {
  version: string;
  dev?: true;
  devOptional?: true;
  os?: string[];
  cpu?: string[];
}

/** Versions by the path of the package, such as `node_modules/pg`. */
export type Packages = Record<string, string>;

/** Returns the packages of the lock file for a machine like this one. */
export async function lockedPackages(checkout: string): Promise<Packages> {
  const isHere = ({ os = [process.platform], cpu = [process.arch] }: Locked) =>
    os.includes(process.platform) && cpu.includes(process.arch);
  const places = Object.entries(await lockedPlaces(checkout)).filter(([, locked]) => isHere(locked));
  return Object.fromEntries(places.map(([place, { version }]) => [place, version]));
}

/** Returns the packages of the lock file for any machine, without the developers' tools. */
export async function lockedPlaces(checkout: string): Promise<Record<string, Locked>> {
  const lock = await readFile(path.join(checkout, 'package-lock.json'), 'utf8');
  const { packages } = JSON.parse(lock) as { packages: Record<string, Locked> };
  // `devOptional` marks the types of `pg`, which node-pg-migrate accepts without requiring them.
  const shipped = Object.entries(packages).filter(
    ([place, { dev, devOptional }]) => place !== '' && !(dev ?? devOptional),
  );
  return Object.fromEntries(shipped);
}

export const nameAt = (place: string) => place.replace(/^.*node_modules\//, '');
