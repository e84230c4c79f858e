import { framed } from '../parts/frame.ts';
import { html } from '../html.ts';
import { pathTo, type SiteSettings } from '../site-settings.ts';

/** Returns the same page for every reason, because what is unpublished must look like what is unknown. */
export function notFoundPage(site: SiteSettings): string {
  const t = site.words.errors;
  const wayOn = html`<p><a href="${pathTo(site, '/tournaments')}">${t.allTournaments}</a></p>`;
  return framed(site, {
    title: t.notFound.title,
    description: t.notFound.description,
    isPrivate: true,
    main: html`<header class="title">
<h1>${t.notFound.heading}</h1>
<p class="lede">${site.hasPages ? t.notFound.checkOrSearch : t.notFound.check}</p>
</header>
${site.hasPages && wayOn}`,
  });
}

/** Returns the page for a method that the site does not support, and for input that isn't valid HTTP. */
export function refusedPage(site: SiteSettings): string {
  return shortPage(site, site.words.errors.refused);
}

export function unavailablePage(site: SiteSettings): string {
  return shortPage(site, site.words.errors.unavailable);
}

interface ErrorWords {
  title: string;
  description: string;
  heading: string;
  advice: string;
}

function shortPage(site: SiteSettings, { title, description, heading, advice }: ErrorWords): string {
  return framed(site, {
    title,
    description,
    isPrivate: true,
    main: html`<header class="title">
<h1>${heading}</h1>
<p class="lede">${advice}</p>
</header>`,
  });
}
