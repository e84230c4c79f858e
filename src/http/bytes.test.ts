import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linesToList, ownBytes } from './bytes.ts';

test('texts of every kind and size become the bytes of their join, in a buffer of their own', () => {
  for (const letter of ['a', 'ü', 'Ł', '漢', '🎲']) {
    for (const length of [0, 1, 1_000, 90_000, 300_000]) {
      const texts = ['{"data":[', letter.repeat(length), ']}'];
      const bytes = ownBytes(...texts);
      assert.ok(bytes.equals(Buffer.from(texts.join(''))), `${letter} × ${length}`);
      assert.equal(bytes.buffer.byteLength, bytes.length);
    }
  }
  const [one, two] = [ownBytes('one'), ownBytes('two')];
  assert.equal(one.toString() + two.toString(), 'onetwo');
});

test('lines become a list', () => {
  assert.equal(linesToList(ownBytes('[', '"Ċ"\n{}\n1', ']')).toString(), '["Ċ",{},1]');
});
