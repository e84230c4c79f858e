import { framed } from '../parts/frame.ts';
import { html } from '../parts/html.ts';
import { pathTo, type SiteSettings } from '../site-settings.ts';

/** One page for every reason: unpublished must look like unknown. */
export function notFoundPage(site: SiteSettings): string {
  const wayOn = html`<p><a href="${pathTo(site, '/tournaments')}">See all tournaments</a></p>`;
  return framed(site, {
    title: 'Nothing here',
    description: 'Nothing is published at this address.',
    isPrivate: true,
    main: html`<header class="title">
<h1>Nothing is published at this address</h1>
<p class="prose">Check the address${site.hasPages && ', or search for what you were after'}.</p>
</header>
${site.hasPages && wayOn}`,
  });
}

/** For a method that the site does not take, and for what is no HTTP. */
export function refusedPage(site: SiteSettings): string {
  return framed(site, {
    title: 'Not understood',
    description: 'This request cannot be answered.',
    isPrivate: true,
    main: html`<header class="title">
<h1>This request cannot be answered</h1>
<p class="prose">Pages can only be read. Follow a link, or check the address.</p>
</header>`,
  });
}

export function unavailablePage(site: SiteSettings): string {
  return framed(site, {
    title: 'Just a moment',
    description: 'This page cannot be shown right now.',
    isPrivate: true,
    main: html`<header class="title">
<h1>This page cannot be shown right now</h1>
<p class="prose">Too many people are asking, or the database is away. No result is lost. Load the page again in a few seconds.</p>
</header>`,
  });
}
