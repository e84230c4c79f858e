import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { convert } from '../../src/convert/convert.ts';

// Sheets with many mistakes at once, as we imagine them. Each folder contains the original sheets and those
// after each round of corrections, with the messages that a person sees. Two rounds are enough.

const root = path.join(import.meta.dirname, 'messy');

for (const name of globSync('*', { cwd: root }).toSorted()) {
  test(`${name}: all mistakes in one pass, and at most two rounds of corrections`, () => {
    const rounds = globSync('*', { cwd: path.join(root, name) }).toSorted();
    assert.ok(rounds.length <= 3);
    for (const round of rounds) {
      const folder = path.join(root, name, round);
      const files = globSync('*.csv', { cwd: folder }).toSorted();
      const { feed, notes, refusals } = convert(
        files.map((file) => ({ name: file, bytes: readFileSync(path.join(folder, file)) })),
        { recorded: [], clubs: { known: [], newClubs: true } },
      );
      const messages = [...notes.map((note) => `note: ${note}`), ...refusals].map((line) => `${line}\n`);
      assert.equal(messages.join(''), readFileSync(path.join(folder, 'messages.txt'), 'utf8'), round);
      assert.equal(feed !== undefined, round === rounds.at(-1), round);
    }
  });
}
