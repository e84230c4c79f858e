import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { ForeignFormat, withoutForeign } from './foreign-format.ts';

const record = '{"kind":"club","slug":"a","name":"A"}';

/**
 * Returns what the reader says about the bytes, in chunks of the given size, or the text that it passes on.
 */
async function judged(bytes: Buffer | string, file = 'season', size = 100_000): Promise<string> {
  const all = Buffer.from(bytes);
  async function* chunks(): AsyncGenerator<Buffer> {
    for (let at = 0; at < all.length; at += size) yield all.subarray(at, at + size);
  }
  const passed: Buffer[] = [];
  try {
    for await (const chunk of withoutForeign(file, chunks())) passed.push(chunk);
  } catch (error) {
    assert.ok(error instanceof ForeignFormat);
    assert.equal(passed.length, 0);
    return error.message;
  }
  assert.deepEqual(Buffer.concat(passed), all);
  return 'passed on';
}

test('what is not a feed is named with what to do, however small the chunks', async () => {
  const array = "season is a JSON array, not a feed: run `jq -c '.[]' season | wartable import -`.";
  const table =
    'season is a table (CSV), not a feed: `wartable convert` makes a feed of the sheets of an event, as docs/organisers.md shows.';
  const cases: [Buffer | string, string][] = [
    [gzipSync(record), 'season is gzip, not a feed: run `gunzip -c season | wartable import -`.'],
    [
      Buffer.from([0x50, 0x4b, 3, 4, 20, 0]),
      'season is a zip archive, not a feed: run `unzip -p season | wartable import -`.',
    ],
    [`[${record}]`, array],
    [`\ufeff\r\n [\n  ${record}\n]\n`, array],
    ['[]', array],
    [
      JSON.stringify(JSON.parse(record), null, 2),
      'season is JSON with one record on several lines, not a feed: run `jq -c . season | wartable import -`.',
    ],
    ['slug,name,city\ntidewatch,Tidewatch Gamers,Brest\n', table],
    ['"slug";"name"\r\n"a";"A"\r\n', table],
    ['\ufeffslug\tname\na\tA', table],
  ];
  for (const [bytes, message] of cases) {
    assert.equal(await judged(bytes), message);
    assert.equal(await judged(bytes, 'season', 1), message);
  }
});

test('a spreadsheet is told from another zip archive, in a pipe, too', async () => {
  const sheet =
    'season is a spreadsheet: save it as CSV, then `wartable convert` makes a feed of the sheets of an event, as docs/organisers.md shows.';
  const archive = 'season is a zip archive, not a feed: run `unzip -p season | wartable import -`.';
  const cases: [Buffer, string][] = [
    [zip(['[Content_Types].xml', '<Types/>'], ['xl/workbook.xml', '<workbook/>']), sheet],
    [zip(['_rels/.rels', ''], ['xl/workbook.xml', '']), sheet],
    [zip(['docProps/app.xml', ''], ['xl/worksheets/sheet1.xml', '']), sheet],
    [zip(['xl/drawings/drawing1.xml', '']), sheet],
    [zip(['mimetype', 'application/vnd.oasis.opendocument.spreadsheet']), sheet],
    [zip(['mimetype', 'application/epub+zip']), archive],
    [zip(['[Content_Types].xml', ''], ['word/document.xml', '']), archive],
    [zip(['season.ndjson', record]), archive],
  ];
  for (const [bytes, message] of cases) {
    for (const size of [100_000, 1]) assert.equal(await judged(bytes, 'season', size), message);
  }
});

/** Returns the beginning of an archive as zip writes it: stored files, each behind its local header. */
function zip(...files: [name: string, text: string][]): Buffer {
  return Buffer.concat(
    files.map(([name, text]) => {
      const header = Buffer.alloc(30);
      header.write('PK\u0003\u0004\n', 'latin1'); // \n is the version that stored files need
      header.writeUInt32LE(text.length, 18);
      header.writeUInt16LE(name.length, 26);
      return Buffer.concat([header, Buffer.from(name + text)]);
    }),
  );
}

test('the advice fits standard input and quotes a file name', async () => {
  assert.equal(
    await judged('[]', '-'),
    "standard input is a JSON array, not a feed: run `… | jq -c '.[]' | wartable import -`.",
  );
  assert.match(await judged(Buffer.from('PK\u0003\u0004'), '-'), /run `… \| funzip \| wartable import -`\.$/);
  assert.match(await judged('[]', "Bob's season.json"), /`jq -c '\.\[\]' 'Bob'\\''s season\.json' \|/);
});

test('a feed, an empty file, and lines that are only wrong are passed on as they are', async () => {
  const passed = [
    '',
    '\n',
    '\ufeff',
    '\u0000',
    '\u0000\u0000',
    record,
    `\ufeff${record}\r\n`,
    `\n\n ${record}\n`,
    `${record}\n[]\n`,
    `{"kind":"club","slug":"a","description":"${'a,b;'.repeat(5000)}"}\n`,
    'nonsense\n',
    'nonsense, and more of it\n',
    'null',
  ];
  for (const bytes of passed) {
    for (const size of [100_000, 1]) assert.equal(await judged(bytes, 'season', size), 'passed on', bytes);
  }
  assert.equal(await judged(`slug,name\n${record}\n`), 'passed on');
});
