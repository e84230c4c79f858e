import { readFile } from 'node:fs/promises';

/** What docs/install.md tells its reader to type under a heading of the second level, as one script. */
export async function scriptOf(heading: string): Promise<string> {
  const section = await sectionOf(heading);
  return [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, text]) => text).join('');
}

/** What docs/install.md says the reader will see under this heading. */
export async function shownIn(heading: string): Promise<string[]> {
  const section = await sectionOf(heading);
  return [...section.matchAll(/^```text\n(.*?)^```$/gms)].flatMap(
    ([, text]) => text?.trimEnd().split('\n') ?? [],
  );
}

async function sectionOf(heading: string): Promise<string> {
  const page = await readFile(new URL('../../docs/install.md', import.meta.url), 'utf8');
  const section = page.split(/^## /m).find((each) => each.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`docs/install.md has no section ${heading}`);
  return section;
}
