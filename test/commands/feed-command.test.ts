import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { access, lstat, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { atEnd } from '../../harness/support/at-end.ts';
import { wartable } from '../../harness/support/command.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { exampleFeed } from '../../harness/support/feed.ts';

const database = await createTestDatabase();
const environment = { DATABASE_URL: await database.loginAs('wartable_publish') };
const folder = await mkdtemp(path.join(tmpdir(), 'wartable-feed-'));
atEnd(() => rm(folder, { recursive: true }));
const [all, surplus] = ['all.ndjson', 'surplus.ndjson'].map((name) => path.join(folder, name)) as [
  string,
  string,
];
await wartable(['import', '-'], environment, exampleFeed());
const exported = await wartable(['feed', 'export', '--drafts'], environment);
await writeFile(all, exported.stdout);
const compare = (...args: string[]) => wartable(['feed', 'compare', ...args], environment);

test('what is exported is equal; the last line says how many records there are', async () => {
  const lines = exported.stdout.trimEnd().split('\n');
  assert.equal(lines.at(-1), `{"kind":"end","records":${lines.length - 1}}`);
  assert.deepEqual(await compare(all), {
    code: 0,
    stdout: `Equal: ${lines.length - 1} things. Source main owns ${lines.length - 2} things.\n`,
    stderr: '',
  });
  const again = await wartable(['import', all], environment);
  assert.match(
    again.stdout,
    new RegExp(`^${lines.length - 1} recorded \\(0 changed, ${lines.length - 1} unchanged;`),
  );
});

test('a live import beside it does not wait, and what it records is no surplus', async () => {
  const during = `import { execFileSync } from 'node:child_process';
    const input = '{"kind":"club","slug":"late","name":"Late"}\\n';
    execFileSync(process.execPath, ['src/cli.ts', 'import', '-'], { input });
    process.stdout.write(execFileSync('cat', [${JSON.stringify(all)}]));`;
  const script = path.join(folder, 'platform.mjs');
  await writeFile(script, during);
  const { code, stderr } = await compare('--removals', surplus, '--', process.execPath, script);
  assert.deepEqual([code, stderr], [0, '']);
  assert.equal(await readFile(surplus, 'utf8'), '');
});

test('a misspelt source is no source that owns nothing', async () => {
  const said = 'wartable: There is no source mian: `wartable sources` lists all.\n';
  for (const given of [
    ['compare', '--source', 'mian', all],
    ['compare', '--source', 'mian', '--removals', surplus, '--', 'cat', all],
    ['export', '--source', 'mian'],
  ])
    assert.deepEqual(await wartable(['feed', ...given], environment), { code: 1, stdout: '', stderr: said });
});

test('the comparison says which source it looked at, and how much that source owns', async () => {
  await wartable(['import', '--source', 'other', '-'], environment, '');
  const nothing = await compare('--source', 'other', all);
  assert.match(nothing.stdout, /^Equal: \d+ things\. Source other owns no things\.\n$/);
});

test('removals: what only Wartable has, without players; imported, both are equal', async () => {
  await wartable(
    ['import', '-'],
    environment,
    `{"kind":"player","id":"extra","name":"Extra"}
{"kind":"battlePack","name":"Extra"}
{"kind":"tournament","slug":"extra","name":"E","published":true,"status":"planned","battleSize":1,"organizer":"late","battlePack":"Extra"}
`,
  );
  const found = await compare('--removals', surplus, '--', 'cat', all);
  assert.equal(found.code, 1);
  assert.equal(
    found.stdout,
    'only in Wartable: tournament extra\nonly in Wartable: club late\nonly in Wartable: battlePack Extra\n' +
      'only in Wartable: player extra\n0 differ, 4 only in Wartable, 0 only in the feed. Source main owns 13 things.\n',
  );
  const few = await compare('--removals', `${surplus}2`, '--at-most', '2', '--', 'cat', all);
  assert.match(
    few.stderr,
    /surplus.ndjson2 was not written, because it would have 3 removals, more than 2\.\n$/,
  );
  await assert.rejects(access(`${surplus}2`));
  assert.equal((await wartable(['import', surplus], environment)).code, 0);
  await wartable(['import', '-'], environment, '{"kind":"remove","of":"player","id":"extra"}\n');
  assert.equal((await compare(all)).code, 0);
});

test('a person who is erased here while the feed names them is one sentence more; both are equal', async () => {
  const things = exported.stdout.trimEnd().split('\n').length - 1;
  const removal = (id: string) => `{"kind":"remove","of":"player","id":"${id}"}\n`;
  const named = exported.stdout.replaceAll(
    '{"kind":"player","id":"bjorn","erased":true}',
    '{"kind":"player","id":"bjorn","name":"B"}',
  );
  assert.notEqual(named, exported.stdout);
  await writeFile(`${all}2`, named);
  const said = (sentence: string, owned: number) => ({
    code: 0,
    stdout: `${sentence}\nEqual: ${things} things. Source main owns ${owned} things.\n`,
    stderr: '',
  });
  assert.deepEqual(
    await compare(`${all}2`),
    said('1 person is erased here, and the feed still names them: player bjorn.', things - 1),
  );
  await wartable(['import', '-'], environment, removal('chidi'));
  assert.deepEqual(
    await compare(`${all}2`),
    said('2 people are erased here, and the feed still names them, such as player bjorn.', things - 2),
  );
  await wartable(
    ['import', '-'],
    environment,
    '{"kind":"player","id":"chidi","name":"Chidi Eze","erased":false}\n',
  );
});

test('a link beside the file for removals is replaced, and its target stays', async () => {
  const target = path.join(folder, 'mine.txt');
  await writeFile(target, 'mine');
  await symlink(target, `${surplus}.part`);
  assert.equal((await compare('--removals', surplus, '--', 'cat', all)).code, 0);
  assert.equal(await readFile(target, 'utf8'), 'mine');
  assert.ok((await lstat(surplus)).isFile());
});

test('a command that fails, a cut feed and a window write no removals', async () => {
  await writeFile(surplus, 'of yesterday');
  const failed = await compare('--removals', surplus, '--', 'sh', '-c', `cat ${all}; exit 3`);
  assert.deepEqual([failed.code, failed.stdout], [2, '']);
  assert.match(failed.stderr, /sh failed, so nothing was compared/);
  await assert.rejects(access(surplus));
  const cut = await compare('--removals', surplus, '--', 'head', '-n', '3', all);
  assert.equal(cut.code, 1);
  assert.match(cut.stderr, /the feed is cut\nThe feed is not complete/);
  await assert.rejects(access(surplus));
  assert.equal((await compare('--removals', surplus, '--from', '2025-01-01', '--', 'cat', all)).code, 2);
  assert.equal((await compare('--removals', surplus, '--', path.join(folder, 'nothing'))).code, 2);
});

test('a file in place of the command is explained: what it does not have yet would be removed', async () => {
  await writeFile(surplus, 'of yesterday');
  for (const options of [[], ['--']]) {
    const { code, stdout, stderr } = await compare('--removals', surplus, ...options, all);
    assert.deepEqual([code, stdout], [2, '']);
    assert.equal(
      stderr,
      `wartable: ${all} is a file, but --removals needs a command that prints the feed, because whatever was recorded ` +
        `after the file was written would be removed. Give \`-- cat ${all}\` only if nothing was recorded since.\n`,
    );
    await assert.rejects(access(surplus));
  }
  const missing = await compare('--removals', surplus, '--', 'no-such-exporter', 'backfill');
  assert.deepEqual(
    [missing.code, missing.stderr],
    [2, 'wartable: no-such-exporter cannot be started (ENOENT): check the name of the command.\n'],
  );
});

test('a name gives no commands to a terminal and begins no line', async () => {
  const name = 'Red \u001b[31m\nonly in Wartable: club tidewatch';
  await wartable(['import', '-'], environment, `${JSON.stringify({ kind: 'battlePack', name })}\n`);
  const { stdout } = await compare(all);
  assert.match(
    stdout,
    /^only in Wartable: battlePack Red \uFFFD\[31m\uFFFDonly in Wartable: club tidewatch$/m,
  );
  const line = JSON.stringify({ kind: 'battlePack', name });
  const twice = await wartable(['feed', 'compare', '-'], environment, `${line}\n${line}\n`);
  assert.match(twice.stderr, /found battlePack "Red \uFFFD\[31m\uFFFDonly/);
});

test('a tournament that is not exported is refused: an empty feed would look like its copy', async () => {
  const draft = {
    kind: 'tournament',
    slug: 'draft',
    name: 'D',
    published: false,
    status: 'planned',
    battleSize: 1,
  };
  await wartable(['import', '-'], environment, `${JSON.stringify(draft)}\n`);
  const given = (...more: string[]) => wartable(['feed', 'export', '--tournament', ...more], environment);
  const refused = { code: 1, stdout: '' };
  assert.deepEqual(await given('tidewatch-open-2025', 'missing'), {
    ...refused,
    stderr: 'wartable: There is no tournament missing: check the slug.\n',
  });
  assert.deepEqual(await given('draft'), {
    ...refused,
    stderr: 'wartable: Tournament draft is not published: add --drafts to export it.\n',
  });
  assert.match((await given('draft', '--drafts')).stdout, /"slug":"draft"/);
});

test('a reader that has read enough is no fault; a folder and a cut feed are named', async () => {
  await wartable(['import', '-'], environment, manyClubs());
  const piped = 'node src/cli.ts feed export | head -n 1; echo "${PIPESTATUS[0]}"';
  const { stdout, stderr } = await promisify(execFile)('bash', ['-c', piped], {
    env: { ...process.env, ...environment },
  });
  assert.deepEqual([stdout.split('\n').length, stdout.endsWith('\n0\n'), stderr], [3, true, '']);
  assert.equal((await compare(folder)).stderr, `wartable: ${folder} is a folder: name a file.\n`);
  const cut = await wartable(['feed', 'compare', '-'], environment, '\n\n{"kind":"nothing"}\n');
  assert.match(cut.stderr, /^standard input:4: expected \{"kind":"end","records":…\} as the last line/m);
});

/** Returns more than a pipe can hold. */
const manyClubs = (): string =>
  Array.from({ length: 2_000 }, (_, n) =>
    JSON.stringify({ kind: 'club', slug: `c${n}`, name: 'C'.repeat(150) }),
  ).join('\n');
