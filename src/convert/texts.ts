// Reads names, and texts that fit into the feed.
import { longestText, visiblePattern } from '../record/feed/scalars.ts';
import type { NamedCell } from './findings.ts';

const visible = new RegExp(visiblePattern, 'u');
const longest = 200;

/** Returns a text with something visible. Undefined if the cell is empty or refused. */
export function nameInCell(cell: NamedCell): string | undefined {
  if (cell.text === '') return undefined;
  return visible.test(cell.text) ? wordOf(cell) : cell.refuse('a text with something visible');
}

export function wordOf(cell: NamedCell): string | undefined {
  if (cell.text === '') return undefined;
  return cell.text.length <= longest ? cell.text : cell.refuse(`a text of up to ${longest} characters`);
}

/** Returns the text of an army list. */
export function listText(cell: NamedCell): string | undefined {
  if (cell.text === '') return undefined;
  return Buffer.byteLength(cell.text) <= longestText
    ? cell.text
    : cell.refuse(`a list of up to ${longestText} bytes`);
}

/** Turns "Müller, Anna" into "Anna Müller". */
export function withoutCommas(name: string): string {
  return name.replace(/^([^,]+),([^,]+)$/, '$2 $1').replaceAll(',', ' ');
}
