import { convertSheets, readGiven, type SheetOptions } from '../commands/convert.ts';
import { refuseForeignFiles } from '../record/foreign-format.ts';

export interface EventFeed {
  sources: { name: string; text: string }[];
  /** Of its events. */
  slugs: string[];
}

/** The feed of the sheets, or the files themselves if they are feeds. Undefined: the mistakes are printed. */
export async function readFeed(files: string[], options: SheetOptions): Promise<EventFeed | undefined> {
  const sources = await Promise.all(
    files.map(async (name) => ({ name, text: (await readGiven(name)).toString() })),
  );
  if (sources.some(({ text }) => isFeed(text))) {
    await refuseForeignFiles(files);
    return published(sources);
  }
  const feed = await convertSheets(files, options, true);
  return feed === undefined ? undefined : published([{ name: 'sheets', text: feed }]);
}

/** A sheet begins with words. */
const isFeed = (text: string): boolean => /^\uFEFF?\s*\{/.test(text);

/** Shows the events whatever they say about it. A line that is no record is for the import to refuse. */
function published(sources: EventFeed['sources']): EventFeed {
  const slugs = new Set<string>();
  const shown = (line: string): string => {
    if (!line.includes('"tournament"')) return line;
    try {
      const record = JSON.parse(line) as { kind?: unknown; slug?: unknown };
      if (record.kind !== 'tournament' || typeof record.slug !== 'string') return line;
      slugs.add(record.slug);
      return JSON.stringify({ ...record, published: true });
    } catch {
      return line;
    }
  };
  return {
    sources: sources.map(({ name, text }) => ({ name, text: text.split('\n').map(shown).join('\n') })),
    slugs: [...slugs],
  };
}
