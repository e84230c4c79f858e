/**
 * Makes a message safe for a terminal or a log by removing keys, passwords and control characters that come
 * from elsewhere.
 */
export function printable(text: string): string {
  return (
    text
      .replaceAll(/svc_v1_[0-9A-Za-z]+/g, 'svc_v1_(withheld)')
      // Removes the password of an address, up to the last @ because the password may contain one. Our own
      // example has the word `password`.
      .replaceAll(/([a-z]+:\/\/[^\s:/@]*:)(?!password@)\S*@/gi, '$1(withheld)@')
      .replaceAll(/[^\P{Cc}\n]/gu, '\u{FFFD}')
  );
}

/**
 * Makes a name safe within a line. It may contain line breaks, and characters that a terminal takes for
 * commands.
 */
export const inOneLine = (text: string): string => text.replaceAll(/\p{Cc}/gu, '\u{FFFD}');
