import { framed } from '../parts/frame.ts';
import { html } from '../parts/html.ts';
import { digestOf, revisionTags } from '../parts/revision-tag.ts';
import { type Live, type PageParts, pathTo, type SiteSettings } from '../site-settings.ts';

// The script of a live page asks for a fragment that all who watch the event share. Its tag moves with the event: then the
// page is old, and the script fetches it.

export const nowRoute = '/tournaments/:slug/now';

/** With the revision of the tournament. The tag of the page is still missing. */
export function liveWith(site: SiteSettings, slug: string, revision: string, today: string): Live {
  return {
    address: pathTo(site, `/tournaments/${slug}/now`),
    fragment: `W/"${fragmentTags(site, slug, today).tag(revisionOfFragment(revision))}"`,
  };
}

export function fragmentTags(
  site: SiteSettings,
  slug: string,
  today: string,
  heldTags: readonly string[] = [],
) {
  return revisionTags(site, nowRoute, { params: { slug }, query: {}, heldTags, today });
}

/** It shows no club, so the revision of the club does not count. */
export const revisionOfFragment = (revision: string) => `${revision}.0`;

/** The script writes the time here, and what is new. */
export const pulse = html`<div class="pulse"><span></span><span role="status"></span></div>`;

/**
 * A page cannot contain a digest of its whole text. So its tag is the digest of what it is without the tag. Without the tag of a
 * fragment, the script asks for the page itself.
 */
export function livePage(
  site: SiteSettings,
  parts: PageParts,
  live: (Pick<Live, 'address'> & Partial<Live>) | undefined,
) {
  if (live === undefined) return { text: framed(site, parts) };
  const tag = digestOf(framed(site, { ...parts, live: { fragment: '', ...live } }));
  const held = `W/"${tag}"`;
  return { text: framed(site, { ...parts, live: { fragment: held, ...live, tag: held } }), tag };
}
