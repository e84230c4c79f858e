// Reads a file as an event, players or games sheet. The headers decide which it is, and they also reveal the
// separator.
import { NotASheet, textRows, separators, textOf, textOfOneColumn, type TextRow } from './dialect.ts';
import type { Findings } from './findings.ts';
import { headers, headerKey } from './headers.ts';
import { roundOfFile } from './rounds.ts';
import { scoreColumns } from './score-columns.ts';
import { type SheetCell, SheetRow } from './sheet-row.ts';

export interface SheetFile {
  name: string;
  bytes: Uint8Array;
}

export interface Sheet {
  kind: keyof typeof headers;
  /** The rows. In an event sheet there is one for each fact, in a column named after the fact. */
  rows: SheetRow[];
  /** The columns that have content but are not known. */
  leftOut: string[];
}

/** Returns undefined if the file is refused. */
export function readSheet(
  { name, bytes }: SheetFile,
  encoding: string,
  findings: Findings,
): Sheet | undefined {
  try {
    const text = textOf(bytes, encoding);
    const readings = [text, ...textOfOneColumn(text)].flatMap((each) =>
      separators.flatMap((separator) => readingOf(each, separator)),
    );
    const [best] = readings.toSorted(
      (a, b) => b.known - a.known || tornRows(a) - tornRows(b) || headOf(b).length - headOf(a).length,
    );
    // A reading with the wrong separator may fail. If all fail, or the others recognise nothing, this reports
    // why.
    if (!best?.known) for (const separator of separators) textRows(text, separator);
    if (!best || best.rows.length === 0)
      throw new NotASheet('expected a sheet with headers, found an empty file');
    if (best.known === 0) {
      const first = best.rows[0]?.cells.filter((cell) => cell !== '').slice(0, 4) ?? [];
      const found = first.map((cell) => JSON.stringify(cell.slice(0, 40))).join(', ');
      const wanted =
        'the headers of an event, players or games sheet (`wartable convert --template` writes them)';
      throw new NotASheet(`expected ${wanted}, found ${found}`, best.rows[0]?.line);
    }
    const { kind } = best;
    return kind === 'event'
      ? { kind, rows: factsOf(name, best, findings), leftOut: [] }
      : { kind, ...tableOf(name, best, findings) };
  } catch (error) {
    if (!(error instanceof NotASheet)) throw error;
    const { line, message } = error;
    return line === undefined ? findings.refuseAll(name, message) : findings.refuse(name, line, '', message);
  }
}

interface Reading {
  rows: TextRow[];
  kind: Sheet['kind'];
  /** The index of the headers in `rows`. */
  at: number;
  /** The number of headers or facts that are known. The right separator finds the most. */
  known: number;
}

const headOf = ({ rows, at }: Reading): string[] => rows[at]?.cells ?? [];

/** Counts rows with more cells than headers, such as "Vas, Dora" in a column of names, read with commas. */
function tornRows(reading: Reading): number {
  const width = headOf(reading).length;
  return reading.rows.slice(reading.at + 1).filter(({ cells }) => cells.slice(width).some(Boolean)).length;
}

/** The maximum number of rows up to the headers, because there may be a title above them. */
const headersWithin = 20;

function readingOf(text: string, separator: string): Reading | [] {
  let all: TextRow[];
  try {
    all = textRows(text, separator);
  } catch {
    return [];
  }
  const rows = all
    .map(({ line, cells }) => ({ line, cells: cells.map(cleaned) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''));
  const facts = rows.map(({ cells: [fact = '', value = ''] }) => value && headers.event.get(headerKey(fact)));
  const known = new Set(facts.filter(Boolean)).size;
  let best: Reading = { rows, kind: 'event', at: -1, known: known > 1 ? known : 0 };
  for (const [at, { cells }] of rows.slice(0, headersWithin).entries()) {
    for (const kind of ['games', 'players'] as const) {
      const names = new Set<string>(cells.flatMap((cell) => headers[kind].get(headerKey(cell)) ?? []));
      const pairs = [
        ['player 1', 'player 2'],
        ['round', 'player 1'],
        ['no', 'name'],
        ['no', 'last name'],
        ['name', 'faction'],
        ['name', 'club'],
        ['first name', 'name'],
        ['first name', 'last name'],
      ];
      const isOne =
        pairs.some((pair) => pair.every((name) => names.has(name))) ||
        (kind === 'players' && isRoster(cells));
      if (isOne && names.size > best.known) best = { rows, kind, at, known: names.size };
    }
  }
  return best;
}

/**
 * Returns true if the headers are those of a roster, which may have nothing but names. "Player" by itself may
 * also be the header of a games sheet.
 */
function isRoster(cells: string[]): boolean {
  const keys = cells.filter(Boolean).map(headerKey);
  const named = keys.find((key) => headers.players.get(key) === 'name');
  return named !== undefined && (!headers.games.has(named) || keys.every((key) => headers.players.has(key)));
}

/** Normalises a cell to composed letters and ordinary spaces, with nothing invisible at the ends. */
const cleaned = (cell: string): string =>
  cell
    .normalize('NFC')
    .replaceAll(/[\u00a0\u2007\u202f]/g, ' ')
    .trim();

function factsOf(file: string, { rows }: Reading, findings: Findings): SheetRow[] {
  return rows.flatMap(({ line, cells: [name = '', value = '', ...more] }, index) => {
    const fact = headers.event.get(headerKey(name));
    // A list may continue in the next cells.
    const text = fact === 'tie-breaks' ? [value, ...more].filter(Boolean).join(', ') : value;
    if (fact) return [new SheetRow(file, line, new Map([[fact, { header: name, text }]]), findings)];
    // The first line may contain the headers of the two columns.
    if (index > 0 && text !== '')
      findings.note(file, line, `the fact ${JSON.stringify(name)} is not known and was left out`);
    return [];
  });
}

function tableOf(file: string, { rows, kind, at }: Reading, findings: Findings): Omit<Sheet, 'kind'> {
  const head = rows[at] ?? { line: 1, cells: [] };
  const below = rows.slice(at + 1);
  const columns: (string | undefined)[] = [];
  const leftOut: string[] = [];
  const { columns: sided, scores } = scoreColumns(kind === 'games' ? head.cells : [], (index) =>
    below.map(({ cells }) => cells[index] ?? ''),
  );
  if (scores.length > 0) {
    const both = scores.map((header) => JSON.stringify(header)).join(' and ');
    const advice = 'call them bp 1 and bp 2 if they are battle points';
    findings.note(file, head.line, `${both} were read as the victory points vp 1 and vp 2: ${advice}`);
  }
  for (const [index, header] of head.cells.entries()) {
    const column = sided.get(header) ?? headers[kind].get(headerKey(header));
    const twin = head.cells[columns.indexOf(column)];
    if (column !== undefined && twin !== undefined) {
      const both = `${JSON.stringify(twin)} and ${JSON.stringify(header)}`;
      findings.refuse(file, head.line, header, `expected one column for ${column}, found ${both}`);
    }
    // A name in brackets is a remark of the organiser.
    if (column === undefined && !/^\(.*\)$/.test(header)) {
      const hasContent = below.some(({ cells }) => (cells[index] ?? '') !== '');
      if (hasContent) leftOut.push(header || `column ${index + 1}`);
      if (header !== '')
        findings.note(file, head.line, `the column ${JSON.stringify(header)} is not known and was left out`);
    }
    columns.push(twin === undefined ? column : undefined);
  }
  // Without it, every game would be a bye.
  if (kind === 'games' && !columns.includes('player 2'))
    findings.refuse(file, head.line, 'player 2', 'expected a column player 2, found none');
  const ofFile = kind === 'games' && !columns.includes('round') ? roundCell(file, head.line, findings) : [];
  const known = below.flatMap(({ line, cells }) => {
    const filled = cells.flatMap((text, index) => {
      const column = columns[index];
      return column !== undefined && text !== ''
        ? [[column, { header: head.cells[index] ?? '', text }] as const]
        : [];
    });
    if (filled.length === 0) return [];
    const own = new Map([...emptyCells(columns, head.cells), ...filled]);
    return [new SheetRow(file, line, own, findings, new Map(ofFile))];
  });
  return { rows: known, leftOut };
}

/**
 * Returns the round from the file name. A games sheet without a column of rounds may be a file for one round.
 */
function roundCell(file: string, line: number, findings: Findings): [string, SheetCell][] {
  const text = roundOfFile(file);
  if (text !== undefined) return [['round', { header: 'the name of the file', text }]];
  const wanted =
    'a column round, or a file for each round with the round in its name, like round_1.csv or final.csv';
  findings.refuse(file, line, 'round', `expected ${wanted}, found none`);
  return [];
}

/**
 * Returns empty cells for all columns, so that a refusal of an empty cell names the column as the sheet does.
 */
const emptyCells = (columns: (string | undefined)[], names: string[]) =>
  columns.flatMap((column, index) =>
    column === undefined ? [] : [[column, { header: names[index] ?? '', text: '' }] as const],
  );
