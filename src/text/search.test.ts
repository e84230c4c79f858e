import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { searchTexts, searchWords } from './search.ts';

const finds = (query: string, name: string): boolean => {
  const words = searchWords(query);
  return words !== null && words.every((word) => searchTexts(name).some((text) => text.startsWith(word)));
};

const found: [query: string, name: string][] = [
  ['ibaneta', 'Roncesvalles Ibañeta'],
  ['IBAÑ', 'Roncesvalles Ibañeta'],
  ['o brien', "Sinéad O'Brien"],
  ["O'Br", 'Sinéad O’Brien'],
  ['o’brien', 'Oʼbrien'],
  ['brien sin', "Sinéad O'Brien"],
  ['por 2026', 'Porto das Garças Masters 2026'],
  ['barrio nunez', 'Núñez García del Barrio'],
  ['lukasz', 'Żak, Łukasz'],
  ['saint denis', 'Club de Saint-Denis'],
  ['2026', 'Tidewatch Open (2026)'],
  ['李', '李明'],
  ['ガーディアン', '東京・ガーディアンズ'],
  ['ガ', '東京・ガーディアンズ'],
  ['각', '각하'],
  ['שלום', 'שָׁלוֹם כהן'],
  ['כהן', 'שלום כהן'],
  ['สม', 'สมชาย'],
  ['नि', 'नितिन'],
  ['٣٤', 'نادي ٣٤'],
  ['🎲🎲', '🎲🎲'],
  ['***', '***'],
  ['dice club', 'Dice 🎲 Club'],
];
for (const [query, name] of found) test(`${query} finds ${name}`, () => assert.ok(finds(query, name)));

const missed: [query: string, name: string][] = [
  ['', 'Anything'],
  ['a', 'Anything'],
  ['-', '- - -'],
  ['thing', 'Anything'],
  ['明', '李明'],
  ['anna lopez', 'Lopez'],
];
for (const [query, name] of missed)
  test(`${query} does not find ${name}`, () => assert.ok(!finds(query, name)));

test('a name has one text per word, at most sixteen, each once', () => {
  assert.deepEqual(searchTexts('Ann  van der-Berg'), [
    'ann van der berg',
    'van der berg ann',
    'der berg ann van',
    'berg ann van der',
  ]);
  assert.deepEqual(searchTexts('Duran Duran'), ['duran duran']);
  assert.equal(searchTexts('a b c d e f g h i j k l m n o p q r').length, 16);
});

test('any name is found by its own beginning, and its texts are short and well formed', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }), (name) => {
      const texts = searchTexts(name);
      for (const text of texts) assert.ok(text.isWellFormed() && Buffer.byteLength(text) <= 480, text);
      const words = searchWords(name) ?? [];
      assert.ok(words.every((word) => texts.some((text) => text.startsWith(word))));
    }),
  );
});
