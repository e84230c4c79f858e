// Turns the bytes of a file into rows of text. Excel, LibreOffice, Numbers and Google Sheets write different
// encodings, line ends and separators.
import { isUtf8 } from 'node:buffer';
import { CsvError, parse } from 'csv-parse/sync';

export interface TextRow {
  /** The line of the file in which the row begins, from 1. */
  line: number;
  cells: string[];
}

/** Says in one sentence why a file is not a sheet. */
export class NotASheet extends Error {
  readonly line: number | undefined;
  constructor(message: string, line?: number) {
    super(message);
    this.line = line;
  }
}

export const separators = [',', ';', '\t'] as const;

const maxBytes = 16 << 20;

/** Decodes a file. Lines of the result end in LF. */
export function textOf(bytes: Uint8Array, encoding = encodingOf(bytes)): string {
  if (starts(bytes, 0x50, 0x4b, 3, 4) || starts(bytes, 0xd0, 0xcf, 0x11, 0xe0))
    throw new NotASheet('expected a CSV file, found a workbook: save each of its sheets as CSV');
  if (bytes.length > maxBytes) throw new NotASheet('expected at most 16 MB, found more');
  const text = decoded(bytes, encoding);
  if (text.includes('\0')) throw new NotASheet('expected a CSV file, found bytes that are not text');
  return text.replaceAll(/\r\n?/g, '\n');
}

const starts = (bytes: Uint8Array, ...start: number[]): boolean =>
  start.every((byte, index) => bytes[index] === byte);

/**
 * Returns the encoding of a file. A byte order mark decides. Otherwise it is `given`, or UTF-8 if the bytes
 * are valid, or an encoding of Windows.
 */
export function encodingOf(bytes: Uint8Array, given?: string): string {
  if (starts(bytes, 0xff, 0xfe)) return 'utf-16le';
  if (starts(bytes, 0xfe, 0xff)) return 'utf-16be';
  if (starts(bytes, 0xef, 0xbb, 0xbf)) return 'utf-8';
  if (given !== undefined) return given;
  if (isUtf8(bytes)) return 'utf-8';
  return centralEuropean.test(new TextDecoder('windows-1252').decode(bytes))
    ? 'windows-1250'
    : 'windows-1252';
}

/**
 * Symbols inside words, and bytes without a character, where Windows-1250 has the letters Ł, Ż, ł, ą, ż, Ą,
 * Ľ, ľ, ź, Ť, Ź and ť.
 */
const centralEuropean = /\p{L}[£¯³¹¿¥¼¾]\p{L}|[£¯³¹¥]\p{L}{2}|\p{L}{2}[£¯³¿¥]|\p{Ll}Ÿ|[\u008d\u008f\u009d]/u;

function decoded(bytes: Uint8Array, encoding: string): string {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new NotASheet(`expected text in ${encoding}, found other bytes (see --encoding)`);
  }
}

/**
 * Returns what the file may have been before Excel saved it. If Excel expects another separator, it shows the
 * whole file in one column, and saves each row as one cell, which it may put into quotation marks.
 */
export function textOfOneColumn(text: string): string[] {
  const texts = separators.flatMap((separator) => {
    try {
      const rows = textRows(text, separator);
      if (rows.some(({ cells }) => cells.slice(1).some((cell) => cell !== ''))) return [];
      // The lines of the file keep their numbers.
      return ['\n'.repeat((rows[0]?.line ?? 1) - 1) + rows.map(({ cells }) => cells[0]).join('\n')];
    } catch {
      return [];
    }
  });
  return [...new Set(texts)].filter((each) => each !== text);
}

export function textRows(text: string, separator: string): TextRow[] {
  // Excel may give the separator in a line of its own.
  const hint = /^sep=.\n/i.exec(text)?.[0] ?? '';
  const before = hint === '' ? 0 : 1;
  let line = before + 1;
  const rows: TextRow[] = [];
  try {
    parse(text.slice(hint.length), {
      delimiter: separator,
      record_delimiter: '\n',
      relax_column_count: true,
      relax_quotes: true,
      on_record: (cells: string[], { lines }) => {
        rows.push({ line, cells });
        line = lines + before + 1;
      },
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const wanted = 'expected the end of a quoted cell, found the end of the file';
    throw new NotASheet(`${wanted} (look for a single quotation mark)`, line);
  }
  return rows;
}
