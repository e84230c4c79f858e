import { readFile } from 'node:fs/promises';
import { blocksOf } from '../guides/guide-blocks.ts';

/**
 * Returns what docs/install.md tells its readers to type under a heading of the second level, as one script.
 */
export async function scriptOf(heading: string): Promise<string> {
  return (await textsOf(heading, 'sh')).join('');
}

/** Returns the lines that docs/install.md says the reader will see under this heading. */
export async function shownIn(heading: string): Promise<string[]> {
  return (await textsOf(heading, 'text')).flatMap((text) => text.trimEnd().split('\n'));
}

async function textsOf(heading: string, wanted: string): Promise<string[]> {
  const page = await readFile(new URL('../../docs/install.md', import.meta.url), 'utf8');
  const section = page.split(/^## /m).find((each) => each.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`docs/install.md has no section ${heading}`);
  return blocksOf(section)
    .filter(({ language }) => language === wanted)
    .map(({ text }) => text);
}
