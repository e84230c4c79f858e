import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compareText, sortKey } from './fold.ts';

const folded: [name: string, key: string][] = [
  ['Łukasz Żak', 'lukasz zak'],
  ['Bjørn Straße', 'bjorn strasse'],
  ['STRAẞE', 'strasse'],
  ['Ægir Þór Đoković Œuvre', 'aegir thor dokovic oeuvre'],
  ['Işıl İnan', 'isil inan'],
  ['José', 'jose'],
  ['Jose\u0301', 'jose'],
  ['  two \t words\u00a0here\n', 'two words here'],
  ['ΟΔΥΣΣΕΥΣ', 'οδυσσευσ'],
  ['Ａｄａ', 'ada'],
  ['zero\u200bwidth', 'zerowidth'],
  ['नितिन', 'नितिन'],
  ['李明', '李明'],
];
for (const [name, key] of folded) {
  test(`${JSON.stringify(name)} is sorted as ${JSON.stringify(key)}`, () => assert.equal(sortKey(name), key));
}

test('a key is short enough for an index, for any name', () => {
  assert.ok(Buffer.byteLength(sortKey('\ufdfa'.repeat(200))) < 1000);
  assert.ok(sortKey(`${'a'.repeat(249)}😀`).isWellFormed());
});

test('the key of a key is the same key, at any length', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      (name) => sortKey(sortKey(name)) === sortKey(name),
    ),
  );
});

test('text is compared as its UTF-8 bytes are', () => {
  const text = fc.string({ unit: 'binary', maxLength: 4 });
  fc.assert(
    fc.property(text, text, (a, b) => {
      assert.equal(Math.sign(compareText(a, b)), Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
  );
  assert.ok(compareText('\u{1f600}', '\uffee') > 0, 'beyond the first plane comes last');
});
