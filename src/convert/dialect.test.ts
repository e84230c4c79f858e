import assert from 'node:assert/strict';
import { test } from 'node:test';
import { convert } from './convert.ts';
import { encodingOf, textOf } from './dialect.ts';

/** Polish letters and their bytes in Windows-1250. */
const polish: Record<string, number> = {
  Ł: 0xa3,
  Ż: 0xaf,
  ł: 0xb3,
  ą: 0xb9,
  ż: 0xbf,
  ó: 0xf3,
  ń: 0xf1,
  ś: 0x9c,
  ź: 0x9f,
  ę: 0xea,
  ć: 0xe6,
  Ą: 0xa5,
  Ź: 0x8f,
};
const windows1250 = (text: string): Buffer =>
  Buffer.from(Array.from(text, (letter) => polish[letter] ?? letter.charCodeAt(0)));

test('eight-bit text is Windows-1250 where its signs would stand inside words', () => {
  for (const name of ['Łukasz', 'Żółkiewski', 'Paweł', 'Wąs', 'Każmierczak', 'Koźmiński', 'Źrebak']) {
    const bytes = windows1250(`no,name\n1,${name}\n`);
    assert.equal(encodingOf(bytes), 'windows-1250', name);
    assert.equal(textOf(bytes), `no,name\n1,${name}\n`);
  }
  for (const name of [
    'José ½',
    'fee £20',
    '12 m³',
    'Müller',
    '¿Quién?',
    'Mª José',
    'Cœur',
    '3º Peña',
    'A¹',
  ]) {
    const bytes = Buffer.from(name.replace('œ', '\u009c'), 'latin1');
    assert.equal(encodingOf(bytes), 'windows-1252', name);
    assert.equal(textOf(bytes), name);
  }
});

test('a mark or the caller says the encoding; otherwise it is UTF-8 where the bytes fit', () => {
  assert.equal(encodingOf(Buffer.from('Łukasz')), 'utf-8');
  assert.equal(encodingOf(Buffer.from('\ufeffŁukasz'), 'windows-1250'), 'utf-8');
  assert.equal(encodingOf(Buffer.from('\ufeffŁukasz', 'utf16le'), 'windows-1250'), 'utf-16le');
  assert.equal(textOf(windows1250('Wiśniewski'), 'windows-1250'), 'Wiśniewski');
  assert.throws(() => textOf(windows1250('Łukasz'), 'utf-8'), /expected text in utf-8, found other bytes/);
});

test('the sheets of an event have one encoding, and a note says which was used', () => {
  const sheets = {
    event: 'slug,cup\nname,Cup\nstatus,ongoing\npublished,no\nsize,2000\nscoring,3/1/0\n',
    players: 'no,name\n1,Łukasz Wiśniewski\n2,Ewa Nowak\n',
    // Only the players sheet makes it clear which letter this is.
    games: 'round,player 1,player 2,scenario,result\n1,2,1,Wieś,1\n',
  };
  const files = Object.entries(sheets).map(([name, text]) => ({
    name: `${name}.csv`,
    bytes: windows1250(text),
  }));
  const { feed = '', notes, refusals } = convert(files);
  assert.deepEqual(refusals, []);
  assert.match(feed, /Łukasz Wiśniewski/);
  assert.match(feed, /"scenario":"Wieś"/);
  assert.deepEqual(notes, [
    'players.csv: not UTF-8, so it was read as windows-1250: if letters are wrong, save it as UTF-8 or see --encoding',
    'games.csv: not UTF-8, so it was read as windows-1250: if letters are wrong, save it as UTF-8 or see --encoding',
  ]);
  const given = convert(files, { encoding: 'windows-1252' });
  assert.match(given.feed ?? '', /£ukasz Wiœniewski/);
  assert.deepEqual(given.notes, []);
});
