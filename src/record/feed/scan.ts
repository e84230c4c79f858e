// Finds what JSON.parse does not report: repeated keys, deep nesting, and half characters. It scans the raw
// bytes before parsing. After parsing, a text with more members than the value has a repeated key.
import { isUtf8 } from 'node:buffer';
import type { Problem } from './problem.ts';

const deepest = 32;
const [quote, backslash, colon] = [0x22, 0x5c, 0x3a];
const [openObject, closeObject, openArray, closeArray] = [0x7b, 0x7d, 0x5b, 0x5d];

export interface Scanned {
  /** The number of members in all objects of the text. */
  members: number;
  problem?: Problem;
}

export function scan(line: Buffer): Scanned {
  if (!isUtf8(line))
    return { members: 0, problem: { path: '', message: 'expected UTF-8, found other bytes' } };
  let members = 0;
  let depth = 0;
  let escapes = false;
  for (let at = 0; at < line.length; at++) {
    const byte = line[at];
    if (byte === quote) {
      while (++at < line.length && line[at] !== quote) {
        if (line[at] === backslash) {
          escapes = true;
          at++;
        }
      }
    } else if (byte === colon) members++;
    else if (byte === openObject || byte === openArray) {
      if (++depth > deepest) {
        const message = `expected at most ${deepest} levels of nesting, found more`;
        return { members, problem: { path: '', message } };
      }
    } else if (byte === closeObject || byte === closeArray) depth--;
  }
  const problem = escapes ? escapeProblem(line) : undefined;
  return problem ? { members, problem } : { members };
}

/**
 * Finds NUL and lone surrogates. Only an escape can contain them, because a raw control character is not
 * JSON, and a raw surrogate is not UTF-8.
 */
function escapeProblem(line: Buffer): Problem | undefined {
  if (!line.includes('\\u')) return undefined;
  for (const [escape = '', digits] of line.toString('utf8').matchAll(escapeForms)) {
    if (digits === undefined) continue; // an escaped backslash or a whole pair
    if (digits === '0000') return { path: '', message: `expected text without NUL, found ${escape}` };
    const code = Number.parseInt(digits, 16);
    if (code >= 0xd800 && code <= 0xdfff) {
      return { path: '', message: `expected whole characters, found the lone surrogate ${escape}` };
    }
  }
  return undefined;
}

const escapeForms = /\\[^u]|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u([0-9a-fA-F]{4})/gu;

export function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const element of value) if (typeof element === 'object') count += countMembers(element);
    return count;
  }
  for (const key of Object.keys(value)) {
    count++;
    const inner = (value as Record<string, unknown>)[key];
    if (typeof inner === 'object') count += countMembers(inner);
  }
  return count;
}

/**
 * Returns the first key that occurs twice in an object of this valid JSON text. This slower second pass is
 * only for the message.
 */
export function repeatedKey(text: string): string {
  const stack: (Set<string> | undefined)[] = [];
  let string = '';
  for (let at = 0; at < text.length; at++) {
    const token = text[at];
    if (token === '{') stack.push(new Set());
    else if (token === '[') stack.push(undefined);
    else if (token === '}' || token === ']') stack.pop();
    else if (token === '"') {
      const end = endOfString(text, at);
      string = text.slice(at, end + 1);
      at = end;
    } else if (token === ':') {
      // The string before a colon is a key.
      const key = JSON.parse(string) as string;
      if (stack.at(-1)?.has(key)) return key;
      stack.at(-1)?.add(key);
    }
  }
  return '';
}

/** Uses a loop, because a regular expression overflows the stack on a string of some million characters. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}
