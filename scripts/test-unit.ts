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
  delete process.env['TEST_DATABASE_URL'];
  process.env['NODE_COMPILE_CACHE'] = folder;
  process.exitCode = await runTestFiles(['src/**/*.test.ts'], { timeoutMs: 60_000 });
} finally {
  await rm(folder, { recursive: true, force: true });
}
