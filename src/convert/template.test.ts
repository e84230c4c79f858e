import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Language } from '../text/languages.ts';
import { languages } from '../text/languages.ts';
import { convert } from './convert.ts';
import { textRows } from './dialect.ts';
import { template } from './template.ts';

// What Excel makes of the template when somebody opens its files and saves them. Excel itself does not run
// here. These rules are those of its documentation and of the files in test/convert/dialects.

/** How Excel writes dates in a language. It recognises a date like 2026-11-05 in each of them. */
const dates: Record<Language, string> = {
  en: 'M/D/Y',
  de: 'D.M.Y',
  fr: 'D/M/Y',
  es: 'D/M/Y',
  it: 'D/M/Y',
  pl: 'D.M.Y',
};
// In English, only this day has one reading, and --dates decides about others.
const dayIn = (language: Language): string => (language === 'en' ? '2026-11-14' : '2026-11-05');

type Sheets = Record<string, string>;
const feedOf = (sheets: Sheets | Record<string, Uint8Array>, ...notes: RegExp[]): string => {
  const files = Object.entries(sheets).map(([name, content]) => ({ name, bytes: Buffer.from(content) }));
  const converted = convert(files, { event: { slug: 'cup' } });
  assert.deepEqual(converted.refusals, []);
  assert.equal(converted.notes.length, notes.length, converted.notes.join('\n'));
  for (const [at, note] of notes.entries()) assert.match(converted.notes[at] ?? '', note);
  return converted.feed ?? '';
};

/** Opens a sheet whose columns this Excel separates at `opened`, and saves it with `saved`. */
function throughExcel(sheet: string, language: Language, opened: string, saved = opened): string {
  const text = sheet.replace(/^\uFEFF/, '');
  const rows = textRows(text, opened).map(({ cells }) => cells);
  const width = Math.max(...rows.map((cells) => cells.length));
  const written = (cell: string): string => {
    const [, year = '', month = '', day = ''] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(cell) ?? [];
    const date = (dates[language] ?? '').replace('D', day).replace('M', month).replace('Y', year);
    const shown = year === '' ? cell : date;
    return /[",;\n]/.test(shown) && width === 1 ? `"${shown.replaceAll('"', '""')}"` : shown;
  };
  return rows
    .map((cells) => Array.from({ length: width }, (_, at) => written(cells[at] ?? '')).join(saved))
    .map((line) => `${line}\r\n`)
    .join('');
}

const mapped = <Value>(sheets: Sheets, change: (text: string) => Value): Record<string, Value> =>
  Object.fromEntries(Object.entries(sheets).map(([name, text]) => [name, change(text)]));

/** The letters of the template beyond ASCII, in the encoding that Excel uses for a CSV file without UTF-8. */
function inWindowsEncoding(text: string, encoding: string): Uint8Array {
  const decoder = new TextDecoder(encoding);
  const bytes = Array.from(
    { length: 256 },
    (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte] as const,
  );
  const byLetter = new Map(bytes);
  return Uint8Array.from(text, (letter) => byLetter.get(letter) ?? assert.fail(letter));
}

for (const language of languages) {
  const day = dayIn(language);
  const separator = language === 'en' ? ',' : ';';
  const own = template(day, language);
  const wanted = feedOf(template(day));

  test(`the template in "${language}" says the same as in English, and Excel shows its columns`, () => {
    assert.equal(feedOf(own), wanted);
    for (const text of Object.values(own)) {
      assert.equal(text.startsWith('\uFEFF'), language !== 'en');
      assert.ok(text.split('\n')[0]?.includes(separator), text);
      assert.ok(!text.includes(separator === ',' ? ';' : ','), text);
    }
    // The headers and words are those of the language.
    if (language !== 'en')
      assert.notDeepEqual(
        mapped(own, (text) => text.replaceAll(';', ',').slice(1)),
        template(day),
      );
  });

  test(`what Excel in "${language}" makes of it is the same feed, in each encoding`, () => {
    const saved = mapped(own, (text) => throughExcel(text, language, separator));
    assert.match(saved['event.csv'] ?? '', /\d{2}[./]\d{2}[./]2026/, 'Excel changes the dates');
    assert.equal(feedOf(mapped(saved, (text) => `\uFEFF${text}`)), wanted);
    const encoding = language === 'pl' ? 'windows-1250' : 'windows-1252';
    const isAscii = (text: string) => /^\p{ASCII}*$/u.test(text);
    const notes = Object.values(saved)
      .filter((text) => !isAscii(text))
      .map(() => new RegExp(encoding));
    assert.equal(
      feedOf(
        mapped(saved, (text) => inWindowsEncoding(text, encoding)),
        ...notes,
      ),
      wanted,
    );
  });

  test(`the template in "${language}" survives an Excel that shows it in one column`, () => {
    const other = separator === ',' ? ';' : ',';
    for (const saved of [',', ';', '\t']) {
      const sheets = mapped(own, (text) => throughExcel(text, language, other, saved));
      assert.match(sheets['games.csv'] ?? '', /^"[^"]+"\r\n/);
      assert.equal(feedOf(sheets), wanted);
      assert.equal(feedOf(mapped(sheets, (text) => `sep=${saved}\r\n${text}`)), wanted);
    }
    assert.equal(feedOf(mapped(own, (text) => `sep=${separator}\r\n${text.replace(/^\uFEFF/, '')}`)), wanted);
  });
}

test('a mistake in a file of one column keeps its line, and one column of names stays one', () => {
  const { refusals } = convert(
    [{ name: 'event.csv', bytes: Buffer.from('"slug,a"\r\n\r\n"name,B"\r\n"status,soon"\r\n"size,1"\r\n') }],
    { isAlone: true },
  );
  assert.equal(refusals[0], 'event.csv:4: status: expected planned, ongoing or finished, found "soon"');
  const roster = [
    { name: 'event.csv', bytes: Buffer.from('name,B\nstatus,planned\nsize,1\n') },
    { name: 'players.csv', bytes: Buffer.from('name\n"Vas, Dora"\n"Berg, Ole"\n') },
  ];
  assert.match(convert(roster, { isAlone: true }).feed ?? '', /"name":"Vas, Dora"/);
});

test('the day comes first where all headers are in one language that writes it so, and only there', () => {
  const sheets = (header: string) => [
    {
      name: 'event.csv',
      bytes: Buffer.from(`nom;Cup\nstatut;en cours\ntaille;2000\n${header};05/11/2026\n`),
    },
  ];
  const refused = (header: string) =>
    convert(sheets(header), { isAlone: true }).refusals.filter((each) => each.includes('one reading'));
  assert.deepEqual(refused('début'), []);
  assert.equal(refused('start').length, 1);
});
