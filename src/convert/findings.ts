// Collects what a person must correct in the sheets, and what was left out of the feed.
import { compareText } from '../text/fold.ts';
import { expected, problemLine } from '../record/feed/problem.ts';

interface Finding {
  file: string;
  /** The line, or zero if the finding is about a whole file, a sheet or an option. */
  line: number;
  /** The name of the column, or empty if the finding is about the whole row. */
  column: string;
  message: string;
  isResult: boolean;
}

export class Findings {
  readonly #refusals: Finding[] = [];
  readonly #notes: Finding[] = [];
  readonly #skipsResults: boolean;

  /** `skipsResults` means that a result that cannot be read is left out and refuses nothing. */
  constructor(skipsResults = false) {
    this.#skipsResults = skipsResults;
  }

  refuse(file: string, line: number, column: string, message: string, isResult = false): undefined {
    this.#refusals.push({ file, line, column, message, isResult });
  }

  /** Adds a problem with a whole file, a sheet or an option. */
  refuseAll(what: string, message: string): undefined {
    this.refuse(what, 0, '', message);
  }

  /** Adds a sentence about what was left out. It refuses nothing. */
  note(file: string, line: number | undefined, message: string, column = ''): void {
    this.#notes.push({ file, line: line ?? 0, column, message, isResult: false });
  }

  /** The problems by file and line, without duplicates. If results are skipped, theirs come last. */
  get refusals(): string[] {
    return this.#isRefused ? this.#refusedSentences.map(({ text }) => text) : [];
  }

  /** The results that are left out. */
  get skipped(): string[] {
    if (this.#isRefused) return [];
    return this.#refusedSentences.map(({ text, rows }) =>
      rows === 1
        ? `${text}: the game has no result until this is corrected, and an earlier result is gone`
        : `${text}: these games have no result until this is corrected, and earlier results are gone`,
    );
  }

  get notes(): string[] {
    return sentencesOf(this.#notes).map(({ text }) => text);
  }

  get #isRefused(): boolean {
    return this.#refusals.some(({ isResult }) => !(isResult && this.#skipsResults));
  }

  get #refusedSentences(): Sentence[] {
    // Problems that stop the conversion come first, because only the first few reach a chat.
    const isLater = ({ isResult }: Finding): number => Number(this.#skipsResults && isResult);
    return sentencesOf(
      this.#refusals.toSorted(
        (a, b) => isLater(a) - isLater(b) || compareText(a.file, b.file) || a.line - b.line,
      ),
    );
  }
}

interface Sentence {
  text: string;
  rows: number;
}

/**
 * The number of rows from which the same mistake becomes one sentence, for example a round that is missing
 * because its cells are merged.
 */
const manyRows = 4;
/** The maximum number of different cells that a sentence quotes. */
const quotedCells = 3;
/**
 * The number from which different cells that are wrong in the same way count as one mistake of the whole
 * column.
 */
const manyCells = 11;

/**
 * Turns findings into sentences, each only once. A mistake in many rows becomes one sentence at the position
 * of its first row.
 */
function sentencesOf(findings: Finding[]): Sentence[] {
  const once = [...new Map(findings.map((each) => [JSON.stringify(each), each])).values()];
  const positions = new Map(once.map((each, at) => [each, at]));
  const inOneSentence = [
    ...Map.groupBy(once, (each) => JSON.stringify([each.file, each.column, partsOf(each).wanted])).values(),
  ].flatMap((similar) => {
    const equal = [...Map.groupBy(similar, ({ message }) => message).values()];
    const isOne = equal.length <= quotedCells || equal.length >= manyCells;
    return (isOne ? [similar] : equal).flatMap((rows) =>
      rows.length >= manyRows && rows[0]?.line !== 0 ? [rows] : rows.map((row) => [row]),
    );
  });
  return inOneSentence
    .toSorted(([a], [b]) => (a && b ? (positions.get(a) ?? 0) - (positions.get(b) ?? 0) : 0))
    .flatMap(([first, ...others]) => (first ? sentenceOf(first, others) : []));
}

function sentenceOf(first: Finding, others: Finding[]): Sentence {
  const { file, line, column, message } = first;
  const rows = 1 + others.length;
  if (line === 0) return { text: file === '' ? message : `${file}: ${message}`, rows };
  if (rows === 1) return { text: problemLine(file, line, { path: column, message }), rows };
  const { wanted } = partsOf(first);
  const cells = [...new Set([first, ...others].map((each) => partsOf(each).found))];
  const quoted = cells
    .slice(0, quotedCells)
    .map((each, at) => (at === 0 ? each : each.replace(' found', '')));
  const found = quoted.join('') + (cells.length > quotedCells ? ' and others' : '');
  const where = column === '' ? '' : `${column}: `;
  return { text: `${file}: ${rows} rows: ${where}${wanted}${found}, first in line ${line}`, rows };
}

/** Splits a message. `found` is either empty or begins with ", found". */
function partsOf({ message }: Finding): { wanted: string; found: string } {
  const at = message.lastIndexOf(', found ');
  return at < 0 ? { wanted: message, found: '' } : { wanted: message.slice(0, at), found: message.slice(at) };
}

/** One cell of a sheet or one option of the command: its text, and a way to refuse it. */
export interface NamedCell {
  readonly text: string;
  refuse: (wanted: string) => undefined;
}

export const wantedButFound = (wanted: string, text: string): string =>
  expected('', wanted, text === '' ? undefined : text).message;
