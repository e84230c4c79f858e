import { settings } from '../src/config/config.ts';
import { markdownTable } from './markdown-table.ts';

/** docs/settings.md with the table of the settings as src/config/config.ts has them. */
export function settingsPage(page: string): string {
  const rows = Object.values(settings).map((setting) => [
    `\`${setting.name}\``,
    defaultOf(setting.default),
    setting.meaning,
  ]);
  const table = markdownTable(['Setting', 'Default', 'Meaning'], rows);
  const [before, after, ...more] = page.split(
    /(?<=^<!-- settings: .* -->\n)[^]*?(?=^<!-- end of settings -->)/m,
  );
  if (after === undefined || more.length > 0)
    throw new Error('docs/settings.md has lost the comments around its table.');
  return `${before}\n<!-- oxfmt-ignore -->\n${table}\n${after}`;
}

function defaultOf(text: string | undefined): string {
  if (text === undefined) return '(required)';
  return text === '' ? '(none)' : `\`${text}\``;
}
