import assert from 'node:assert/strict';
import { lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { writeFolder } from './write-folder.ts';

const parent = await mkdtemp(path.join(tmpdir(), 'wartable-folder-'));
after(() => rm(parent, { recursive: true }));
let folder = '';
let count = 0;
beforeEach(() => {
  count += 1;
  folder = path.join(parent, String(count), 'page');
});
const list = 'wartable-files.txt';
const write = async (...names: string[]) => {
  await mkdir(folder, { recursive: true });
  await writeFolder(folder, new Map(names.map((name) => [name, `the ${name}`])));
};
const names = async () => (await readdir(folder)).toSorted();

test('files of before go, files of others stay', async () => {
  await write('index.html', 'old.html');
  await writeFile(path.join(folder, 'photo.jpg'), 'a photo');
  await write('index.html', 'new.html');
  assert.deepEqual(await names(), ['index.html', 'new.html', 'photo.jpg', list]);
  assert.equal(await readFile(path.join(folder, 'new.html'), 'utf8'), 'the new.html');
});

test('a file of others under a name of ours is not touched, and nothing else is written', async () => {
  await write('old.html');
  await writeFile(path.join(folder, 'index.html'), 'of the club');
  await assert.rejects(
    write('a.html', 'index.html'),
    /index\.html was not written by Wartable: name another folder\./,
  );
  assert.deepEqual(await names(), ['index.html', 'old.html', list]);
  assert.equal(await readFile(path.join(folder, 'index.html'), 'utf8'), 'of the club');
});

test('what a stopped run left goes with the next one', async () => {
  await write('index.html');
  // As if a run had stopped after writing its list, in the middle of a file.
  await writeFile(path.join(folder, list), 'index.html\r\nhalf.html\r\nold.html');
  await writeFile(path.join(folder, 'half.html.part'), '<p>');
  await writeFile(path.join(folder, 'old.html'), 'old');
  await write('index.html');
  assert.deepEqual(await names(), ['index.html', list]);
});

test('a link under the name of a temporary file is replaced, and its target stays', async () => {
  await mkdir(folder, { recursive: true });
  const outside = path.join(folder, '..', 'mine.txt');
  await writeFile(outside, 'mine');
  for (const name of ['index.html', list]) await symlink(outside, path.join(folder, `${name}.part`));
  await write('index.html');
  assert.equal(await readFile(outside, 'utf8'), 'mine');
  assert.deepEqual(await names(), ['index.html', list]);
  for (const name of await names()) assert.ok((await lstat(path.join(folder, name))).isFile(), name);
});

test('a list that somebody edited deletes nothing outside of the folder', async () => {
  await write('index.html');
  const outside = path.join(folder, '..', 'mine.txt');
  await writeFile(outside, 'mine');
  await writeFile(path.join(folder, list), `../mine.txt\n${outside}\n.\n\n`);
  await rm(path.join(folder, 'index.html'));
  await write('index.html');
  assert.equal(await readFile(outside, 'utf8'), 'mine');
});
