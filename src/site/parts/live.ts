import { framed } from './frame.ts';
import { html } from '../html.ts';
import { digestOf } from './revision-tag.ts';
import type { PageParts, SiteSettings } from '../site-settings.ts';

// The script of a live page asks for the page itself, with the tag of the copy it holds, and replaces its
// main part. So everything on the screen at one moment comes from one revision.

/** The element in which the script says whether the page is up to date, and what is new. */
export const pulse = html`<div class="pulse"><span></span><span role="status"></span></div>`;

/**
 * Makes a page that keeps itself up to date if `isLive` is true. A page cannot contain a digest of its whole
 * text, so its tag is the digest of the page without the tag.
 */
export function livePage(site: SiteSettings, parts: PageParts, isLive: boolean) {
  if (!isLive) return { text: framed(site, parts) };
  const tag = digestOf(framed(site, { ...parts, live: '' }));
  return { text: framed(site, { ...parts, live: `W/"${tag}"` }), tag };
}
