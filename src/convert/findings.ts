// What a person must correct in the sheets, and what was left out of the feed.
import { compareText } from '../text/fold.ts';
import { expected, problemLine } from '../record/feed/problem.ts';

export class Findings {
  readonly #refusals: { file: string; line: number; text: string }[] = [];
  /** Sentences about what was left out. They refuse nothing. */
  readonly notes: string[] = [];

  /** Without a line, the problem is about the whole file. */
  refuse(file: string, line: number | undefined, column: string, message: string): undefined {
    const text =
      line === undefined ? `${file}: ${message}` : problemLine(file, line, { path: column, message });
    this.#refusals.push({ file, line: line ?? 0, text });
  }

  note(file: string, line: number | undefined, message: string): void {
    this.notes.push(line === undefined ? `${file}: ${message}` : `${file}:${line}: ${message}`);
  }

  /** By file and line, each once. */
  get refusals(): string[] {
    const sorted = this.#refusals.toSorted((a, b) => compareText(a.file, b.file) || a.line - b.line);
    return [...new Set(sorted.map(({ text }) => text))];
  }
}

/** One cell of a sheet, or one option of the command: a text, and how to refuse it. */
export interface Cell {
  readonly text: string;
  refuse: (wanted: string) => undefined;
}

export const wantedButFound = (wanted: string, text: string): string =>
  expected('', wanted, text === '' ? undefined : text).message;
