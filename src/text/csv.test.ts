import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvLine } from './csv.ts';

test('no cell is a formula for a spreadsheet that splits at ; and reads two quotation marks as empty', () => {
  const columns = [0, 1].map((at) => ({ header: '', cell: (row: string[]) => row[at] }));
  for (const text of ['a;=1', 'a\n=1', 'a;"=1', 'a\r\n"=1', 'a\n"""+1', 'a\n""\t=1', '"=1', '"-1"']) {
    const line = csvLine(columns, ['first', text]);
    for (const delimiter of [';', '\t'])
      for (const cell of line.split(/[\r\n]/).flatMap((row) => row.split(delimiter)))
        assert.doesNotMatch(cell, /^"*[=+@-]/, JSON.stringify(text));
  }
});
