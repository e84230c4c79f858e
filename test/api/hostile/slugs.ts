/** Slugs as written in a path. No UTF-8 decoder accepts these, so they get a 400. */
export const undecodableSlugs = ['%zz', '%ff', '%c0%af', '%ED%A0%80', '%'];

/** Slugs as written in a path. These can be decoded, but nothing has such a slug, so they get a 404. */
export const unknownSlugs = [
  '%00',
  'a%00b',
  'a%2Fb',
  '%2e%2e',
  '.',
  'x'.repeat(2_000),
  '%E2%80%AE',
  '__proto__',
  'constructor',
  "'%20OR%201=1--",
  'Caf%C3%A9',
  'Cafe%CC%81',
  'CLUB-0',
  ';',
];
