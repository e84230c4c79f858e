import { headerNames } from '../src/convert/headers.ts';
import { letterings } from '../src/convert/letters.ts';
import { languages } from '../src/text/languages.ts';
import { markdownTable } from '../harness/evidence/markdown-table.ts';

/** Returns docs/sheet-headers.md with the names from src/convert/headers.ts. */
export function headersPage(page: string): string {
  const sheets = Object.entries(headerNames).map(
    ([sheet, columns]) =>
      `## ${titles[sheet] ?? sheet}\n\n<!-- oxfmt-ignore -->\n${markdownTable(
        [sheet === 'event' ? 'Fact' : 'Column', ...languageNames],
        columns.map(({ column, names }) => [`\`${column}\``, ...names.map((each) => each.names.join(', '))]),
      )}`,
  );
  const letters = `## Results in letters\n\n<!-- oxfmt-ignore -->\n${markdownTable(
    ['Language of the header', 'Win', 'Draw', 'Loss'],
    letterings.map(({ language, win, draw, loss }) => [
      languageNames[languages.indexOf(language)] ?? language,
      ...[win, draw, loss].map((each) => each.split('').join(', ')),
    ]),
  )}`;
  const [before, after, ...more] = page.split(
    /(?<=^<!-- headers: .* -->\n)[^]*?(?=^<!-- end of headers -->)/m,
  );
  if (after === undefined || more.length > 0)
    throw new Error('docs/sheet-headers.md has lost the comments around its tables.');
  return `${before}\n${[...sheets, letters].join('\n')}\n${after}`;
}

const languageNames = ['English', 'Deutsch', 'Français', 'Español', 'Italiano', 'Polski'];

const titles: Record<string, string> = {
  event: 'The event sheet',
  players: 'The players sheet',
  games: 'The games sheet',
};
