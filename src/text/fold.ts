// Alphabetical order that is the same in every database and on every machine: names are folded to a key here,
// and keys are compared as bytes. Nothing depends on a locale.

/** Returns the folded name, short enough for an index. */
export function sortKey(name: string): string {
  return fold(name).slice(0, longestKey).toWellFormed();
}

/** Folds case, accents and variants of letters, and turns runs of white space into single spaces. */
export function fold(name: string): string {
  return (
    name
      .normalize('NFKD')
      .toLowerCase()
      // Converting to lower case may add marks (İ), so marks are removed only now.
      .normalize('NFKD')
      .replaceAll(marks, '')
      .replaceAll(variants, (letter) => letters[letter] ?? letter)
      .replaceAll(/\p{Cf}/gu, '')
      .replaceAll(/\s+/gu, ' ')
      .trim()
      .normalize('NFC')
  );
}

/**
 * Compares by Unicode code point, which is the order of UTF-8 bytes. `<` on strings compares UTF-16 units.
 */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left !== right) return aboveSurrogates(left) - aboveSurrogates(right);
  }
  return a.length - b.length;
}

// Accents and similar marks that belong to no script. Vowel signs of Indic scripts are marks too, but they
// stay.
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

// Some characters decompose into eighteen, and an index row must stay well below PostgreSQL's limit of 2,704
// bytes.
const longestKey = 250;

// Moves UTF-16 units into the order of code points: in UTF-16, characters beyond the first plane (surrogates,
// D800–DFFF) sort before E000–FFFF.
function aboveSurrogates(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit >= 0xe000 ? unit - 0x800 : unit + 0x2000;
}
