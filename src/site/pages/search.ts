import { searchRange, type Found } from '../../read/search.ts';
import { framed } from '../frame.ts';
import { html, type Html } from '../html.ts';
import type { MadePage, PageRoute } from '../page.ts';
import { name } from '../parts/names.ts';
import { searchForm } from '../parts/search-form.ts';
import { pathTo, type SiteSettings } from '../site-settings.ts';
import { searchOfPage, type SearchPageRow } from '../statements/search.ts';

export function searchPage(site: SiteSettings): PageRoute {
  return {
    path: '/search',
    query: ['q'],
    scope: () => 'search',
    make: async ({ query, read }) => {
      const asked = (query['q'] ?? '').trim();
      if (asked === '') return made(site, '', undefined);
      if (asked.length > longest) {
        return made(
          site,
          '',
          html`<p class="empty">That is too long to look for. A part of the name is enough.</p>`,
        );
      }
      const range = searchRange(asked);
      if (range === null) {
        return made(
          site,
          asked,
          html`<p class="empty">Please type at least two letters or digits of the name.</p>`,
        );
      }
      const rows = await read<SearchPageRow>(searchOfPage, range);
      return made(site, asked, results(site, asked, rows));
    },
  };
}

/** As long as the form lets one type. */
const longest = 100;
/** As many as the statement reads. */
const mostRows = 60;

function made(site: SiteSettings, asked: string, below: Html | undefined): MadePage {
  const text = framed(site, {
    title: asked === '' ? 'Search' : `${asked} · Search`,
    description: 'Find a tournament, a player or a club.',
    isPrivate: true,
    main: html`<header class="title">
<h1>Search</h1>
</header>
${searchForm(site, asked)}
${below}`,
  });
  // A publisher of the version before changes names without a word about the search.
  return { text, keptForMs: 5_000 };
}

const kinds: [kind: Found['kind'], folder: string, heading: string][] = [
  ['tournament', 'tournaments', 'Tournaments'],
  ['club', 'clubs', 'Clubs'],
  ['player', 'players', 'Players'],
];

function results(site: SiteSettings, asked: string, rows: readonly SearchPageRow[]): Html {
  const found = distinct(rows);
  if (found.length === 0) {
    return html`<p class="empty">Nothing here has a name with “${name(asked)}”.</p>`;
  }
  const groups = kinds.flatMap(([kind, folder, heading]) => {
    const these = found.filter((each) => each.kind === kind);
    if (these.length === 0) return [];
    const items = these.map(
      ({ key, label }) =>
        html`\n<li><a class="name" href="${pathTo(site, `/${folder}/${key}`)}">${name(label)}</a></li>`,
    );
    return [
      html`<section aria-labelledby="${folder}">
<h2 id="${folder}">${heading}</h2>
<ul class="events">${items}</ul>
</section>\n`,
    ];
  });
  const isCut = rows.length >= mostRows;
  return html`${groups}${isCut && html`<p class="empty">There may be more. Type more of the name to see them.</p>`}`;
}

/** A thing comes once for each of its words that fits. */
function distinct(rows: readonly SearchPageRow[]): Found[] {
  const found = new Map<string, Found>();
  for (const row of rows) {
    if (row.kind !== null && !found.has(`${row.kind} ${row.key}`)) found.set(`${row.kind} ${row.key}`, row);
  }
  return [...found.values()];
}
