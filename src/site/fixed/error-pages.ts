import { framed } from '../parts/frame.ts';
import { html } from '../html.ts';
import { pathTo, type SiteSettings } from '../site-settings.ts';

/** One page for every reason: unpublished must look like unknown. */
export function notFoundPage(site: SiteSettings): string {
  const said = site.words.errors;
  const wayOn = html`<p><a href="${pathTo(site, '/tournaments')}">${said.allTournaments}</a></p>`;
  return framed(site, {
    title: said.notFound.title,
    description: said.notFound.description,
    isPrivate: true,
    main: html`<header class="title">
<h1>${said.notFound.heading}</h1>
<p class="lede">${site.hasPages ? said.notFound.checkOrSearch : said.notFound.check}</p>
</header>
${site.hasPages && wayOn}`,
  });
}

/** For a method that the site does not take, and for what is no HTTP. */
export function refusedPage(site: SiteSettings): string {
  return shortPage(site, site.words.errors.refused);
}

export function unavailablePage(site: SiteSettings): string {
  return shortPage(site, site.words.errors.unavailable);
}

interface Said {
  title: string;
  description: string;
  heading: string;
  advice: string;
}

function shortPage(site: SiteSettings, { title, description, heading, advice }: Said): string {
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
