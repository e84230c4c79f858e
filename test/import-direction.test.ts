import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';

// The import rules are only worth something if they can fail: this copies the code elsewhere, plants imports that the
// design forbids, and expects each to be found. It also counts what was read, because the tool exits 0 on nothing.
const root = path.resolve(import.meta.dirname, '..');
let copy = '';

before(async () => {
  copy = await mkdtemp(path.join(tmpdir(), 'wartable-imports-'));
  for (const name of ['src', 'test', 'package.json', 'tsconfig.json', '.dependency-cruiser.cjs']) {
    await cp(path.join(root, name), path.join(copy, name), { recursive: true });
  }
  await symlink(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
});

after(() => rm(copy, { recursive: true, force: true }));

test('the import check reads every module of src/ and finds nothing wrong', async () => {
  const files = (await readdir(path.join(root, 'src'), { recursive: true })).filter((f) => f.endsWith('.ts'));
  const { violations, read } = await cruise();
  assert.deepEqual(violations, []);
  assert.equal(read.length, files.length);
});

const forbidden = [
  ['src/serve/planted.ts', '../record/target.ts', 'serve-imports-only'],
  ['src/serve/planted.ts', '../publish/target.ts', 'serve-imports-only'],
  ['src/publish/planted.ts', '../serve/target.ts', 'publish-imports-only'],
  ['src/record/planted.ts', '../publish/target.ts', 'record-imports-only'],
  ['src/world/planted.ts', '../database/target.ts', 'world-imports-only-itself'],
  ['src/world/planted.ts', '../record/target.ts', 'world-imports-only-the-types-of-the-feed'],
  ['src/record/planted.ts', '../world/target.ts', 'record-imports-only'],
  ['src/contract/planted.ts', '../database/target.ts', 'contract-imports-only'],
  ['src/keys/planted.ts', '../commands/target.ts', 'nobody-imports-commands'],
] as const;

for (const [from, to, rule] of forbidden) {
  test(`a planted import of ${to} in ${from} is found`, async () => {
    const source = path.join(copy, from);
    const target = path.resolve(path.dirname(source), to);
    const targetIsPlanted = to.endsWith('target.ts');
    await plant(source, `import '${to}';\n`);
    if (targetIsPlanted) await plant(target, 'export {};\n');
    try {
      const { violations } = await cruise();
      assert.ok(
        violations.some((name) => name.startsWith(rule)),
        `found only ${JSON.stringify(violations)}`,
      );
    } finally {
      await rm(source);
      if (targetIsPlanted) await rm(target);
    }
  });
}

async function plant(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
}

async function cruise(): Promise<{ violations: string[]; read: string[] }> {
  const output = await new Promise<string>((resolve, reject) => {
    const depcruise = path.join(root, 'node_modules/.bin/depcruise');
    execFile(
      depcruise,
      ['src', '--output-type', 'json'],
      { cwd: copy, maxBuffer: 1 << 26 },
      (error, stdout) => {
        // A violation makes the tool exit non-zero; only an answer that is not there is an error of the test.
        if (stdout === '') reject(error ?? new Error('dependency-cruiser printed nothing'));
        else resolve(stdout);
      },
    );
  });
  const result = JSON.parse(output) as {
    modules: { source: string }[];
    summary: { violations: { rule: { name: string } }[] };
  };
  return {
    violations: result.summary.violations.map((violation) => violation.rule.name),
    read: result.modules.map((module) => module.source).filter((source) => source.startsWith('src/')),
  };
}
