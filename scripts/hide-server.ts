import path from 'node:path';
import { serverVariables, usesServer } from './files-by-version.ts';

// scripts/test.ts loads this into each test process. A file that we take for one without a database must not see the
// server: if we are wrong, it fails on every version, instead of being left out silently on one.
const file = process.argv[1] ?? '';
if (file.endsWith('.test.ts') && !usesServer(file, path.resolve(import.meta.dirname, '..'))) {
  for (const name of serverVariables) delete process.env[name];
  process.env['TEST_POSTGRES_VERSION'] = 'hidden';
}
