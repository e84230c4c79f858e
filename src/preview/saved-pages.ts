// Saves the pages of one event as files in one folder. They link to each other, and to nothing else on the
// site. They come from a server whose pages know that they are saved.
import { createHash } from 'node:crypto';

/** Contents of files by file name. */
export type SavedFiles = Map<string, string | Buffer>;

/**
 * Collects the pages that the page of the event links to, and those that they link to, as long as they belong
 * to the event.
 */
export async function savedPages(siteUrl: string, slug: string): Promise<SavedFiles> {
  const event = `/tournaments/${slug}`;
  const isOfEvent = (target: string) =>
    /^\/(battles|assets)\//.test(target) ||
    (target.startsWith(event) && /^([/?]|$)/.test(target.slice(event.length)));
  const found = new Map<string, string | Buffer>();
  const targets = new Set([event]);
  for (const target of targets) {
    const answer = await fetch(`${siteUrl}${target}`, { redirect: 'manual' });
    if (answer.status >= 500 || (target === event && !answer.ok))
      throw new Error(`${target} could not be made`);
    const isPage = answer.headers.get('content-type')?.startsWith('text/html') === true;
    const content = isPage ? await answer.text() : Buffer.from(await answer.arrayBuffer());
    // A page that has moved does not belong to the event.
    if (answer.status !== 200) continue;
    found.set(target, content);
    if (typeof content !== 'string') continue;
    for (const [, address = ''] of content.matchAll(/ href="([^"#]*)/g))
      if (isOfEvent(targetOf(address))) targets.add(targetOf(address));
  }
  const files = new Map([...found.keys()].map((target) => [target, fileOf(event, target)]));
  return new Map(
    [...found].map(([target, content]) => [
      files.get(target) ?? '',
      typeof content === 'string' ? withFiles(content, files) : content,
    ]),
  );
}

/**
 * Points the links of a page to the files. Our pages escape all text, so ` href="` always begins an
 * attribute, and `>` always ends a tag.
 */
function withFiles(page: string, files: ReadonlyMap<string, string>): string {
  return page
    .replaceAll(
      /(<link [^>]*href=")([^"]*)/g,
      (_, before: string, address: string) => before + (files.get(address) ?? ''),
    )
    .replaceAll(
      /<a\b([^>]*) href="([^"#]*)([^"]*)"([^>]*)>([^]*?)<\/a>/g,
      (link, before: string, address: string, fragment: string, after: string, text: string) => {
        if (!address.startsWith('/')) return link;
        const file = files.get(targetOf(address));
        if (file !== undefined) return `<a${before} href="${file}${fragment}"${after}>${text}</a>`;
        // Guests are written in the same way.
        return `<span${before.replace('"name"', '"clamp"')}>${text}</span>`;
      },
    );
}

const targetOf = (address: string): string => address.replaceAll('&amp;', '&').replaceAll('&#39;', "'");

/**
 * Returns the file name for a target, such as `rounds.stage-swiss.round-2.html`. The same target gets the
 * same name each time it is saved. A digest keeps names apart if a target contains characters that cannot be
 * used, or if names would differ only in case, which some file systems ignore.
 */
export function fileOf(event: string, target: string): string {
  const { pathname, searchParams } = new URL(target, 'http://localhost');
  const part =
    pathname === event
      ? 'index'
      : pathname
          .replace(/^\/assets\/[^/]*\//, '')
          .replace(`${event}/`, '')
          .replace(/^\//, '');
  const [, name = '', ending = '.html'] = /^(.*?)(\.[a-z]+)?$/.exec(part) ?? [];
  const whole = [name.replaceAll('/', '-'), ...[...searchParams].map((pair) => pair.join('-'))].join('.');
  const fitting = whole
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .slice(0, longestName);
  const digest = createHash('sha256').update(whole).digest('hex').slice(0, 8);
  return `${fitting}${fitting === whole ? '' : `-${digest}`}${ending}`;
}

const longestName = 100;
