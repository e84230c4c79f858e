import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NamePattern } from './name-pattern.ts';

const cases: [name: string, text: string, without: string][] = [
  ['Ana Quiroga', 'Thanks to ana  QUIROGA, and Ana\nQuiroga!', 'Thanks to [removed], and [removed]!'],
  ['Ana Quiroga', 'Ana Quirogas, Banana Quiroga, Ana, Quiroga', 'Ana Quirogas, Banana Quiroga, Ana, Quiroga'],
  ['Zoë Ł', 'ZOË Ł; Zoe\u0308 ł; Zoe Ł; Zoé Ł', '[removed]; [removed]; [removed]; Zoé Ł'],
  ['Zoe\u0308', 'Zoë; Zoe\u0308x; Zoe\u0308\u0301', '[removed]; Zoe\u0308x; Zoe\u0308\u0301'],
  ['Jo (Ace) "O\'Neil" \\o/ a.b*', 'x Jo (Ace) "O\'Neil" \\o/ a.b* x', 'x [removed] x'],
  ['J.R', 'JxR J.R', 'JxR [removed]'],
  ['1-a', '1-a 1-ab', '[removed] 1-ab'],
  ['田中太郎', '田中太郎さんと田中', '[removed]さんと田中'],
  ['Straße', 'STRASSE straße Strasse', '[removed] [removed] [removed]'],
  ['Łukasz Bjørn', 'lukasz bjorn, LUKASZ BJØRN, Łukasz Björn', '[removed], [removed], Łukasz Björn'],
  ['Þór Æsir', 'Thor Aesir, THOR AESIR', '[removed], [removed]'],
  ['ΓΙΩΡΓΟΣ', 'Γιωργος', '[removed]'],
  ["Sinéad O'Brien", 'Sinead O’Brien, Sinéad Oʼbrien', '[removed], [removed]'],
];

for (const [name, text, without] of cases) {
  test(`${name} in ${JSON.stringify(text)}`, () => {
    assert.equal(new NamePattern(name).without(text), without);
  });
}

test('texts inside arrays, objects and JSON are found, and so are their keys', () => {
  const pattern = new NamePattern('Jo "Ace" X');
  for (const value of [{ a: ['b', { c: 'jo "ace" x' }] }, { a: { 'Beat Jo "Ace" X': 1 } }]) {
    assert.ok(pattern.isIn(value));
    assert.ok(pattern.isIn(JSON.stringify(value)));
  }
  assert.ok(!pattern.isIn({ a: 1, b: null, c: true }));
});

test('a name after a line break is found in JSON, too', () => {
  for (const text of ['by\nAl', 'by\u0001Al', 'by\tAl\n']) {
    assert.ok(new NamePattern('Al').isIn(JSON.stringify({ text })), text);
  }
});

test('the name of a guest is the whole name', () => {
  const pattern = new NamePattern(' ana  quiroga ');
  assert.deepEqual(
    ['Ana Quiroga', ' ANA\u00a0QUIROGA', 'Ana Quiroga II', 'Quiroga'].map((name) => pattern.is(name)),
    [true, true, false, false],
  );
});
