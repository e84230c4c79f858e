// Finds a name in a text: in any case, in any Unicode form, with or without its accents, and only as whole
// words.
import { fold } from '../../text/fold.ts';

export class NamePattern {
  /**
   * A regular expression for PostgreSQL. It finds every mention and sometimes more, because only ASCII
   * letters and digits count as part of a word here. Every spelling is written out, so that it does not
   * depend on the locale of the database.
   */
  readonly source: string;
  readonly #mention: RegExp;
  readonly #whole: RegExp;

  constructor(name: string) {
    const characters = Array.from(name.normalize('NFC').trim().replaceAll(/\s+/gu, ' '));
    const spelled = characters.map(spellings).join('');
    const [touchesBefore, touchesAfter] = [wordsTouch(characters[0]), wordsTouch(characters.at(-1))];
    // A name of one or two letters is a part of nearly every text, and the database must not send them all.
    this.source = `${touchesBefore ? '' : `(?:^|[^A-Za-z0-9]|${escapeOfJson})`}${spelled}${touchesAfter ? '' : '(?![A-Za-z0-9])'}`;
    const before = touchesBefore ? '' : `(?:(?<![\\p{L}\\p{N}\\p{M}])|(?<=${escapeOfJson}))`;
    const after = touchesAfter ? '' : '(?![\\p{L}\\p{N}\\p{M}])';
    this.#mention = new RegExp(`${before}(?:${spelled})${after}`, 'gv');
    this.#whole = new RegExp(`^\\s*(?:${spelled})\\s*$`, 'v');
  }

  /** Returns true if the text is this name and nothing else. */
  is(text: string): boolean {
    return this.#whole.test(text);
  }

  /**
   * Returns true if a text, or any text in an array or object, mentions the name. The keys of an object are
   * texts, too.
   */
  isIn(value: unknown): boolean {
    if (typeof value === 'string') return this.without(value) !== value;
    if (typeof value !== 'object' || value === null) return false;
    return Object.entries(value)
      .flat()
      .some((each) => this.isIn(each));
  }

  /** Returns the text without its mentions of the name. */
  without(text: string): string {
    return text.replaceAll(this.#mention, '[removed]');
  }
}

/**
 * A character that JSON writes with a letter or digit at the end although it is neither, such as a line
 * break.
 */
const escapeOfJson = '\\\\(?:[bfnrt]|u[0-9a-f]{4})';

/** Returns every way to write the character, as a group for both kinds of regular expressions. */
function spellings(character: string): string {
  // A document is JSON, in which a line break, a quotation mark and a backslash have a backslash before them.
  if (character === ' ') return '(?:[\\s\\u00a0\\u202f\\u3000]|\\\\[nrt])+';
  if (character === '"') return '\\\\?"';
  if (character === '\\') return '\\\\\\\\?';
  if (apostrophes.includes(character)) return `[${apostrophes}]`;
  const cases = [character, character.toLowerCase(), character.toUpperCase()];
  // Unicode does not decompose ł, ø or þ.
  const plain = fold(character);
  cases.push(plain, plain.toUpperCase(), plain.slice(0, 1).toUpperCase() + plain.slice(1));
  // Sigma has another form at the end of a word.
  if (plain === 'σ') cases.push('ς');
  const all = new Set(
    cases.flatMap((each) => [
      each.normalize('NFC'),
      each.normalize('NFD'),
      each.normalize('NFD').replaceAll(/\p{M}/gu, ''),
    ]),
  );
  // Longest first, so that the accent after a letter is part of the match.
  const written = [...all].filter(Boolean).toSorted((a, b) => b.length - a.length);
  return `(?:${written.map(escaped).join('|')})`;
}

const apostrophes = "'’ʼ`´";

const escaped = (text: string): string => text.replaceAll(/[!-/:-@[-`{-~]/gu, (sign) => `\\u${codeOf(sign)}`);
const codeOf = (sign: string): string => (sign.codePointAt(0) ?? 0).toString(16).padStart(4, '0');

/** Returns true for scripts that put no space between words. */
const wordsTouch = (character = ''): boolean =>
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u.test(
    character,
  );
