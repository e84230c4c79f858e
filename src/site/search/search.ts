import type { Club } from '../../contract/club.ts';
import type { Tournament } from '../../contract/tournament.ts';
import { parseStored } from '../../read/page-address.ts';
import type { ShownScope } from '../../read/newest-revisions.ts';
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
import { noResultsSince } from '../../read/old-event.ts';
import type { MadePage, PageRoute } from '../page.ts';
import { statusBadge } from '../parts/events.ts';
import { guestKey } from '../parts/guests.ts';
import { name, personAddress, place } from '../parts/names.ts';
import { withQuery } from '../parts/pager.ts';
import { pathTo, type SiteSettings } from '../site-settings.ts';
import { guestsOfSearch, type GuestRow } from './guest-statement.ts';

export function searchPage(site: SiteSettings): PageRoute {
  return {
    path: '/search',
    query: ['q'],
    scope: () => 'search',
    make: async ({ query, today, read }) => {
      const said = site.words.search;
      const asked = (query['q'] ?? '').trim();
      const sentence = (text: string) => html`<p class="empty">${text}</p>`;
      if (asked === '') return made(site, '', sentence(said.how));
      if (asked.length > longestQuery) return made(site, '', sentence(said.tooLong));
      const values = searchValues(asked);
      if (values === null) return made(site, asked, sentence(said.tooShort));
      const rows = await read<SearchRow>(searchWithDetails, values, (found) => found.flatMap(shownBy));
      const guests = site.hasGuests
        ? await read<GuestRow>(guestsOfSearch, values, (found) => found.flatMap(eventShownBy))
        : [];
      return made(site, asked, results(site, asked, rows, guests, today));
    },
  };
}

function made(site: SiteSettings, asked: string, below: Html): MadePage {
  const said = site.words.search;
  const text = framed(site, {
    title: asked === '' ? said.title : `${asked} · ${said.title}`,
    description: said.description,
    canonical: withQuery('/search', { q: asked || undefined }),
    isPrivate: true,
    asked,
    main: html`<header class="title">
<h1>${asked === '' ? said.title : html`${said.title}: ${name(asked)}`}</h1>
<p class="meta">${said.hint}</p>
</header>
${below}`,
  });
  return { text, keptForMs };
}

const kinds: [
  kind: Hit['kind'],
  folder: 'tournaments' | 'players' | 'clubs',
  facts: (site: SiteSettings, detail: Detail, today: string) => Html[],
][] = [
  ['tournament', 'tournaments', factsOfEvent],
  ['player', 'players', factsOfPlayer],
  ['club', 'clubs', (_, { document }) => placeOf(parseStored<Club>(document ?? ''))],
];

function results(
  site: SiteSettings,
  asked: string,
  rows: readonly SearchRow[],
  guests: readonly GuestRow[],
  today: string,
): Html {
  const hits = hitsOf(rows);
  const isCut = rows[0]?.isCut === true || guests[0]?.isCut === true;
  const said = site.words.search;
  const items = guestItems(site, guests);
  if (hits.length + items.length === 0) {
    return html`<p class="empty">${isCut ? `${said.partly} ${said.typeMore}` : said.nothing(name(asked))}</p>`;
  }
  const groups = kinds.flatMap(([kind, folder, facts]) => {
    const these = hits.filter((hit) => hit.kind === kind);
    if (these.length === 0) return [];
    const found = these.map((hit) =>
      item(pathTo(site, `/${folder}/${hit.key}`), hit.name, facts(site, hit.detail, today)),
    );
    return [section(folder, said[folder], found)];
  });
  const hasMore = [...rows, ...guests].some(({ place: nr }) => Number(nr) > maxOfAKind);
  return html`${groups}${items.length > 0 && section('guests', said.guests, items)}${(isCut || hasMore) && html`<p class="empty">${said.maybeMore} ${isCut && `${said.partly} `}${said.typeMoreToSee}</p>`}`;
}

function section(id: string, heading: string, items: readonly Html[]): Html {
  return html`<section aria-labelledby="${id}">
<h2 id="${id}">${heading}</h2>
<ul class="hits">${items}
</ul>
</section>\n`;
}

function item(address: string, label: string, facts: readonly Html[]): Html {
  return html`
<li><a href="${address}"><span class="clamp hit">${name(label)}</span>${facts.map((line) => html`<span class="sub clamp">${line}</span>`)}</a></li>`;
}

/** Never merged by name: nobody knows whether two guests of one name are one person. */
function guestItems(site: SiteSettings, rows: readonly GuestRow[]): Html[] {
  return rows.flatMap(({ tournament, entry, detail }) => {
    const address = tournament && personAddress(site, { guest: guestKey(site, tournament, entry) });
    if (!address || detail === null) return [];
    const event = parseStored<Tournament>(detail.document);
    const when = site.words.days(event.startDate, event.endDate, true);
    return [item(address, detail.name, [name(event.name), ...(when === undefined ? [] : [when])])];
  });
}

function eventShownBy({ tournament, detail }: GuestRow): ShownScope[] {
  return tournament !== null && detail !== null
    ? [{ scope: `tournament:${tournament}`, revision: BigInt(detail.revision) }]
    : [];
}

function factsOfEvent(site: SiteSettings, { document, lastDays }: Detail, today: string): Html[] {
  const event = parseStored<Tournament>(document ?? '');
  const when = site.words.days(event.startDate, event.endDate, true);
  return [
    html`${when}${when !== undefined && placeOf(event).length > 0 && ' · '}${placeOf(event)}`,
    ...statusBadge(site, event, noResultsSince(lastDays, today)),
  ];
}

/** Two people of one name rarely play for one club at one event. */
function factsOfPlayer(_: SiteSettings, { event, club }: Detail): Html[] {
  return [club, event].flatMap((thing) =>
    thing ? [name(parseStored<Club | Tournament>(thing.document).name)] : [],
  );
}

function placeOf(thing: { city: string | null; country: string | null }): Html[] {
  const where = place(thing);
  return where === undefined ? [] : [where];
}
