import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { test } from 'node:test';

const folder = new URL('../../docs/design/', import.meta.url);

test('the index of design notes lists every note once, in order, under its own title', async () => {
  const pages = (await readdir(folder)).filter((name) => name !== 'README.md').toSorted();
  const expected: string[] = [];
  for (const page of pages) {
    const title = /^# (.*)$/m.exec(await readFile(new URL(page, folder), 'utf8'))?.[1];
    expected.push(`- [${title}](${page})`);
  }
  const index = await readFile(new URL('README.md', folder), 'utf8');
  assert.deepEqual(
    index.split('\n').filter((line) => line.startsWith('- ')),
    expected,
  );
});
