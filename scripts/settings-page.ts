import { settings } from '../src/config/config.ts';

/** Returns docs/settings.md with the list of the settings in src/config/config.ts. */
export function settingsPage(page: string): string {
  const list = Object.values(settings).map(
    (setting) =>
      `- \`${setting.name}\`${'isSecret' in setting ? ', `' + setting.name + '_FILE`' : ''} (${defaultOf(setting.default)}): ${setting.meaning}\n`,
  );
  const [before, after, ...more] = page.split(
    /(?<=^<!-- settings: .* -->\n)[^]*?(?=^<!-- end of settings -->)/m,
  );
  if (after === undefined || more.length > 0)
    throw new Error('docs/settings.md has lost the comments around its list.');
  return `${before}\n<!-- oxfmt-ignore -->\n${list.join('')}\n${after}`;
}

function defaultOf(text: string | undefined): string {
  if (text === undefined) return 'required';
  return text === '' ? 'none' : `\`${text}\``;
}
