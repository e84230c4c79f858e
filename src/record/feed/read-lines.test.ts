import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readLines } from './read-lines.ts';

async function linesOf(...chunks: (string | Buffer)[]): Promise<string[]> {
  async function* given(): AsyncGenerator<Buffer> {
    for (const chunk of chunks) yield Buffer.from(chunk);
  }
  const lines: string[] = [];
  for await (const group of readLines(given())) {
    for (const { number, offset, bytes } of group) lines.push(`${number} ${offset} ${bytes?.toString()}`);
  }
  return lines;
}

test('lines end in LF or CR LF; the bytes of both count', async () => {
  assert.deepEqual(await linesOf('a\r\n\r\nb\nc\r', '\nd\r'), ['1 3 a', '2 5 ', '3 7 b', '4 10 c', '5 12 d']);
  assert.deepEqual(await linesOf('a\rb\r\n'), ['1 5 a\rb']);
});

test('a byte order mark is dropped at the start of the input only', async () => {
  assert.deepEqual(await linesOf('\ufeffa\n\ufeffb\n'), ['1 5 a', '2 10 \ufeffb']);
  assert.deepEqual(await linesOf(Buffer.from([0xef]), Buffer.from([0xbb]), Buffer.from([0xbf, 0x61])), [
    '1 4 a',
  ]);
  assert.deepEqual(await linesOf('\ufeff\r\na'), ['1 5 ', '2 6 a']);
});

test('an empty input has no lines', async () => {
  assert.deepEqual(await linesOf(), []);
  assert.deepEqual(await linesOf(''), []);
});
