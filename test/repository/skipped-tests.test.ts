import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { listedSkips } from '../../scripts/skipped-tests.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { bareEnvironment } from '../../harness/support/bare-environment.ts';

const root = path.resolve(import.meta.dirname, '../..');
const folder = await mkdtemp(path.join(tmpdir(), 'wartable-skips-'));
atEnd(() => rm(folder, { recursive: true }));
const listed = await listedSkips();

test('in CI a skipped test is a failure, with its name and reason', async () => {
  const code = "test('needs a dragon', { skip: 'no dragon here' }, () => {}); test('runs', () => {});";
  assert.deepEqual(await run(code, 'true'), { code: 1, named: 'needs a dragon (no dragon here)' });
  assert.deepEqual(await run(code, ''), { code: 0, named: undefined });
});

test('a test that skips itself, one without a reason and one to do are failures, too', async () => {
  for (const [code, why] of [
    ["test('x', (t) => t.skip('not today'));", 'not today'],
    ["test('x', { skip: true }, () => {});", 'no reason given'],
    ["test('x', { todo: 'next year' }, () => { throw new Error(); });", 'next year'],
  ] as const)
    assert.deepEqual(await run(code, 'true'), { code: 1, named: `x (${why})` });
});

test('a test that is listed may be skipped in CI', async () => {
  const name = listed[0]?.test ?? '';
  assert.deepEqual(await run(`test('${name}', { skip: 'gone' }, () => {});`, 'true'), {
    code: 0,
    named: undefined,
  });
});

test('without skipped tests the exit code is that of the tests', async () => {
  assert.deepEqual(await run("test('runs', () => {});", 'true'), { code: 0, named: undefined });
  assert.equal((await run("test('fails', () => { throw new Error(); });", 'true')).code, 1);
});

test('every listed test exists and has a reason', () => {
  const code = globSync(['src/**/*.test.ts', 'test/**/*.test.ts'], { cwd: root }).map((file) =>
    readFileSync(path.join(root, file), 'utf8'),
  );
  for (const { test: name, reason } of listed) {
    assert.ok(reason.length > 20, name);
    assert.ok(
      code.some((text) => text.includes(`'${name}',`)),
      `there is no test ${name}`,
    );
  }
});

let files = 0;

/** Runs a test file in a separate process, which must not consider itself part of this test. */
async function run(code: string, ci: string): Promise<{ code: number; named: string | undefined }> {
  const file = path.join(folder, `planted-${(files += 1)}.test.ts`);
  await writeFile(file, `import { test } from 'node:test';\n${code}\n`);
  const runner = path.join(root, 'scripts/run-test-files.ts');
  const program = path.join(folder, `runner-${files}.ts`);
  await writeFile(
    program,
    `import { runTestFiles } from ${JSON.stringify(runner)};
    process.exitCode = await runTestFiles([${JSON.stringify(file)}], { timeoutMs: 60_000 });`,
  );
  return new Promise((resolve) => {
    execFile(process.execPath, [program], { env: { ...bareEnvironment, CI: ci } }, (error, _stdout, stderr) =>
      resolve({
        code: Number(error?.code ?? 0),
        named: /^Skipped in CI: (.*)$/m.exec(stderr)?.[1],
      }),
    );
  });
}
