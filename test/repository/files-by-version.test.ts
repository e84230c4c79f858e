import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { allTestFiles, filesByVersion } from '../../scripts/files-by-version.ts';
import { atEnd } from '../support/at-end.ts';

const root = path.resolve(import.meta.dirname, '../..');
const planted = await mkdtemp(path.join(tmpdir(), 'wartable-by-version-'));
atEnd(() => rm(planted, { recursive: true }));

test('a file that reads the server, imports what reads it or starts what reads it runs on every version', async () => {
  const files = {
    'scripts/server.ts': "export const url = process.env['TEST_DATABASE_URL'];",
    'test/support/lent.ts': "export { url } from '../../scripts/server.ts';",
    'test/support/alone.ts': 'export const one = 1;',
    'test/bench/speed.test.ts': "import { url } from '../../scripts/server.ts';",
    'test/of-the-server/imports-late.test.ts': "await import('../support/lent.ts');",
    'test/of-the-server/imports.test.ts': 'import {\n  url,\n} from "../support/lent.ts";',
    'test/of-the-server/reads.test.ts': 'const { TEST_POSTGRES_VERSION } = process.env;',
    'test/of-the-server/starts.test.ts': "spawn(process.execPath, ['scripts/server.ts']);",
    'test/others/alone.test.ts': "import { one } from '../support/alone.ts';",
    'src/alone.test.ts': "import pg from 'pg';",
  };
  for (const [name, code] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(planted, name)), { recursive: true });
    await writeFile(path.join(planted, name), code);
  }
  assert.deepEqual(
    filesByVersion(planted),
    Object.keys(files).filter((name) => name.startsWith('test/of-the-server/')),
  );
});

test('few files that lend themselves a database by name are left out', () => {
  const lends = /\b(createTestDatabase|startPostgres|startTestServer|startWorld|serverUrl)\b/;
  const chosen = new Set(filesByVersion(root));
  const missed = globSync(allTestFiles, { cwd: root })
    .filter((file) => lends.test(readFileSync(path.join(root, file), 'utf8')))
    .filter(
      (file) =>
        !chosen.has(file) &&
        !/^test\/(bench|client|commands|doctor|drills|guides|install|upgrade)\//.test(file),
    );
  assert.deepEqual(missed.toSorted(), [
    'test/proofs/small-once.test.ts',
    'test/proofs/small-site.test.ts',
    'test/proofs/small.test.ts',
    'test/repository/readme.test.ts',
    'test/serve/site-in-a-browser.test.ts',
    'test/serve/slow-readers.test.ts',
  ]);
  for (const kept of ['faults', 'live-import', 'stalled-import'])
    assert.ok(chosen.has(`test/commands/${kept}.test.ts`));
  assert.ok(chosen.size > 60, `only ${chosen.size} files run on every version`);
});

test('a file that is left out sees no server, also when it would find it in a way that we miss', async () => {
  const file = path.join(planted, 'sly.test.ts');
  await writeFile(
    file,
    `const started = await import('${root}/scripts/' + 'postgres.ts');
    console.log(Object.keys(process.env).filter((name) => /^TEST_(D|T|R)/.test(name)));
    await started.startPostgres().catch((error) => console.log(error.message));`,
  );
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [`--import=${root}/scripts/hide-server.ts`, file],
    {
      env: {
        ...process.env,
        TEST_DATABASE_URL: 'postgres://here',
        TEST_TEMPLATE: 'x',
        TEST_REPLICA_URL: 'y',
      },
    },
  );
  assert.match(stdout, /^\[\]\nThere is no PostgreSQL hidden: /m);
});
