import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rename, rm, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { template } from '../../src/convert/template.ts';
import { atEnd } from '../../harness/support/at-end.ts';
import { wartable } from '../../harness/support/command.ts';
import { eventually } from '../../harness/support/eventually.ts';
import { exampleFeed } from '../../harness/support/feed.ts';
import { startPreview, temporaryFolder } from '../../harness/support/preview.ts';

// Starts `wartable preview` as a person does, in a folder of this test.

const folder = await mkdtemp(path.join(tmpdir(), 'wartable-preview-'));
atEnd(() => rm(folder, { recursive: true, maxRetries: 5 }));
const file = (name: string) => path.join(folder, name);
const edit = async (name: string, from: string, to: string) => {
  const text = await readFile(file(name), 'utf8');
  assert.ok(text.includes(from), `${name} has no ${from}`);
  await writeFile(file(name), text.replace(from, to));
};
const nothingIsLeft = async () => assert.deepEqual(await readdir(await temporaryFolder(folder)), []);
const pageOf = async (address: string) => {
  const answer = await fetch(address);
  return { status: answer.status, text: await answer.text() };
};
const start = async (...args: string[]) => {
  const preview = await startPreview(folder, ...args);
  // It is still running only after a failure.
  atEnd(async () => preview.kill());
  return preview;
};
// The screen in the hall shows results only while the event is running.
const given = template(new Date().toISOString().slice(0, 10));
const sheets = Object.keys(given);
for (const [name, text] of Object.entries(given)) await writeFile(file(name), text);

test('the page of the template follows its sheets, a mistake leaves it as it was, and Ctrl-C leaves nothing', async () => {
  // The pages of registered players and of clubs would need a server.
  await edit('players.csv', 'Second Player,,', 'Second Player,Tidewatch,');
  await writeFile(file('ids.csv'), 'no,id\n1,registered-1\n');
  await writeFile(file('clubs.csv'), 'tidewatch,Tidewatch Gamers\n');
  const options = ['--players', 'ids.csv', '--clubs', 'clubs.csv', '--name', 'Cup of the Option'];
  const preview = await start(...sheets, ...options);
  const [, address = ''] = await preview.untilSaid(/^ {2}(http:\S+)$/m);
  assert.match(address, /\/tournaments\/preview$/);
  const first = await pageOf(address);
  assert.equal(first.status, 200, 'although the event sheet says `published,no`');
  assert.match(first.text, /Cup of the Option/);
  assert.match(first.text, /First Player/);
  assert.match((await pageOf(`${address}/participants`)).text, /Tidewatch Gamers/);

  await edit('games.csv', '2,1,2,3,,14,14', '2,1,2,3,,37,14');
  await preview.untilSaid(/^preview: 3 participants, 2 of 3 rounds played$/m);
  assert.match((await pageOf(`${address}/rounds?round=2`)).text, />37</);

  // The message uses the same words as `convert`.
  await edit('games.csv', '3,1,3,1,', '3,1,3,Nobody,');
  const converted = await wartable(['convert', ...sheets.map(file), '--slug', 'preview'], {});
  const sentence = converted.stderr
    .replaceAll(`${folder}${path.sep}`, '')
    .split('\n')
    .find((line) => line.startsWith('games.csv'));
  await preview.untilSaid(/^The page stays as it was\.$/m);
  assert.ok(sentence !== undefined && preview.output().includes(`\n${sentence}\n`), preview.output());
  assert.match((await pageOf(`${address}/rounds?round=2`)).text, />37</);
  await unlink(file('games.csv'));
  await preview.untilSaid(/^There is no file games\.csv: check the name\.\nThe page stays as it was\.$/m);
  assert.equal((await pageOf(address)).status, 200);

  // Editors save in this way: they write a new file and rename it.
  await writeFile(file('games.new'), given['games.csv'].replace('3,1,3,1,', '3,1,3,1,1'));
  await rename(file('games.new'), file('games.csv'));
  await preview.untilSaid(/^preview: 3 participants, 3 of 3 rounds played/m);
  // A result that was entered while the preview runs is known to be new, so the screen in the hall shows it.
  const screen = (await pageOf(`${address}/screen`)).text;
  assert.match(screen, /<footer class="strip"><div><ol>\s*<li>.*First Player/);
  // Files that are given as options are watched as well.
  await writeFile(file('clubs.csv'), 'tidewatch,Tidewatch Club\n');
  await preview.untilSaid(/^preview: 3 participants/m);
  assert.match((await pageOf(`${address}/participants`)).text, /Tidewatch Club/);

  // Whatever is deleted from a sheet disappears from the page, because only the sheets count.
  const order = /Order: [^<]*/;
  const usual = order.exec((await pageOf(address)).text)?.[0];
  await writeFile(file('event.before'), await readFile(file('event.csv')));
  await writeFile(file('event.csv'), `${await readFile(file('event.csv'), 'utf8')}tie-breaks,wins\n`);
  await preview.untilSaid(/^preview: 3 participants/m);
  assert.notEqual(order.exec((await pageOf(address)).text)?.[0], usual);
  await rename(file('event.before'), file('event.csv'));
  await preview.untilSaid(/^preview: 3 participants/m);
  assert.equal(order.exec((await pageOf(address)).text)?.[0], usual);
  // Imports used to leave listeners behind.
  for (let saves = 0; saves < 6; saves += 1) {
    await writeFile(file('clubs.csv'), `tidewatch,Tidewatch ${saves}\n`);
    await preview.untilSaid(/^preview: 3 participants/m);
  }
  assert.doesNotMatch(preview.output(), /^\(node:/m);

  // Another slug means another event.
  await edit('event.csv', 'slug,', 'slug,club-cup-2026');
  const [, moved = ''] = await preview.untilSaid(/^ {2}(http:\S+)$/m);
  assert.match(moved, /\/tournaments\/club-cup-2026$/);
  assert.equal((await pageOf(moved)).status, 200);
  assert.equal((await pageOf(address)).status, 404);
  await preview.end();
  assert.match(preview.output(), /The preview has ended\. Its data is deleted\.\n$/);
  await nothingIsLeft();
});

test('it begins with mistakes, too, and shows the page when they are corrected', async () => {
  await edit('event.csv', 'size,2000', 'size,many');
  const preview = await start(...sheets);
  await preview.untilSaid(/^There is no page yet\.$/m);
  assert.match(preview.output(), /^event\.csv:10: size: expected /m);
  await edit('event.csv', 'size,many', 'size,2000');
  const [, address = ''] = await preview.untilSaid(/^ {2}(http:\S+)$/m);
  assert.equal((await pageOf(address)).status, 200);
  // Things that are merely odd are reported in the words of the sheets.
  await edit('games.csv', '1 major,20,9', '2 major,20,9');
  await preview.untilSaid(/^note: games\.csv:2: result: the winner has fewer victory points \(20 and 9\)$/m);
  await preview.untilSaid(/^club-cup-2026: 3 participants/m);
  assert.doesNotMatch(preview.output(), /winner: expected/);
  await preview.end();
});

test('it shows a feed, and all of its events', async () => {
  const lines = exampleFeed().replaceAll('"published":true', '"published":false');
  const other = `${JSON.stringify({ kind: 'tournament', slug: 'other-cup', name: 'Other Cup', status: 'planned', published: false, battleSize: 1000 })}\n`;
  await writeFile(file('feed.ndjson'), lines + other);
  const preview = await start('feed.ndjson');
  const [, first = ''] = await preview.untilSaid(/^ {2}(http:\S+)$/m);
  const [, second = ''] = await preview.untilSaid(/^ {2}(http:\S+other-cup)$/m);
  for (const address of [first, second]) assert.equal((await pageOf(address)).status, 200, address);
  await writeFile(file('feed.ndjson'), `${lines}{"kind":"tournament","slug":"Wrong Slug"}\n`);
  await preview.untilSaid(/^feed\.ndjson:\d+: slug: .*\nThe page stays as it was\.$/m);
  assert.equal((await pageOf(second)).status, 200);
  for (const [feed, sentence] of [
    [Buffer.from('{"kind":"club","slug":"a","name":"A"}\n'), /^The feed has no event: add a tournament\./m],
    [
      Buffer.from(lines.replace('"name":"', '"name":"M\xFCller '), 'latin1'),
      /^feed\.ndjson:\d+: expected UTF-8/m,
    ],
  ] as const) {
    await writeFile(file('feed.ndjson'), feed);
    await preview.untilSaid(sentence);
    await preview.untilSaid(/^The page stays as it was\.$/m);
    assert.equal((await pageOf(second)).status, 200);
  }
  // The file begins with the mark that some editors put before UTF-8.
  await writeFile(file('feed.ndjson'), `\uFEFF${lines}`);
  await preview.untilSaid(/^ {2}(http:\S+)$/m);
  assert.equal((await pageOf(first)).status, 200);
  assert.equal((await pageOf(second)).status, 404);
  await preview.end();
});

test('killed, it takes its PostgreSQL along', async () => {
  for (const moment of [/Starting/, /http:/]) {
    const preview = await start(...sheets);
    await preview.untilSaid(moment);
    preview.kill();
    await eventually(nothingIsLeft);
  }
});

test('a file that is not there, a wrong setting and a wrong folder end it before anything starts', async () => {
  const language = await wartable(['preview', ...sheets.map(file)], { SITE_LANGUAGE: 'xx' });
  assert.deepEqual([language.code, language.stdout], [2, '']);
  assert.match(language.stderr, /^wartable: SITE_LANGUAGE /m);
  for (const wrong of ['event.csv', 'event.csv/page']) {
    const saved = await save(wrong, ...sheets.map(file));
    const sentence = `wartable: Nothing can be written into the folder ${file(wrong)}: name another folder.\n`;
    assert.deepEqual([saved.code, saved.stdout], [2, '']);
    assert.ok(saved.stderr.endsWith(sentence), saved.stderr);
  }
  const { code, stderr, stdout } = await wartable(['preview', file('none.csv')], {});
  assert.deepEqual([code, stdout], [2, '']);
  assert.match(stderr, /^wartable: There is no file .*none\.csv: check the name\.\n$/);
  const other = await wartable(['preview', folder], {});
  assert.deepEqual(
    [other.code, other.stderr],
    [2, `wartable: ${folder} is a folder: name the files in it.\n`],
  );
});

test('--save writes files that lead to each other and to nothing else', async () => {
  const saved = await save(
    'page',
    ...['event', 'players', 'games'].map((name) => `docs/sheets/${name}.csv`),
    '--new-clubs',
  );
  assert.deepEqual([saved.code, saved.stderr], [0, '']);
  const names = await readdir(file('page'));
  assert.match(
    saved.stdout,
    new RegExp(`^${names.length - 1} files were saved\\. Open .*index\\.html\\.\n$`, 'm'),
  );
  const pages = names.filter((name) => name.endsWith('.html'));
  let leads = 0;
  for (const name of pages) {
    const text = await readFile(file(`page/${name}`), 'utf8');
    assert.doesNotMatch(text, /<script|<form|canonical|og:|ld\+json|localhost|data-tag|href="\//, name);
    assert.match(text, /Saved on <time datetime="[^"]+">/);
    for (const [, address = '', id] of text.matchAll(/ href="([^"#]*)#?([^"]*)"/g)) {
      const target = address === '' ? name : address;
      assert.ok(names.includes(target), `${name} leads to ${address}`);
      if (id)
        assert.match(
          await readFile(file(`page/${target}`), 'utf8'),
          new RegExp(` id="${id}"`),
          `${name} to #${id}`,
        );
      leads += 1;
    }
  }
  assert.ok(leads > 1_000);
  // The name of a club is plain text, because its page is not saved.
  assert.match(
    await readFile(file('page/index.html'), 'utf8'),
    /<span><bdi>Würfelbund Nordtor<\/bdi><\/span>/,
  );
  for (const wanted of [
    'index.stage-knockout.html',
    'rounds.stage-swiss.round-2.by-player.html',
    'participants.by-name.html',
    'standings.stage-swiss.csv',
    'battles.csv',
    'style.css',
  ])
    assert.ok(names.includes(wanted), wanted);
  assert.doesNotMatch(await readFile(file('page/calendar.ics'), 'utf8'), /^URL/m);

  // The pages of a running event do not ask a server either.
  assert.equal((await save('running', ...sheets.map(file))).code, 0);
  for (const name of await readdir(file('running')))
    assert.doesNotMatch(await readFile(file(`running/${name}`), 'utf8'), /data-tag|class="pulse"/, name);

  // A mistake leaves the folder unchanged.
  await writeFile(file('wrong.csv'), 'fact,value\nname,No Cup\n');
  const wrong = await save('page', file('wrong.csv'));
  assert.equal(wrong.code, 1);
  assert.match(wrong.stderr, / status: expected [^]*\nNothing was saved\.\n$/);
  assert.deepEqual(await readdir(file('page')), names);
  await nothingIsLeft();
});

test('--save of a feed with several events needs --tournament, and its players have pages in the folder', async () => {
  const other = JSON.stringify({
    kind: 'tournament',
    slug: 'other-cup',
    name: 'Other Cup',
    status: 'planned',
    published: false,
    battleSize: 1000,
  });
  await writeFile(file('feed.ndjson'), `${exampleFeed().trim()}\n${other}\n`);
  const refused = await save('two', file('feed.ndjson'));
  assert.equal(refused.code, 2);
  const [slug = ''] = /[a-z0-9-]+(?=, other-cup\.)/.exec(refused.stderr) ?? [];
  assert.match(
    refused.stderr,
    /^wartable: The feed has several events: choose one with --tournament: .*, other-cup\.\n$/,
  );
  assert.equal((await save('two', file('feed.ndjson'), '--tournament', 'none')).code, 2);
  assert.equal((await save('two', file('feed.ndjson'), '--tournament', 'other-cup')).code, 0);
  const few = await readdir(file('two'));
  // Saving another event into the same folder removes the files that belong only to the first.
  assert.equal((await save('two', file('feed.ndjson'), '--tournament', slug)).code, 0);
  const page = await readFile(file('two/index.html'), 'utf8');
  assert.doesNotMatch(page, /Other Cup/);
  const files = await readdir(file('two'));
  const people = [...page.matchAll(/class="name" href="([^"]*)"/g)].map(([, to = '']) => to);
  assert.ok(people.length > 0 && people.every((to) => to.startsWith('players-') && files.includes(to)), page);
  assert.ok(files.length > few.length);
  assert.deepEqual(
    files.filter((name) => /entry-|player-/.test(name)),
    [],
  );
});

async function save(to: string, ...args: string[]) {
  return wartable(['preview', '--save', file(to), ...args], { TMPDIR: await temporaryFolder(folder) });
}
