// Recognizes files that are not a feed by their first bytes, and says how to turn them into one. Otherwise a
// season as one JSON array would be refused line by line.
import { open, stat } from 'node:fs/promises';
import { startsWithMark } from './feed/read-lines.ts';
import { shellWord } from '../text/shell.ts';

/** Says in one sentence what was found and what to do. */
export class ForeignFormat extends Error {}

const sampleBytes = 4096;

/** Throws ForeignFormat for the first file that is not a feed. Pipes are checked when they are read. */
export async function refuseForeignFiles(files: string[]): Promise<void> {
  for (const file of files) {
    if (file === '-' || !(await stat(file)).isFile()) continue;
    const handle = await open(file);
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(sampleBytes), 0, sampleBytes, 0);
      refuseForeign(file, buffer.subarray(0, bytesRead));
    } finally {
      await handle.close();
    }
  }
}

/**
 * Passes the chunks of `file` on (`-` is standard input). Throws ForeignFormat before the first chunk if it
 * is not a feed.
 */
export async function* withoutForeign(file: string, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of chunks) {
    if (!held) {
      yield chunk;
      continue;
    }
    // The first chunk of a pipe can be one byte. A line is not complete before its end, so waiting costs
    // nothing. A zip archive has no lines, and its first bytes do not say what is in it.
    held = Buffer.concat([held, chunk]);
    if (held.length < sampleBytes && (isZip(held) || !textOf(held).includes('\n'))) continue;
    refuseForeign(file, held);
    yield held;
    held = undefined;
  }
  if (!held) return;
  refuseForeign(file, held);
  yield held;
}

function refuseForeign(file: string, start: Buffer): void {
  const format = formats.find(({ fits }) => fits(start));
  if (!format) return;
  const { what, command, piped = command } = format;
  const [name, feed] =
    file === '-' ? ['standard input', `… | ${piped}`] : [file, `${command} ${shellWord(file)}`];
  const sheets = '`wartable convert` makes a feed of the sheets of an event, as docs/organisers.md shows';
  if (isSpreadsheet(start))
    throw new ForeignFormat(`${name} is a spreadsheet: save it as CSV, then ${sheets}.`);
  const advice = command === undefined ? sheets : `run \`${feed} | wartable import -\``;
  throw new ForeignFormat(`${name} is ${what}, not a feed: ${advice}.`);
}

interface Format {
  what: string;
  fits: (start: Buffer) => boolean;
  /**
   * A command that writes the file named after it as a feed. A table has none, because a tournament needs
   * several of them.
   */
  command?: string;
  /** The same command for standard input, if it differs. */
  piped?: string;
}

const formats: Format[] = [
  { what: 'gzip', fits: begins(0x1f, 0x8b), command: 'gunzip -c' },
  { what: 'a zip archive', fits: isZip, command: 'unzip -p', piped: 'funzip' },
  { what: 'a JSON array', fits: (start) => textOf(start).startsWith('['), command: "jq -c '.[]'" },
  {
    what: 'JSON with one record on several lines',
    fits: (start) => /^\{\s*\n/.test(textOf(start)),
    command: 'jq -c .',
  },
  { what: 'a table (CSV)', fits: (start) => isTable(textOf(start)) },
];

function begins(...bytes: number[]): (start: Buffer) => boolean {
  return (start) => bytes.every((byte, index) => start[index] === byte);
}

function isZip(start: Buffer): boolean {
  return begins(0x50, 0x4b, 0x03, 0x04)(start);
}

/** Returns true for a zip archive whose first file has a name as in xlsx, or that says it is ods. */
function isSpreadsheet(start: Buffer): boolean {
  if (!isZip(start) || start.length < 30) return false;
  const name = start.toString('latin1', 30, 30 + start.readUInt16LE(26));
  const sample = start.toString('latin1');
  if (name === 'mimetype') return sample.includes('application/vnd.oasis.opendocument.spreadsheet');
  // Word and PowerPoint begin with the same names.
  return /^(?:\[Content_Types\]\.xml|_rels\/|docProps\/|xl\/)/.test(name) && !/(?:word|ppt)\//.test(sample);
}

const textOf = (start: Buffer): string =>
  start
    .subarray(startsWithMark(start) ? 3 : 0, sampleBytes)
    .toString('utf8')
    .trimStart();

/**
 * Requires a first line of several fields without spaces after the separators, because a message before a
 * feed is not a table.
 */
function isTable(text: string): boolean {
  const [first = '', second = ''] = text.split(/\r?\n/, 2);
  return /^[^\s{}[\],;][^{}[\],;\t]*(?:[,;\t](?! )[^{}[\],;\t]*)+$/.test(first) && !/^\s*\{/.test(second);
}
