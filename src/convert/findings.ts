// What a person must correct in the sheets, and what was left out of the feed.
import { compareText } from '../text/fold.ts';
import { expected, problemLine } from '../record/feed/problem.ts';

export class Findings {
  readonly #all: { file: string; line: number; text: string; isResult: boolean }[] = [];
  readonly #skipsResults: boolean;
  /** Sentences about what was left out. They refuse nothing. */
  readonly notes: string[] = [];

  /** With `skipsResults` a result that cannot be read is left out and refuses nothing. */
  constructor(skipsResults = false) {
    this.#skipsResults = skipsResults;
  }

  refuse(file: string, line: number, column: string, message: string, isResult = false): undefined {
    this.#all.push({ file, line, text: problemLine(file, line, { path: column, message }), isResult });
  }

  /** The problem is about a whole file, a sheet or an option. */
  refuseAll(what: string, message: string): undefined {
    this.#all.push({ file: what, line: 0, text: `${what}: ${message}`, isResult: false });
  }

  note(file: string, line: number | undefined, message: string): void {
    this.notes.push(line === undefined ? `${file}: ${message}` : `${file}:${line}: ${message}`);
  }

  /** By file and line, each once. */
  get refusals(): string[] {
    return this.#isRefused ? this.#sentences : [];
  }

  /** The results that are left out. */
  get skipped(): string[] {
    const what = 'the game has no result until this is corrected, and an earlier result is gone';
    return this.#isRefused ? [] : this.#sentences.map((text) => `${text}: ${what}`);
  }

  get #isRefused(): boolean {
    return this.#all.some(({ isResult }) => !(isResult && this.#skipsResults));
  }

  get #sentences(): string[] {
    const sorted = this.#all.toSorted((a, b) => compareText(a.file, b.file) || a.line - b.line);
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
