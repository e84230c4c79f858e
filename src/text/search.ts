// The text that search compares. The publisher writes it for each name, the server makes it of what a person typed. A
// change needs a migration that empties published.search, and higher derivationVersions: rows are removed by computing them
// from the old name.
import { fold } from './fold.ts';

/** One text per word of a name: the folded name, beginning at that word. The words in front come last. */
export function searchTexts(name: string): string[] {
  const words = wordsOf(name);
  const rotated = words
    .slice(0, maxWords)
    .map((_, index) => cut([...words.slice(index), ...words.slice(0, index)].join(' ')));
  return [...new Set(rotated)];
}

/** The beginnings of words that a person looks for, each once. Null when they are too short to look for. */
export function searchWords(query: string): string[] | null {
  const words = [...new Set(wordsOf(query).slice(0, maxWords).map(cut))];
  const length = Array.from(words.join(' ')).length;
  return length >= 2 || (length === 1 && oneIsEnough.test(words[0] ?? '')) ? words : null;
}

/** A Chinese or Japanese name is one word: these scripts put nothing between words. So is a Thai one. */
function wordsOf(name: string): string[] {
  const folded = fold(name);
  const words = folded.replaceAll(points, '').replaceAll(between, ' ').trim();
  // A name of symbols only has no letters to look for, but it can be found by its symbols.
  return (words === '' ? folded : words).split(' ').filter((word) => word !== '');
}

// Hebrew is mostly written without its points. Accents that belong to no script are gone already.
const points = /[\p{Mn}&&\p{Script=Hebrew}]/gv;

// Everything but letters, the vowel signs that belong to them, and digits. The range has apostrophes (ʼ) that Unicode
// counts as letters.
const between = /(?:[^\p{L}\p{M}\p{N}]|[\u02b9-\u02cf])+/gu;

const oneIsEnough = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

// An index row must stay below 2,704 bytes. At most 360 bytes are this text, 800 the label (200 characters in a feed), 110
// the key.
const maxWords = 16;
const longest = 120;

function cut(text: string): string {
  return text.slice(0, longest).toWellFormed().trim();
}
