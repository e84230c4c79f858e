import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { wartable } from '../../harness/support/command.ts';
import { createTestDatabase } from '../../harness/support/database.ts';
import { eventually } from '../../harness/support/server.ts';

const database = await createTestDatabase();
const environment = { DATABASE_URL: await database.loginAs('wartable_publish') };

const swiss = { id: 'swiss', label: 'Swiss', type: 'board', rounds: 1 };
const tournament = (slug: string, more: object = {}) => ({
  kind: 'tournament',
  slug,
  name: slug,
  status: 'finished',
  battleSize: 1,
  published: true,
  stages: [swiss],
  participants: [
    { id: 'a', name: 'Ana' },
    { id: 'b', name: 'Ben' },
  ],
  battles: [battle(slug, 'a')],
  ...more,
});
const battle = (id: string, winner: string) => ({
  id,
  stage: 'swiss',
  round: 1,
  finished: true,
  winner,
  sides: [
    { participant: 'a', victoryPoints: 20 },
    { participant: 'b', victoryPoints: 10 },
  ],
});
const feed = (records: object[]): string => records.map((record) => `${JSON.stringify(record)}\n`).join('');

test('import warns with file and line, sums up each tournament, and exits with 0', async () => {
  const given = feed([
    tournament('fine', {
      participants: [
        { id: 'a', name: 'Ana', finalPlacement: 1 },
        { id: 'b', name: 'Ben' },
      ],
    }),
    tournament('odd', { battles: [battle('odd', 'b')], byes: [], matches: [] }),
    tournament('empty', { battles: [], participants: [] }),
    tournament('begun', { status: 'ongoing', battles: [] }),
  ]);
  const contradiction =
    'battles[0].winner: expected the side with more points (20 to 10 victory points), found "b"';
  const none = 'battles: expected battles in a finished tournament, found none';

  const strict = await wartable(['import', '--strict', '--dry-run', '-'], environment, given);
  assert.equal(strict.stderr, `standard input:2: ${contradiction}\nstandard input:3: ${none}\n`);
  assert.match(
    strict.stdout,
    /^2 would be recorded \(2 changed, 0 unchanged; 1 battle\), 2 refused, [^\n]+\nfine: [^\n]+\nbegun: [^\n]+\n$/,
  );
  assert.equal(strict.code, 1);

  const { stdout, stderr, code } = await wartable(['import', '-'], environment, given);
  assert.equal(stderr, `standard input:2: warning: ${contradiction}\ntournament empty: warning: ${none}\n`);
  const [summary, ...lines] = stdout.split('\n');
  assert.match(summary ?? '', /^4 recorded \(4 changed, 0 unchanged; 2 battles\), 0 refused, in /);
  assert.deepEqual(lines, [
    'fine: 2 participants, 1 of 1 rounds played, champion "Ana"',
    'odd: 2 participants, 1 of 1 rounds played',
    'empty: 0 participants, 0 of 1 rounds played',
    'begun: 2 participants, 0 of 1 rounds played',
    '',
  ]);
  assert.equal(code, 0);
});

test('a tournament record that takes battles or participants away says how many, before the summary', async () => {
  const begun = { status: 'ongoing', stages: [{ ...swiss, rounds: 3 }] };
  const two = [battle('shrinks', 'a'), { ...battle('shrinks-2', 'a'), round: 2 }];
  const guest = { id: 'c', name: 'Cy' };
  const before = tournament('shrinks', { ...begun, battles: two });
  const { participants } = before;
  const send = async (record: object, ...options: string[]) =>
    (await wartable(['import', ...options, '-'], environment, feed([record]))).stderr;
  assert.equal(await send({ ...before, participants: [...participants, guest] }), '');
  const line = 'shrinks: removed, because the feed leaves them out: 2 battles, 1 participant\n';
  assert.equal(await send({ ...before, battles: [] }, '--dry-run'), line);
  assert.equal(await send({ ...before, battles: [] }), line);
  assert.equal(await send({ ...before, battles: [] }), '', 'the second time nothing goes');
  const part = { kind: 'tournament', slug: 'shrinks', battles: two };
  assert.equal(await send(part), '');
  assert.equal(
    await send({ ...part, battles: two.slice(1) }),
    'shrinks: removed, because the feed leaves them out: 1 battle, 0 participants\n',
  );
  const many = Array.from({ length: 22 }, (_, index) =>
    tournament(`shrinks-${index}`, { ...begun, battles: [] }),
  );
  const full = many.map((each) => ({ ...each, participants: [...participants, guest] }));
  await wartable(['import', '-'], environment, feed(full));
  const { stderr } = await wartable(['import', '-'], environment, feed(many));
  assert.match(stderr, /\nand 2 more tournaments lost battles or participants\n$/);
  assert.equal(stderr.trim().split('\n').length, 21);
});

test('at most 20 warnings of a kind and 50 tournaments are printed; the rest is counted', async () => {
  const many = Array.from({ length: 52 }, (_, at) =>
    tournament(`many-${at}`, { battles: [battle(`m${at}`, 'b')] }),
  );
  const { stdout, stderr } = await wartable(['import', '--dry-run', '-'], environment, feed(many));
  const warnings = stderr.trimEnd().split('\n');
  assert.equal(warnings.length, 21);
  assert.equal(warnings.at(-1), 'warning: 32 more of this kind: scores that contradict the winner');
  const lines = stdout.trimEnd().split('\n');
  assert.equal(lines.length, 1 + 50 + 1);
  assert.equal(lines.at(-1), 'and 2 more tournaments');
});

test('while a pipe stays open, the record that finishes a tournament brings its warnings', async () => {
  const child = spawn(process.execPath, ['src/cli.ts', 'import', '-'], {
    cwd: new URL('../..', import.meta.url),
    env: { PATH: process.env['PATH'] ?? '', ...environment },
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const warning =
    'tournament piped: warning: battles: expected every battle finished, found 1 of 1 unfinished\n';
  const open = { ...battle('p1', 'a'), finished: false, winner: null };
  child.stdin.write(feed([tournament('piped', { status: 'ongoing', battles: [open] })]));
  child.stdin.write(feed([{ kind: 'tournament', slug: 'piped', status: 'finished' }]));
  await eventually(async () => assert.equal(stderr, warning));
  child.stdin.end(feed([{ kind: 'tournament', slug: 'piped', city: 'Brest' }]));
  assert.equal(await ended, 0);
  assert.equal(stderr, warning);
});
