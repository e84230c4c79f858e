import type { Club } from '../../contract/club.ts';
import type { Tournament } from '../../contract/tournament.ts';
import { parseStored } from '../../read/page-address.ts';
import { maxOfAKind, searchValues } from '../../read/search.ts';
import {
  hitsOf,
  keptForMs,
  longestQuery,
  searchWithDetails,
  shownBy,
  type Detail,
  type Hit,
  type SearchRow,
} from '../../read/search-with-details.ts';
import { framed } from '../parts/frame.ts';
import { html, type Html } from '../parts/html.ts';
import { noResultsSince } from '../now/old-event.ts';
import type { MadePage, PageRoute } from '../page.ts';
import { days } from '../parts/dates.ts';
import { statusBadge } from '../parts/events.ts';
import { name, place } from '../parts/names.ts';
import { withQuery } from '../parts/pager.ts';
import { pathTo, type SiteSettings } from '../site-settings.ts';

export function searchPage(site: SiteSettings): PageRoute {
  return {
    path: '/search',
    query: ['q'],
    scope: () => 'search',
    make: async ({ query, today, read }) => {
      const asked = (query['q'] ?? '').trim();
      const sentence = (text: string) => html`<p class="empty">${text}</p>`;
      if (asked === '') return made(site, '', sentence('Find a tournament, a player or a club by its name.'));
      if (asked.length > longestQuery)
        return made(site, '', sentence('That is too long to look for. A part of the name is enough.'));
      const values = searchValues(asked);
      if (values === null)
        return made(site, asked, sentence('Please type at least two letters or digits of the name.'));
      const rows = await read<SearchRow>(searchWithDetails, values, (found) => found.flatMap(shownBy));
      return made(site, asked, results(site, asked, rows, today));
    },
  };
}

function made(site: SiteSettings, asked: string, below: Html): MadePage {
  const text = framed(site, {
    title: asked === '' ? 'Search' : `${asked} · Search`,
    description: 'Find a tournament, a player or a club.',
    canonical: withQuery('/search', { q: asked || undefined }),
    isPrivate: true,
    asked,
    main: html`<header class="title">
<h1>${asked === '' ? 'Search' : html`Search: ${name(asked)}`}</h1>
<p class="meta">Words in any order. The beginning of a word is enough.</p>
</header>
${below}`,
  });
  return { text, keptForMs };
}

const kinds: [
  kind: Hit['kind'],
  folder: string,
  heading: string,
  facts: (detail: Detail, today: string) => Html[],
][] = [
  ['tournament', 'tournaments', 'Tournaments', factsOfEvent],
  ['player', 'players', 'Players', factsOfPlayer],
  ['club', 'clubs', 'Clubs', ({ document }) => placeOf(parseStored<Club>(document ?? ''))],
];

function results(site: SiteSettings, asked: string, rows: readonly SearchRow[], today: string): Html {
  const hits = hitsOf(rows);
  const isCut = rows[0]?.isCut === true;
  const partly = 'These words begin very many names, and only a part of them was looked through.';
  if (hits.length === 0) {
    return html`<p class="empty">${isCut ? `${partly} Type more of the name.` : html`Nothing here has a name with “${name(asked)}”.`}</p>`;
  }
  const groups = kinds.flatMap(([kind, folder, heading, facts]) => {
    const these = hits.filter((hit) => hit.kind === kind);
    if (these.length === 0) return [];
    const items = these.map(
      (hit) => html`
<li><a href="${pathTo(site, `/${folder}/${hit.key}`)}"><span class="clamp hit">${name(hit.name)}</span>${facts(hit.detail, today).map((line) => html`<span class="sub clamp">${line}</span>`)}</a></li>`,
    );
    return [
      html`<section aria-labelledby="${folder}">
<h2 id="${folder}">${heading}</h2>
<ul class="hits">${items}
</ul>
</section>\n`,
    ];
  });
  const hasMore = rows.some(({ place: nr }) => Number(nr) > maxOfAKind);
  return html`${groups}${(isCut || hasMore) && html`<p class="empty">There may be more. ${isCut && `${partly} `}Type more of the name to see them.</p>`}`;
}

function factsOfEvent({ document, lastDays }: Detail, today: string): Html[] {
  const event = parseStored<Tournament>(document ?? '');
  const when = days(event.startDate, event.endDate, true);
  return [
    html`${when}${when !== undefined && placeOf(event).length > 0 && ' · '}${placeOf(event)}`,
    ...statusBadge(event, noResultsSince(lastDays, today)),
  ];
}

/** Two people of one name rarely play for one club at one event. */
function factsOfPlayer({ event, club }: Detail): Html[] {
  return [club, event].flatMap((thing) =>
    thing ? [name(parseStored<Club | Tournament>(thing.document).name)] : [],
  );
}

function placeOf(thing: { city: string | null; country: string | null }): Html[] {
  const where = place(thing);
  return where === undefined ? [] : [where];
}
