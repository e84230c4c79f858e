import { html, type Html } from '../html.ts';
import { pathTo, type SiteSettings } from '../site-settings.ts';
import { positionText, type PagePosition } from './position.ts';
import { isCurrent } from './tabs.ts';

/** Labels such as `More games`, `Latest games` and `Older games`. */
interface PagerWords {
  more: string;
  first: string;
  next: string;
}

export interface Pager {
  /** The path of the page, without the path of the site. */
  path: string;
  /** The other parameters of the address, which all pages of the list share. */
  query?: Readonly<Record<string, string | undefined>>;
  /** The name of the parameter with the position. */
  parameter: string;
  t: PagerWords;
  isFirst: boolean;
  /** The position at which the next page begins. Undefined on the last page. */
  next: PagePosition | undefined;
}

export function pager(
  site: SiteSettings,
  { path, query = {}, parameter, t, isFirst, next }: Pager,
): Html | undefined {
  if (isFirst && next === undefined) return undefined;
  const older = next && { ...query, [parameter]: positionText(next) };
  return html`<nav class="pager" aria-label="${t.more}">${!isFirst && html`<a href="${addressOf(site, path, query)}">${t.first}</a>`}${older && html`<a href="${addressOf(site, path, older)}" rel="next">${t.next}</a>`}</nav>`;
}

/** Returns the path of a page with its query, as links contain it. */
export function addressOf(
  site: SiteSettings,
  path: string,
  query: Readonly<Record<string, string | undefined>>,
): string {
  return pathTo(site, withQuery(path, query));
}

/** Returns the path with its query, without the path of the site. */
export function withQuery(path: string, query: Readonly<Record<string, string | undefined>>): string {
  let text = path;
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) text += `${text.includes('?') ? '&' : '?'}${name}=${inQuery(value)}`;
  }
  return text;
}

/**
 * Writes a value exactly as `URLSearchParams` does, but in a third of the time, because every row of a board
 * has such a link.
 */
function inQuery(value: string): string {
  return encodeURIComponent(value.toWellFormed())
    .replaceAll('%20', '+')
    .replaceAll(/[!'()~]/g, (found) => `%${found.charCodeAt(0).toString(16).toUpperCase()}`);
}

/**
 * Returns how many rows the address skips, or undefined if no page begins there. Only the beginnings of pages
 * have an address, so that there are few addresses.
 */
export function afterOf(text: string | undefined, size: number): number | undefined {
  if (text === undefined) return 0;
  const after = /^[1-9][0-9]{2,5}$/.test(text) ? Number(text) : 0;
  return after > 0 && after % size === 0 ? after : undefined;
}

/** Draws links to all pages of a list whose length is known: `1–200`, `201–350`. */
export function pageSteps(
  { count, size, after }: { count: number; size: number; after: number },
  addressFrom: (after: number) => string,
  label: string,
): Html | undefined {
  if (count <= size) return undefined;
  const starts = Array.from({ length: Math.ceil(count / size) }, (_, index) => index * size);
  return html`<nav class="tabs steps" aria-label="${label}"><ul>${starts.map(
    (start) => html`
<li><a href="${addressFrom(start)}"${start === after && isCurrent}>${start + 1}–${Math.min(start + size, count)}</a></li>`,
  )}
</ul></nav>`;
}

/**
 * Returns a page of a list that was read with one row more than the page shows, and where the next page
 * begins.
 */
export function firstPageOf<Row extends { position: PagePosition | null }>(
  rows: readonly Row[],
  size: number,
): { shown: readonly Row[]; next: PagePosition | undefined } {
  const shown = rows.slice(0, size);
  return { shown, next: rows.length > size ? (shown.at(-1)?.position ?? undefined) : undefined };
}
