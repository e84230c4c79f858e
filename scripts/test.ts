import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { migrate } from '../src/database/migrate.ts';
import { databaseUrl, onServer } from '../harness/support/on-server.ts';
import { postgresVersions, startPostgres } from '../harness/support/postgres.ts';
import { runTestFiles } from './run-test-files.ts';

// npm test [-- --postgres 15|18] [--coverage] [--replica] [--cold] [FILE…]
//
// Runs the tests on a real PostgreSQL: the one in TEST_DATABASE_URL, otherwise a temporary one of the given
// version. Each test file clones the template that is migrated here. With --replica, the servers of the tests
// read documents from a streaming replica, and each request waits until the replica has replayed the test's
// writes. With --cold, the servers keep no answers in memory unless a test says otherwise. In CI (the
// variable CI) a skipped test is a failure, unless may-skip-in-ci.json lists it.
const { values, positionals } = parseArgs({
  options: {
    postgres: { type: 'string' },
    coverage: { type: 'boolean', default: false },
    replica: { type: 'boolean', default: false },
    cold: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const version = postgresVersions.find((known) => known === (values.postgres ?? '18'));
if (version === undefined) throw new Error(`--postgres must be one of ${postgresVersions.join(', ')}`);

const given = values.postgres === undefined ? process.env['TEST_DATABASE_URL'] : undefined;
const throwaway = given === undefined ? await startPostgres(version) : undefined;
const serverUrl = given ?? throwaway?.url ?? '';
if (values.replica && throwaway === undefined)
  throw new Error('--replica needs a PostgreSQL of its own: --postgres N');
const replica = values.replica ? await throwaway?.startStandby() : undefined;
const template = `wartable_test_template_${randomBytes(4).toString('hex')}`;
// A run starts hundreds of Node processes. Each would strip the types of the same files and compile them
// again. With this cache, Node sees fewer branches, so the figure for their coverage is lower by about half a
// point, never higher.
const compiled = await mkdtemp(path.join(tmpdir(), 'wartable-compiled-'));
let exitCode = 1;

try {
  await onServer(serverUrl, `create database ${template} template template0`);
  await migrate(databaseUrl(serverUrl, template));
  exitCode = await runTests();
} finally {
  await rm(compiled, { recursive: true, force: true });
  await onServer(serverUrl, `drop database if exists ${template} with (force)`);
  await throwaway?.remove();
}
process.exitCode = exitCode;

async function runTests(): Promise<number> {
  const files = positionals.length > 0 ? positionals : ['src/**/*.test.ts', 'test/**/*.test.ts'];
  const server = throwaway === undefined ? 'at TEST_DATABASE_URL' : version;
  console.log(
    `Testing on PostgreSQL ${server}${replica === undefined ? '' : ', reading from a replica'}${values.cold ? ', without answers in memory' : ''}`,
  );
  Object.assign(process.env, {
    NODE_COMPILE_CACHE: compiled,
    TEST_DATABASE_URL: serverUrl,
    TEST_TEMPLATE: template,
    TEST_POSTGRES_VERSION: version,
    ...(replica === undefined ? {} : { TEST_REPLICA_URL: replica.url }),
    ...(values.cold ? { TEST_CACHE_MB: '0' } : {}),
  });
  return runTestFiles(files, { timeoutMs: 300_000, coverage: values.coverage });
}
