// Alphabetical order that every database and every machine agrees on: names are folded to a key here, and keys are
// compared bytewise. Nothing in it depends on a locale.

/** Case, accents and letters that are variants of others are folded, whitespace is made single. */
export function sortKey(name: string): string {
  return (
    name
      .normalize('NFKD')
      .toLowerCase()
      // Lower case may bring marks of its own (İ), so they go only now.
      .normalize('NFKD')
      .replaceAll(marks, '')
      .replaceAll(variants, (letter) => letters[letter] ?? letter)
      .replaceAll(/\p{Cf}/gu, '')
      .replaceAll(/\s+/gu, ' ')
      .trim()
      .normalize('NFC')
      .slice(0, longestKey)
      .toWellFormed()
  );
}

/** Unicode code point order, which is the order of the UTF-8 bytes; `<` on strings is neither. */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left !== right) return aboveSurrogates(left) - aboveSurrogates(right);
  }
  return a.length - b.length;
}

// Accents and the like, which belong to no script. The vowel signs of Indic scripts are marks too, and stay.
const marks = /[\p{Mn}&&\p{Script=Inherited}]/gv;

// Letters that Unicode does not decompose.
const letters: Record<string, string> = {
  ł: 'l',
  ø: 'o',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  đ: 'd',
  ð: 'd',
  ı: 'i',
  ȷ: 'j',
  þ: 'th',
  ħ: 'h',
  ŧ: 't',
  ŋ: 'n',
  ĸ: 'k',
  ƀ: 'b',
  ɨ: 'i',
  ƶ: 'z',
  ς: 'σ',
};
const variants = new RegExp(`[${Object.keys(letters).join('')}]`, 'gu');

// Some characters decompose into eighteen; an index row must stay well below the engine's limit of 2,704 bytes.
const longestKey = 250;

// In UTF-16 the characters beyond the first plane (surrogates, D800–DFFF) stand before E000–FFFF.
function aboveSurrogates(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit >= 0xe000 ? unit - 0x800 : unit + 0x2000;
}
