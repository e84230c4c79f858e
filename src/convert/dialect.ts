// The bytes of a file as rows of text: Excel, LibreOffice, Numbers and Google Sheets write different encodings, line
// ends and separators.
import { CsvError, parse } from 'csv-parse/sync';

export interface TextRow {
  /** Where the row begins in the file, from 1. */
  line: number;
  cells: string[];
}

/** Says in one sentence why a file is no sheet. */
export class NotASheet extends Error {
  readonly line: number | undefined;
  constructor(message: string, line?: number) {
    super(message);
    this.line = line;
  }
}

export const separators = [',', ';', '\t'] as const;

const mostBytes = 16 << 20;

/** UTF-16 with a byte order mark, UTF-8 with or without one, otherwise Windows-1252. Lines end in LF. */
export function textOf(bytes: Uint8Array): string {
  const starts = (...start: number[]): boolean => start.every((byte, index) => bytes[index] === byte);
  if (starts(0x50, 0x4b, 3, 4) || starts(0xd0, 0xcf, 0x11, 0xe0))
    throw new NotASheet('expected a CSV file, found a workbook: save each of its sheets as CSV');
  if (bytes.length > mostBytes) throw new NotASheet('expected at most 16 MB, found more');
  const utf16 = starts(0xff, 0xfe) ? 'utf-16le' : starts(0xfe, 0xff) ? 'utf-16be' : undefined;
  const text = utf16 === undefined ? utf8OrWindows(bytes) : new TextDecoder(utf16).decode(bytes);
  if (text.includes('\0')) throw new NotASheet('expected a CSV file, found bytes that are not text');
  return text.replaceAll(/\r\n?/g, '\n');
}

function utf8OrWindows(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

export function rowsOf(text: string, separator: string): TextRow[] {
  // Excel may say the separator in a line of its own.
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
