import { isUtf8 } from 'node:buffer';
import { convertSheets, readGiven, type SheetOptions } from '../commands/convert.ts';
import { refuseForeignFiles } from '../record/foreign-format.ts';

export interface EventFeed {
  isOfSheets: boolean;
  sources: { name: string; bytes: Buffer }[];
  /** Of its events. */
  slugs: string[];
}

/** The feed of the sheets, or the files themselves if they are feeds. Undefined: the mistakes are printed. */
export async function readFeed(files: string[], options: SheetOptions): Promise<EventFeed | undefined> {
  const sources = await Promise.all(files.map(async (name) => ({ name, bytes: await readGiven(name) })));
  if (sources.some(({ bytes }) => isFeed(bytes.toString()))) {
    await refuseForeignFiles(files);
    return { isOfSheets: false, ...published(sources) };
  }
  const feed = await convertSheets(files, options, true);
  if (feed === undefined) return undefined;
  return { isOfSheets: true, ...published([{ name: 'sheets', bytes: Buffer.from(feed) }]) };
}

export const noEvent = 'The feed has no event: add a tournament.';

/** A sheet begins with words. */
const isFeed = (text: string): boolean => /^\uFEFF?\s*\{/.test(text);

/** Shows the events whatever they say about it. What is no record, or no UTF-8, is for the import to refuse. */
function published(sources: EventFeed['sources']): Pick<EventFeed, 'sources' | 'slugs'> {
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
    sources: sources.map(({ name, bytes }) => ({
      name,
      bytes: isUtf8(bytes)
        ? Buffer.from(new TextDecoder().decode(bytes).split('\n').map(shown).join('\n'))
        : bytes,
    })),
    slugs: [...slugs],
  };
}
