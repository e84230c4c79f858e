import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runTestFiles } from './run-test-files.ts';

// npm run test:unit
//
// Runs the tests beside the sources. They need no PostgreSQL, and take only seconds.
const folder = await mkdtemp(path.join(tmpdir(), 'wartable-unit-'));
try {
  // Without the address of a server, a test that needs one fails.
  const { TEST_DATABASE_URL: _, ...environment } = process.env;
  process.exitCode = await runTestFiles(
    ['src/**/*.test.ts'],
    ['--test-concurrency=3', '--test-timeout=60000'],
    { ...environment, NODE_COMPILE_CACHE: path.join(folder, 'compiled') },
    path.join(folder, 'skipped'),
  );
} finally {
  await rm(folder, { recursive: true, force: true });
}
