import { html, type Html } from '../html.ts';
import type { Words } from '../words/en.ts';
import { fileTo, pathTo, type PageParts, type SiteSettings } from '../site-settings.ts';
import { withQuery } from './pager.ts';
import { isCurrent } from './tabs.ts';

/** Makes the whole page: the head, the header with the navigation, the main part and the footer. */
export function framed(site: SiteSettings, page: PageParts): string {
  const { siteName, words } = site;
  const t = words.frame;
  const title = page.title === siteName ? siteName : `${page.title} · ${siteName}`;
  return html`<!DOCTYPE html>
<html lang="${words.language}"${page.hue !== undefined && html` class="${page.hue}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<meta name="description" content="${page.description}">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#ffffff" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#111615" media="(prefers-color-scheme: dark)">
${headLines(site, page)}</head>
<body>
<a class="skip" href="#main">${t.skip}</a>
<header class="site">
<a class="brand" href="${pathTo(site, '/')}">${mark}<span>${siteName}</span></a>
${site.savedAt ? html`<p class="meta"><span>${t.savedOn(words.moment(site.savedAt))}</span></p>` : ways(site, page)}
</header>
<main id="main"${page.kind !== undefined && html` class="${page.kind}"`}${liveData(page.live)}>
${page.main}
</main>
${site.savedAt === undefined && footer(site, page)}
</body>
</html>
`.text;
}

/** Draws the search field and the links to the other parts of the site. */
function ways(site: SiteSettings, page: PageParts): Html {
  const t = site.words.frame;
  return html`${site.hasPages && (page.event === undefined ? searchField(site, page.asked) : nameField(site, page.event, page.asked))}
<nav aria-label="${t.site}"><ul>${site.hasPages ? html`${link(pathTo(site, '/tournaments'), t.tournaments)}<li class="second"><a href="${pathTo(site, '/factions')}">${t.factions}</a></li>` : link(fileTo(site, '/docs'), 'API')}</ul></nav>`;
}

function footer(site: SiteSettings, page: PageParts): Html {
  const t = site.words.frame;
  return html`<footer class="foot">
<ul>${link(site.hasPages && pathTo(site, '/tournaments'), t.allTournaments)}${link(site.hasPages && pathTo(site, '/factions'), t.factions)}${link(site.hasPages && pathTo(site, '/clubs'), t.clubs)}${link(fileTo(site, '/docs'), t.data)}${link(site.dataUrl && fileTo(site, '/docs/files'), t.files)}${link(site.contactUrl, t.contact)}${link(site.termsUrl, t.terms)}</ul>
${site.translations.length > 0 && languageLinks(site, shownAddress(page))}</footer>`;
}

const mark = html`<svg viewBox="0 0 20 20" aria-hidden="true" focusable="false"><path d="M1 3h5l4 7-4 7H1l4-7zM19 3h-5l-1.7 3 2.3 4-2.3 4 1.7 3h5l-4-7z"/></svg>`;

/**
 * Returns the tag of this copy as an attribute of the main part. The script needs it to keep the page up to
 * date.
 */
export function liveData(tag: string | undefined): Html | false {
  return tag !== undefined && html` data-tag="${tag}"`;
}

function searchField(site: SiteSettings, asked = ''): Html {
  const t = site.words.frame;
  return html`<form class="find" role="search" aria-label="${t.wholeSite}" action="${pathTo(site, '/search')}"><input type="search" name="q" aria-label="${t.searchAll}" placeholder="${t.anything}" autocomplete="off" maxlength="100" required value="${asked}"><button type="submit" aria-label="${t.search}">${lens}</button></form>`;
}

/**
 * Draws the field that finds a participant. The script shows the hits while one types. Without it, the page
 * of the participants shows them.
 */
function nameField(site: SiteSettings, event: string, asked = ''): Html {
  const path = pathTo(site, event);
  const t = site.words.frame;
  return html`<form class="find" role="search" aria-label="${t.thisEvent}" action="${path}/participants" data-names="${path}/names" data-search="${pathTo(site, '/search')}"><input type="search" name="name" aria-label="${t.findName}" placeholder="${t.findName}" autocomplete="off" maxlength="100" value="${asked}"><button type="submit" aria-label="${t.find}">${lens}</button></form>`;
}

const lens = html`<svg viewBox="0 0 16 16" aria-hidden="true" focusable="false"><circle cx="6.5" cy="6.5" r="5"/><path d="M10.3 10.3L15 15"/></svg>`;

/** Loads the script, with its messages as JSON. */
export function scriptLine({ assets, words }: SiteSettings): Html {
  const known = scriptLines.get(words);
  if (known?.script === assets.script) return known.line;
  const t = JSON.stringify({ ...words.script, marked: words.match.followed });
  const line = html`<script src="${assets.script}" data-words="${t}" defer></script>\n`;
  scriptLines.set(words, { script: assets.script, line });
  return line;
}

/** Kept because escaping the messages takes longer than everything else in the head. */
const scriptLines = new WeakMap<Words, { script: string; line: Html }>();

function headLines(site: SiteSettings, page: PageParts): Html[] {
  const { assets } = site;
  const lines = [
    html`<link rel="icon" href="${assets.icon}" type="image/svg+xml">\n`,
    html`<link rel="apple-touch-icon" href="${assets.touchIcon}">\n`,
    html`<link rel="stylesheet" href="${assets.style}">\n`,
  ];
  if (page.isPrivate) lines.push(html`<meta name="robots" content="noindex">\n`);
  if (site.savedAt !== undefined) return lines;
  if (page.canonical !== undefined) lines.push(...addressLines(site, page.canonical, page));
  if (page.hasScript) lines.push(scriptLine(site));
  if (page.head !== undefined) lines.push(page.head);
  return lines;
}

/** Returns the canonical address, and what chat programs show for a link to it. */
function addressLines(site: SiteSettings, canonical: string, page: PageParts): Html[] {
  const { assets, siteUrl, siteName, ownPath } = site;
  const { title, description } = page;
  const address =
    page.isPrivate || ownPath !== '' ? `${siteUrl}${ownPath}${canonical}` : toldAddress(site, canonical);
  return [
    html`<link rel="canonical" href="${address}">\n`,
    ...(page.isPrivate ? [] : otherLanguages(site, canonical)),
    html`<meta property="og:site_name" content="${siteName}">\n`,
    html`<meta property="og:type" content="website">\n`,
    html`<meta property="og:title" content="${title}">\n`,
    html`<meta property="og:description" content="${description}">\n`,
    html`<meta property="og:url" content="${address}">\n`,
    html`<meta property="og:image" content="${new URL(assets.preview, siteUrl).href}">\n`,
    html`<meta property="og:image:width" content="1200">\n<meta property="og:image:height" content="630">\n`,
    html`<meta name="twitter:card" content="summary_large_image">\n`,
  ];
}

/** Tells search engines where the page is in each language. */
function otherLanguages(site: SiteSettings, canonical: string): Html[] {
  const line = (language: string, address: string) =>
    html`<link rel="alternate" hreflang="${language}" href="${address}">\n`;
  const plain = toldAddress(site, canonical);
  return site.translations.flatMap(({ language, path }) =>
    path === ''
      ? [line(language, plain), line('x-default', plain)]
      : line(language, `${site.siteUrl}${path}${canonical}`),
  );
}

/** Returns the address of the page with the name that it was asked for, which the canonical address lacks. */
function shownAddress({ canonical = '/', event, asked }: PageParts): string {
  return withQuery(canonical, { name: (event && asked) || undefined });
}

/** Links to the same page in each language, under the language's own name. */
function languageLinks(site: SiteSettings, address: string): Html {
  const { words } = site;
  return html`<ul>${site.translations.map(
    ({ language, name, path }) =>
      html`<li><a href="${fileTo(site, path + address)}" lang="${language}"${language === words.language && isCurrent}>${name}</a></li>`,
  )}</ul>\n`;
}

/**
 * Returns the address that the API gives in `url`. A page that search engines must leave out keeps its own
 * address instead, because they would leave out the other one as well.
 */
function toldAddress({ siteUrl, pageBases }: SiteSettings, path: string): string {
  const [, folder, slug = ''] = /^\/(tournaments|clubs)\/([^/?]+)$/.exec(path) ?? [];
  return folder === undefined
    ? `${siteUrl}${path}`
    : `${pageBases[folder as 'tournaments' | 'clubs']}${slug}`;
}

function link(address: string | undefined | false, text: string): Html | undefined {
  return address === undefined || address === false
    ? undefined
    : html`<li><a href="${address}">${text}</a></li>`;
}
