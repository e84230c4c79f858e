/** Quotes a text as one word for a POSIX shell, in which nothing is expanded. */
export const shellWord = (text: string): string =>
  /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
