import { type Cell, type Findings, wantedButFound } from './findings.ts';
import { byWord, keyOf } from './headers.ts';

interface SheetCell {
  /** As the sheet writes it. */
  header: string;
  text: string;
}

/** A row of a sheet by the columns that we know, with its place in the file. */
export class SheetRow {
  readonly file: string;
  readonly line: number;
  readonly #cells: ReadonlyMap<string, SheetCell>;
  readonly #findings: Findings;
  /** A cell of the result was refused. */
  hasUnreadableResult = false;

  constructor(file: string, line: number, cells: ReadonlyMap<string, SheetCell>, findings: Findings) {
    this.file = file;
    this.line = line;
    this.#cells = cells;
    this.#findings = findings;
    for (const [column, { text }] of cells) {
      if (!formulaError.test(text)) continue;
      this.refuse(column, `expected a value, found the error ${text} of a formula`);
    }
  }

  /** A text of one line, or as it is with `asWritten`. */
  cell(column: string, asWritten = false): Cell {
    const { text } = this.#cells.get(column) ?? { text: '' };
    const shown = formulaError.test(text) ? '' : asWritten ? text : text.replaceAll(/\s+/gu, ' ');
    return { text: shown, refuse: (wanted) => this.refuse(column, wantedButFound(wanted, text)) };
  }

  get columns(): string[] {
    return [...this.#cells.keys()];
  }

  refuse(column: string, message: string): undefined {
    const header = this.#cells.get(column)?.header ?? column;
    const isResult = resultColumns.includes(column);
    this.hasUnreadableResult ||= isResult;
    return this.#findings.refuse(this.file, this.line, header, message, isResult);
  }

  note(message: string, column = ''): undefined {
    const { header = '' } = this.#cells.get(column) ?? {};
    this.#findings.note(this.file, this.line, header === '' ? message : `${header}: ${message}`);
  }

  /** A row with one cell is a note, a title or a number that waits for its player. So is a line of totals. */
  get isRemark(): boolean {
    const texts = [...this.#cells.values()].flatMap(({ text }) => (text === '' ? [] : [text]));
    return texts.length < 2 || totals.has(keyOf(texts[0] ?? ''));
  }
}

/** Of the games sheet. */
export const resultColumns = ['result', 'winner', 'vp 1', 'vp 2', 'bp 1', 'bp 2'];

/** For example #REF!, #N/A, #WERT! and #BEZUG!. */
const formulaError = /^#(?:[\p{Lu}\d/_]+[!?]|N\/[AD]|NV|SPILL|CALC)$/u;

const totals = byWord({
  total: 'total, totals, sum; summe, gesamt; somme; suma; totale, totali; razem',
});
