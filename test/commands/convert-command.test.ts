import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { withFolder } from '../../harness/proofs/proof.ts';
import { bareEnvironment } from '../../harness/support/bare-environment.ts';

const cli = path.resolve(import.meta.dirname, '../../src/cli.ts');

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs the command without DATABASE_URL, because it opens no database. */
async function convertIn(folder: string, ...args: string[]): Promise<Ended> {
  const run = promisify(execFile)(process.execPath, [cli, 'convert', ...args], {
    cwd: folder,
    env: bareEnvironment,
  });
  return run.then(
    (ended) => ({ code: 0, ...ended }),
    (error: unknown) => error as Ended,
  );
}

const three = ['event.csv', 'players.csv', 'games.csv'];
const slug = ['--slug', 'club-cup-2026'];

test('the template is written once, converts, and is the same feed each time', async () => {
  await withFolder(async (folder) => {
    assert.deepEqual(await convertIn(folder, '--template'), {
      code: 0,
      stdout: `${three.join('\n')}\n`,
      stderr: '',
    });
    const empty = await convertIn(folder, ...three);
    assert.match(empty.stderr, /^event\.csv:2: slug: expected .* like club-cup-2026: .*, found nothing\n$/);
    assert.deepEqual([empty.code, empty.stdout], [1, '']);
    const first = await convertIn(folder, ...three, ...slug);
    assert.deepEqual([first.code, first.stderr], [0, '']);
    assert.match(first.stdout, /^\{"kind":"tournament","slug":"club-cup-2026","published":false,/);
    // A page is live for some days after the last result, so the day of the event must be close to today.
    const [, day = ''] = /"startDate":"([^"]+)"/.exec(first.stdout) ?? [];
    assert.ok(Math.abs(Date.now() - Date.parse(day)) < 2 * 86_400_000, day);
    assert.deepEqual(await convertIn(folder, ...three.toReversed(), ...slug), first);
    const again = await convertIn(folder, '--template');
    assert.deepEqual(
      [again.code, again.stderr],
      [2, 'wartable: The file event.csv already exists: use an empty folder.\n'],
    );
    const changed = await convertIn(folder, ...three, ...slug, '--published', 'yes', '--name', 'Other');
    assert.match(changed.stdout, /"published":true,"name":"Other"/);
  });
});

test('the template in German can be named as *.csv, because the terminals of Windows pass that on', async () => {
  await withFolder(async (folder) => {
    await convertIn(folder, '--template', '--language', 'de');
    assert.match(await readFile(path.join(folder, 'event.csv'), 'utf8'), /^\uFEFFAngabe;Wert\nKurzname;\n/);
    await writeFile(path.join(folder, '.hidden.csv'), '');
    const named = await convertIn(folder, ...three, ...slug);
    assert.deepEqual([named.code, named.stderr], [0, '']);
    assert.deepEqual(await convertIn(folder, '*.CSV', ...slug), named);
    assert.deepEqual(await convertIn(folder, path.join(folder, '*s.csv'), 'event.csv', ...slug), named);
    const none = await convertIn(folder, '*.txt');
    assert.deepEqual([none.code, none.stderr], [2, 'wartable: There is no file *.txt: check the name.\n']);
    // It is the name of a file on systems that allow it.
    await writeFile(path.join(folder, '*.csv'), 'nothing\n');
    assert.match((await convertIn(folder, '*.csv')).stderr, /^\*\.csv:1: expected the headers /);
    assert.match(
      (await convertIn(folder, '--template', '--language', 'nl')).stderr,
      /en, de, fr, es, it, pl/,
    );
  });
});

test('refusals of all files come at once, nothing is written, and the exit code is 1', async () => {
  await withFolder(async (folder) => {
    await convertIn(folder, '--template');
    await writeFile(path.join(folder, 'players.csv'), 'no,name,place\n1,A,first\n1,B,\n');
    await writeFile(path.join(folder, 'event.csv'), 'slug,a\nname,B\nstatus,soon\nsize,2000\npublished,no\n');
    const { code, stdout, stderr } = await convertIn(folder, ...three);
    assert.deepEqual([code, stdout], [1, '']);
    assert.equal(
      stderr
        .split('\n')
        .filter((line) => !line.startsWith('games.csv'))
        .join('\n'),
      [
        'note: games.csv: 3 results have no battle points, so only wins count: add the row "scoring", "3 | 1 | 0" to the event sheet, or fill in bp 1 and bp 2',
        'event.csv:3: status: expected planned, ongoing or finished, found "soon"',
        'players.csv:2: place: expected a whole number between 1 and 10000, found "first"',
        'players.csv:3: no: expected each number once, found 1 again (first in players.csv:2)',
        '',
      ].join('\n'),
    );
  });
});

test('--players and --clubs are files of any dialect, and a wrong line of them is named', async () => {
  await withFolder(async (folder) => {
    await convertIn(folder, '--template');
    await writeFile(path.join(folder, 'ids.csv'), '\ufeffNr.;Spieler-ID\r\n2;bjorn\r\n');
    await writeFile(path.join(folder, 'clubs.txt'), 'tidewatch\nnorth-gate,North Gate\n');
    const sheet = await readFile(path.join(folder, 'players.csv'), 'utf8');
    await writeFile(
      path.join(folder, 'players.csv'),
      sheet.replace('Third Player,', 'Third Player,North Gate'),
    );
    const good = await convertIn(folder, ...three, ...slug, '--players', 'ids.csv', '--clubs', 'clubs.txt');
    assert.match(
      good.stdout,
      /\{"id":"p2","player":"bjorn",.*\{"id":"p3","name":"Third Player","club":"north-gate",/,
    );
    await writeFile(path.join(folder, 'ids.csv'), '1,ok\n2,not ok\n');
    const bad = await convertIn(folder, ...three, '--players', 'ids.csv');
    assert.deepEqual(
      [bad.code, bad.stderr],
      [2, 'wartable: ids.csv:2: expected a number and the id of a player, found "2, not ok".\n'],
    );
  });
});

test('notes begin with a word, skipped results do not, and both let the feed through', async () => {
  await withFolder(async (folder) => {
    await convertIn(folder, '--template');
    const games = 'round,player 1,player 2,result,E-Mail\n1,1,2,12-8,x\n1,3,,,\n';
    await writeFile(path.join(folder, 'games.csv'), games);
    const refused = await convertIn(folder, ...three, ...slug);
    assert.deepEqual([refused.code, refused.stdout], [1, '']);
    const { code, stdout, stderr } = await convertIn(folder, ...three, ...slug, '--skip-unreadable-results');
    assert.equal(code, 0);
    assert.match(stdout, /"byes":\[\{.*"sides":\[\{"participant":"p1"\},\{"participant":"p2"\}\]/);
    assert.match(
      stderr,
      /^note: games\.csv:1: the column "E-Mail" is not known and was left out\ngames\.csv:2: result: expected 1, 2, draw .* found "12-8": the game has no result until this is corrected, and an earlier result is gone\n$/,
    );
  });
});

test('--encoding and --tie-breaks reach the sheets, and an unknown encoding is named', async () => {
  await withFolder(async (folder) => {
    await convertIn(folder, '--template');
    const sheet = await readFile(path.join(folder, 'players.csv'), 'utf8');
    await writeFile(
      path.join(folder, 'players.csv'),
      Buffer.from(sheet.replace('First Player', 'Wi\u009cniewski'), 'latin1'),
    );
    const options = [...slug, '--encoding', 'windows-1250', '--tie-breaks', 'wins,headToHead'];
    const { stdout, stderr } = await convertIn(folder, ...three, ...options);
    assert.equal(stderr, '');
    assert.match(stdout, /"tieBreaks":\["wins","headToHead"\].*"name":"Wiśniewski"/);
    const wrong = await convertIn(folder, ...three, ...slug, '--encoding', 'polish');
    assert.deepEqual(
      [wrong.code, wrong.stderr],
      [2, 'wartable: The encoding "polish" is unknown: name one like utf-8, windows-1250 or iso-8859-2.\n'],
    );
  });
});

test('no sheet, a missing sheet and a folder are said in one sentence', async () => {
  await withFolder(async (folder) => {
    const none = await convertIn(folder);
    assert.deepEqual(
      [none.code, none.stderr],
      [2, 'wartable: No sheets were given: name their files, or write some with --template.\n'],
    );
    const missing = await convertIn(folder, 'players.csv');
    assert.equal(missing.stderr, 'wartable: There is no file players.csv: check the name.\n');
    const isFolder = await convertIn(folder, '.');
    assert.equal(isFolder.stderr, 'wartable: . is a folder: name the files in it.\n');
  });
});
