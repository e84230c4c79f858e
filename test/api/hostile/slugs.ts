/** As written in a path. No UTF-8 decoder takes these: 400. */
export const undecodableSlugs = ['%zz', '%ff', '%c0%af', '%ED%A0%80', '%'];

/** As written in a path. These decode, but nothing has such a slug: 404. */
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
