/** A message for a terminal or a log: without keys, passwords and control characters that came from elsewhere. */
export function printable(text: string): string {
  return (
    text
      .replaceAll(/svc_v1_[0-9A-Za-z]+/g, 'svc_v1_(withheld)')
      // The password of an address, up to the last @: it may contain one. Our example has the word `password`.
      .replaceAll(/([a-z]+:\/\/[^\s:/@]*:)(?!password@)\S*@/gi, '$1(withheld)@')
      .replaceAll(/[^\P{Cc}\n]/gu, '\u{FFFD}')
  );
}

/** A name within a line: it may contain line breaks and what a terminal takes for commands. */
export const inOneLine = (text: string): string => text.replaceAll(/\p{Cc}/gu, '\u{FFFD}');
