import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const allTestFiles = ['src/**/*.test.ts', 'test/**/*.test.ts'];

/** scripts/test.ts names its PostgreSQL in these. A test learns of it in no other way. */
export const serverVariables = [
  'TEST_DATABASE_URL',
  'TEST_TEMPLATE',
  'TEST_POSTGRES_VERSION',
  'TEST_REPLICA_URL',
] as const;

/** The test files whose result can depend on the version of PostgreSQL. */
export function filesByVersion(root: string): string[] {
  return globSync(allTestFiles, { cwd: root })
    .filter((file) => !isOnce.test(file.replaceAll('\\', '/')) && usesServer(path.join(root, file), root))
    .toSorted();
}

// These use a database, but are about other things: our speed beside that of the same PostgreSQL, faults of machines, what
// pages and commands say and do, browsers, callers who do not read, and two versions of Wartable. `npm run prove` runs the proofs on 18.
const isOnce = new RegExp(
  `^test/(${[
    '(bench|client|drills|guides|install|upgrade)/',
    'commands/(?!faults|live-import|stalled-import)',
    'doctor/',
    'proofs/small',
    'repository/readme[.]test',
    'serve/(site-in-a-browser|slow-readers)[.]test',
  ].join('|')})`,
);

/** Whether the file names one of the variables: itself, in what it imports, or in a program that it starts. */
export function usesServer(file: string, root: string, seen = new Set<string>()): boolean {
  if (seen.has(file)) return false;
  seen.add(file);
  const code = readFileSync(file, 'utf8');
  if (serverVariables.some((name) => code.includes(name))) return true;
  return namedFiles(code)
    .flatMap((name) => [path.resolve(path.dirname(file), name), path.resolve(root, name)])
    .some((named) => existsSync(named) && usesServer(named, root, seen));
}

/** An import and the name of a program look alike: a path between quotes, from the file itself or from the root. */
function namedFiles(code: string): string[] {
  return [...code.matchAll(/(['"`])([^'"`\s]+\.ts)\1/g)].map(([, , name = '']) => name);
}
