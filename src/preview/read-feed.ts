import { isUtf8 } from 'node:buffer';
import { convertSheets, readGiven, type SheetOptions } from '../commands/convert.ts';
import { refuseForeignFiles } from '../record/foreign-format.ts';

export interface EventFeed {
  isOfSheets: boolean;
  sources: { name: string; bytes: Buffer }[];
  /** The slugs of its events. */
  slugs: string[];
}

/**
 * Returns a feed made from the sheets, or the files themselves if they are feeds. Returns undefined if there
 * are mistakes, which it prints.
 */
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

/** Recognises a feed by its first character. A sheet begins with words. */
const isFeed = (text: string): boolean => /^\uFEFF?\s*\{/.test(text);

/**
 * Marks every event as published, whatever its record says, so that it is shown. Lines that are not records
 * or not UTF-8 are left for the import to refuse.
 */
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
