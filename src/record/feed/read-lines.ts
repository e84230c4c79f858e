// Splits bytes into lines that end in LF or CR LF. It holds at most one line and one chunk, and drops the
// bytes of a line that is too long. It drops a byte order mark at the start of the input.

/** A file, a pipe or a connection. */
export interface FeedInput {
  name: string;
  chunks: AsyncIterable<Buffer>;
  /**
   * True if the input is interactive or comes during a tournament, so that the import does not wait until a
   * batch is full.
   */
  live?: boolean;
}

export interface Line {
  number: number;
  /** The line without its end. Absent if the line is longer than the limit. */
  bytes?: Buffer;
  /** Set if the file ends here without a line feed. */
  last?: boolean;
  /** Number of bytes of the input up to the end of this line. */
  offset: number;
}

export const longestLine = 64 * 1024 * 1024;

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** Yields the lines of a chunk together, because one await per line would cost more than reading it. */
export async function* readLines(
  chunks: AsyncIterable<Buffer>,
  longest = longestLine,
): AsyncGenerator<Line[]> {
  let number = 0;
  let offset = 0;
  let pieces: Buffer[] = [];
  let length = 0;
  const finish = (end: Buffer): Line => {
    number++;
    length += end.length;
    const line: Line = { number, offset };
    if (length <= longest) {
      const bytes = pieces.length === 0 ? end : Buffer.concat([...pieces, end]);
      const start = number === 1 && startsWithMark(bytes) ? 3 : 0;
      line.bytes = bytes.subarray(start, bytes.at(-1) === carriageReturn ? -1 : undefined);
    }
    pieces = [];
    length = 0;
    return line;
  };
  for await (const chunk of chunks) {
    const lines: Line[] = [];
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(lineFeed, start);
      if (end < 0) break;
      offset += end + 1 - start;
      lines.push(finish(chunk.subarray(start, end)));
      start = end + 1;
    }
    const rest = chunk.subarray(start);
    offset += rest.length;
    length += rest.length;
    if (length > longest) pieces = [];
    else if (rest.length > 0) pieces.push(rest);
    // `length` also counts dropped bytes. finish() adds only the end of the line.
    if (lines.length > 0) yield lines;
  }
  if (length > 0) yield [{ ...finish(Buffer.alloc(0)), last: true }];
}

/** Returns true if the bytes begin with the byte order mark of UTF-8. */
export const startsWithMark = (bytes: Buffer): boolean =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
