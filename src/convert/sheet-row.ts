import { type NamedCell, type Findings, wantedButFound } from './findings.ts';
import { byWord, headerKey } from './headers.ts';

export interface SheetCell {
  /** The header as written in the sheet. */
  header: string;
  text: string;
}

/** A row of a sheet, by the columns that we know, with its line in the file. */
export class SheetRow {
  readonly file: string;
  readonly line: number;
  readonly #cells: ReadonlyMap<string, SheetCell>;
  readonly #ofFile: ReadonlyMap<string, SheetCell>;
  readonly #findings: Findings;
  isRefused = false;
  /** True once a cell of the result has been refused. */
  hasUnreadableResult = false;

  /** `ofFile` contains what the name of the file says about all its rows. */
  constructor(
    file: string,
    line: number,
    cells: ReadonlyMap<string, SheetCell>,
    findings: Findings,
    ofFile: ReadonlyMap<string, SheetCell> = new Map(),
  ) {
    this.file = file;
    this.line = line;
    this.#cells = cells;
    this.#ofFile = ofFile;
    this.#findings = findings;
    for (const [column, { text }] of cells) {
      if (!formulaError.test(text)) continue;
      this.refuse(column, `expected a value, found the error ${text} of a formula`);
    }
  }

  /** Returns a cell, with its text on one line unless `asWritten` is set. */
  cell(column: string, asWritten = false): NamedCell {
    const { text } = this.#cells.get(column) ?? this.#ofFile.get(column) ?? { text: '' };
    const shown = formulaError.test(text) ? '' : asWritten ? text : text.replaceAll(/\s+/gu, ' ');
    return { text: shown, refuse: (wanted) => this.refuse(column, wantedButFound(wanted, text)) };
  }

  get columns(): string[] {
    return [...this.#cells.keys()];
  }

  /**
   * Returns the name of the column as the sheet writes it, or our own if the sheet does not have the column.
   */
  header(column: string): string {
    return (this.#cells.get(column) ?? this.#ofFile.get(column))?.header ?? column;
  }

  refuse(column: string, message: string, maySkip = true): undefined {
    this.isRefused = true;
    const isResult = resultColumns.includes(column);
    this.hasUnreadableResult ||= isResult;
    return this.#findings.refuse(this.file, this.line, this.header(column), message, isResult && maySkip);
  }

  note(message: string, column = ''): undefined {
    const { header = '' } = this.#cells.get(column) ?? {};
    this.#findings.note(this.file, this.line, message, header);
  }

  /**
   * A row with a single cell is a note, a title or a number that has no player yet. A line of totals is also
   * a remark.
   */
  get isRemark(): boolean {
    return this.#texts.length < 2 || this.isTotal;
  }

  get isTotal(): boolean {
    return totals.has(headerKey(this.#texts[0] ?? ''));
  }

  get #texts(): string[] {
    return [...this.#cells.values()].flatMap(({ text }) => (text === '' ? [] : [text]));
  }
}

/** Columns for each player's result in a games sheet. score-columns.ts finds them. */
export const resultSideColumns = ['result 1', 'result 2'];

/** Columns of points in a games sheet. */
export const pointColumns = ['vp 1', 'vp 2', 'bp 1', 'bp 2'];
export const resultColumns = ['result', ...resultSideColumns, 'winner', ...pointColumns];

/** Errors of spreadsheet formulas, such as #REF!, #N/A, #WERT! and #BEZUG!. */
const formulaError = /^#(?:[\p{Lu}\d/_]+[!?]|N\/[AD]|NV|SPILL|CALC)$/u;

const totals = byWord({
  total: 'total, totals, sum; summe, gesamt; somme; suma; totale, totali; razem',
});
