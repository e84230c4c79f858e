// The texts that search compares. The publisher derives them from each name, and the server from what a
// person typed. A change here needs a migration that empties published.search, and higher derivationVersions,
// because rows are removed by computing them from the old name.
import { fold } from './fold.ts';

/** Returns one text for each word of a name: the folded name, rotated to begin at that word. */
export function searchTexts(name: string): string[] {
  const words = wordsOf(name);
  const rotated = words
    .slice(0, maxWords)
    .map((_, index) => cut([...words.slice(index), ...words.slice(0, index)].join(' ')));
  return [...new Set(rotated)];
}

/** Returns the beginnings of words to search for, without duplicates. Returns null if they are too short. */
export function searchWords(query: string): string[] | null {
  const words = [...new Set(wordsOf(query).slice(0, maxWords).map(cut))];
  const length = Array.from(words.join(' ')).length;
  return length >= 2 || (length === 1 && oneIsEnough.test(words[0] ?? '')) ? words : null;
}

/**
 * Splits a name into words. A Chinese, Japanese or Thai name is one word, because these scripts put nothing
 * between words.
 */
function wordsOf(name: string): string[] {
  const folded = fold(name);
  const words = folded.replaceAll(points, '').replaceAll(between, ' ').trim();
  // A name made only of symbols has no letters to search for, but it can be found by its symbols.
  return (words === '' ? folded : words).split(' ').filter((word) => word !== '');
}

// Hebrew is mostly written without its points. Accents that belong to no script have been removed already.
const points = /[\p{Mn}&&\p{Script=Hebrew}]/gv;

// Everything except letters, the vowel signs that belong to them, and digits. The range contains apostrophes
// (ʼ) that Unicode counts as letters.
const between = /(?:[^\p{L}\p{M}\p{N}]|[\u02b9-\u02cf])+/gu;

const oneIsEnough = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

// An index row must stay below 2,704 bytes. This text takes at most 360 bytes of it, the label 800 (200
// characters in a feed) and the key 110.
const maxWords = 16;
const longest = 120;

function cut(text: string): string {
  return text.slice(0, longest).toWellFormed().trim();
}
