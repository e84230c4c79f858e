import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { innerRooms, rooms } from '../../scripts/rooms.ts';

// The import rules are only useful if they can fail, so this test copies the code elsewhere, plants imports
// that the design forbids, and expects each to be found. It also counts what was read, because the tool exits
// with 0 if it reads nothing.
const root = path.resolve(import.meta.dirname, '../..');
let copy = '';

before(async () => {
  copy = await mkdtemp(path.join(tmpdir(), 'wartable-imports-'));
  const names = [
    'src',
    'harness',
    'test',
    'scripts',
    'bench',
    'package.json',
    'tsconfig.json',
    '.dependency-cruiser.cjs',
  ];
  for (const name of names) {
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
  ['src/site/planted.ts', '../api/target.ts', 'site-imports-only'],
  ['src/site/planted.ts', '../serve/target.ts', 'site-imports-only'],
  ['src/api/planted.ts', '../site/target.ts', 'api-imports-only'],
  ['src/api/planted.ts', '../serve/target.ts', 'api-imports-only'],
  ['src/read/planted.ts', '../api/target.ts', 'read-imports-only'],
  ['src/read/planted.ts', '../site/target.ts', 'read-imports-only'],
  ['src/read/planted.ts', '../keys/target.ts', 'read-imports-only'],
  ['src/http/planted.ts', '../read/target.ts', 'http-imports-only'],
  ['src/http/planted.ts', '../database/target.ts', 'http-imports-only'],
  ['src/publish/planted.ts', '../serve/target.ts', 'publish-imports-only'],
  ['src/publish/planted.ts', '../record/target.ts', 'publish-imports-only'],
  ['src/publish/planted.ts', '../record/write/target.ts', 'publish-imports-only'],
  ['src/publish/planted.ts', '../record/feed/target.ts', 'publish-and-world-import-only-types-of-the-feed'],
  ['src/publish/derive/planted.ts', '../target.ts', 'publish-derive-imports-only'],
  ['src/publish/derive/planted.ts', '../../database/target.ts', 'publish-derive-imports-only'],
  ['src/publish/derive/planted.ts', '../../record/feed/target.ts', 'publish-derive-imports-only'],
  ['src/publish/derive/planted.ts', '../../record/facts/target.ts', 'derive-imports-only-types-of-the-facts'],
  ['src/publish/derive/planted.ts', 'pg', 'derive-feed-and-convert-know-no-database'],
  ['src/record/planted.ts', '../publish/target.ts', 'record-imports-only'],
  ['src/record/planted.ts', '../world/target.ts', 'record-imports-only'],
  ['src/record/feed/planted.ts', '../write/target.ts', 'record-feed-imports-only'],
  ['src/record/feed/planted.ts', '../../database/target.ts', 'record-feed-imports-only'],
  ['src/record/feed/planted.ts', 'pg', 'derive-feed-and-convert-know-no-database'],
  ['src/record/facts/planted.ts', '../write/target.ts', 'record-facts-imports-only'],
  ['src/record/people/planted.ts', '../write/target.ts', 'record-people-imports-only'],
  ['src/world/planted.ts', '../database/target.ts', 'world-imports-only'],
  ['src/world/planted.ts', '../record/facts/target.ts', 'world-imports-only'],
  ['src/world/planted.ts', '../record/feed/target.ts', 'publish-and-world-import-only-types-of-the-feed'],
  ['src/convert/planted.ts', '../database/target.ts', 'convert-imports-only'],
  ['src/convert/planted.ts', '../record/write/target.ts', 'convert-imports-only'],
  ['src/convert/planted.ts', 'pg', 'derive-feed-and-convert-know-no-database'],
  ['src/contract/planted.ts', '../database/target.ts', 'contract-imports-only'],
  ['src/text/planted.ts', '../contract/target.ts', 'text-imports-only'],
  ['src/world/planted.ts', '../text/target.ts', 'world-imports-only'],
  ['src/keys/planted.ts', '../commands/target.ts', 'commands-are-imported-by-the-command-line-only'],
  ['src/site/parts/planted.ts', '../tournament/target.ts', 'site-parts-imports-only'],
  ['src/site/bracket/planted.ts', '../tournament-parts/target.ts', 'site-bracket-imports-only'],
  ['src/site/words/planted.ts', '../parts/target.ts', 'site-words-imports-only'],
  ['src/publish/derive/boards/planted.ts', '../views/target.ts', 'publish-derive-boards-imports-only'],
  [
    'src/publish/derive/fragments/planted.ts',
    '../brackets/target.ts',
    'publish-derive-fragments-imports-only',
  ],
  ['src/record/recording/planted.ts', '../write/target.ts', 'record-recording-imports-only'],
  ['src/published/planted.ts', '../publish/target.ts', 'published-imports-only'],
  ['src/availability/planted.ts', '../database/target.ts', 'availability-imports-only'],
  ['scripts/planted.ts', '../bench/target.ts', 'scripts-import-only-harness-and-src'],
  ['scripts/planted.ts', '../test/target.ts', 'scripts-import-only-harness-and-src'],
  ['harness/planted.ts', '../test/target.ts', 'harness-imports-only-src'],
  ['harness/planted.ts', '../scripts/target.ts', 'harness-imports-only-src'],
  ['bench/planted.ts', '../test/target.ts', 'bench-imports-no-test-and-few-rooms'],
] as const;

test('each planted import is found', async (t) => {
  // All are planted at once, each in its own file, because the tool takes a second to read the code.
  const planted = forbidden.map(([from, to, rule], index) => {
    const named = (file: string) => file.replace(/(planted|target)\.ts$/, `$1-${index}.ts`);
    return { from: named(from), to: named(to), rule };
  });
  for (const { from, to } of planted) {
    await plant(path.join(copy, from), `import '${to}';\n`);
    if (to.startsWith('.')) await plant(path.join(copy, path.dirname(from), to), 'export {};\n');
  }
  const { violations } = await cruise(
    ...planted.map(({ from }) => from).filter((from) => !from.startsWith('src/')),
  );
  for (const { from, to, rule } of planted) {
    await t.test(`${to} in ${from}`, () => {
      const found = violations.filter((each) => each.from === from).map((each) => each.rule);
      assert.ok(
        found.some((name) => name.startsWith(rule)),
        `found only ${JSON.stringify(found)}`,
      );
    });
  }
});

test('every folder beside or inside the rooms is a room, because the rules do not see any other', async () => {
  for (const [within, table] of Object.entries({ '': rooms, ...innerRooms })) {
    const entries = await readdir(path.join(root, 'src', within), { withFileTypes: true });
    const folders = entries.flatMap((entry) => (entry.isDirectory() ? entry.name : []));
    assert.deepEqual(
      folders.filter((folder) => !(folder in table)),
      [],
      `src/${within}`,
    );
  }
});

test('every arrow of the table of rooms leads to a room above it, and is used', async () => {
  const { imports } = await cruise();
  const unused: string[] = [];
  const tables = Object.entries({ '': rooms, ...innerRooms });
  for (const [within, table] of tables) {
    const folder = path.posix.join('src', within);
    const names = Object.keys(table);
    for (const [index, [name, allowed]] of Object.entries(table).entries()) {
      for (const room of allowed) {
        const above = names.slice(0, index);
        assert.ok(above.includes(room.split('/')[0] ?? ''), `${folder}/${name} names ${room}, not above it`);
        const isUsed = imports.some(
          ([from, to]) => isIn(from, `${folder}/${name}`) && isIn(to, `${folder}/${room}`),
        );
        if (!isUsed) unused.push(`${folder}/${name} → ${room}`);
      }
    }
  }
  assert.deepEqual(unused, []);
});

function isIn(file: string, room: string): boolean {
  return file.startsWith(`${room}/`) || file === `${room}.ts`;
}

async function plant(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
}

interface Cruise {
  violations: Violation[];
  read: string[];
  imports: [from: string, to: string][];
}

interface Violation {
  from: string;
  rule: string;
}

async function cruise(...alsoFrom: string[]): Promise<Cruise> {
  const output = await new Promise<string>((resolve, reject) => {
    const depcruise = path.join(root, 'node_modules/.bin/depcruise');
    execFile(
      depcruise,
      ['src', ...alsoFrom, '--output-type', 'json'],
      { cwd: copy, maxBuffer: 1 << 26 },
      (error, stdout) => {
        // A violation makes the tool exit non-zero, so only a missing answer is an error in the test.
        if (stdout === '') reject(error ?? new Error('dependency-cruiser printed nothing'));
        else resolve(stdout);
      },
    );
  });
  const result = JSON.parse(output) as {
    modules: { source: string; dependencies: { resolved: string }[] }[];
    summary: { violations: { from: string; rule: { name: string } }[] };
  };
  return {
    violations: result.summary.violations.map(({ from, rule }) => ({ from, rule: rule.name })),
    read: result.modules.map((module) => module.source).filter((source) => source.startsWith('src/')),
    imports: result.modules.flatMap(({ source, dependencies }) =>
      dependencies.map(({ resolved }): [string, string] => [source, resolved]),
    ),
  };
}
