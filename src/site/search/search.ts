import type { Club } from '../../contract/club.ts';
import type { Tournament } from '../../contract/tournament.ts';
import { parseStored } from '../../read/page-address.ts';
import type { ShownScope } from '../../read/newest-revisions.ts';
import { maxOfAKind, searchValues } from '../../read/search.ts';
import {
  hitsOf,
  longestQuery,
  searchWithDetails,
  shownBy,
  type Hit,
  type SearchRow,
} from '../../read/search-with-details.ts';
import { framed } from '../parts/frame.ts';
import { html, type Html } from '../html.ts';
import { pastEvent } from '../../read/being-played.ts';
import type { MadePage, PageRoute } from '../page.ts';
import { disc, noCrest } from '../parts/crest.ts';
import { eventRow } from '../parts/events.ts';
import { guestKey, guestPath } from '../parts/guests.ts';
import { name, cityAndCountry } from '../parts/names.ts';
import { withQuery } from '../parts/pager.ts';
import { type ListRow, rowList } from '../parts/rows.ts';
import { pathTo, type SiteSettings } from '../site-settings.ts';
import { guestsOfSearch, type GuestRow } from './guest-statement.ts';

export function searchPage(site: SiteSettings): PageRoute {
  return {
    path: '/search',
    query: ['q'],
    scope: () => 'search',
    make: async ({ query, today, read }) => {
      const t = site.words.search;
      const asked = (query['q'] ?? '').trim();
      const sentence = (text: string) => html`<p class="empty">${text}</p>`;
      if (asked === '') return made(site, '', sentence(t.how));
      if (asked.length > longestQuery) return made(site, '', sentence(t.tooLong));
      const values = searchValues(asked);
      if (values === null) return made(site, asked, sentence(t.tooShort));
      const rows = await read<SearchRow>(searchWithDetails, values, (found) => found.flatMap(shownBy));
      const guests = site.hasGuests
        ? await read<GuestRow>(guestsOfSearch, values, (found) => found.flatMap(eventShownBy))
        : [];
      return made(site, asked, results(site, asked, rows, guests, today), true);
    },
  };
}

function made(site: SiteSettings, asked: string, below: Html, hasScript = false): MadePage {
  const t = site.words.search;
  const text = framed(site, {
    title: asked === '' ? t.title : `${asked} · ${t.title}`,
    description: t.description,
    canonical: withQuery('/search', { q: asked || undefined }),
    isPrivate: true,
    asked,
    // The script adds the stars.
    hasScript,
    main: html`<header class="title">
<h1>${asked === '' ? t.title : html`${t.title}: ${name(asked)}`}</h1>
<p class="lede">${t.hint}</p>
</header>
${below}`,
  });
  return { text };
}

function results(
  site: SiteSettings,
  asked: string,
  rows: readonly SearchRow[],
  guests: readonly GuestRow[],
  today: string,
): Html {
  const hits = hitsOf(rows);
  const isCut = rows[0]?.isCut === true || guests[0]?.isCut === true;
  const t = site.words.search;
  const found = (kind: Hit['kind'], row: (hit: Hit) => ListRow) =>
    hits.filter((hit) => hit.kind === kind).map(row);
  const people = [
    section(
      'players',
      t.players,
      found('player', (hit) => playerRow(site, hit)),
    ),
    section('guests', t.guests, guestRows(site, guests)),
  ].filter((each) => each !== undefined);
  const others = [
    section(
      'tournaments',
      t.tournaments,
      found('tournament', (hit) => tournamentRow(site, hit, today)),
    ),
    section(
      'clubs',
      t.clubs,
      found('club', (hit) => clubRow(site, hit)),
    ),
  ].filter((each) => each !== undefined);
  const columns = [people, others].filter((column) => column.length > 0);
  if (columns.length === 0) {
    return html`<p class="empty">${isCut ? `${t.partly} ${t.typeMore}` : t.nothing(name(asked))}</p>`;
  }
  const hasMore = [...rows, ...guests].some(({ rank: nr }) => Number(nr) > maxOfAKind);
  return html`<div class="cols">${columns.map(
    (column) => html`
<div>
${column}</div>`,
  )}
</div>
${(isCut || hasMore) && html`<p class="empty">${t.maybeMore} ${isCut && `${t.partly} `}${t.typeMoreToSee}</p>`}`;
}

function section(id: string, heading: string, rows: readonly ListRow[]): Html | undefined {
  if (rows.length === 0) return undefined;
  return html`<section class="sec" aria-labelledby="${id}">
<h2 id="${id}">${heading}</h2>
${rowList(rows)}
</section>\n`;
}

/** Marks a name beside which the script puts a star. */
function followable(key: string, link: Html): Html {
  return html`<span class="title" data-follow="${key}">${link}</span>`;
}

function linkTo(site: SiteSettings, path: string, label: string): Html {
  return html`<a class="name" href="${pathTo(site, path)}">${name(label)}</a>`;
}

/**
 * Shows a player with the club and the tournament, because two people with the same name rarely share both.
 */
function playerRow(site: SiteSettings, { key, name: label, detail: { event, club } }: Hit): ListRow {
  const clubName = club ? parseStored<Club>(club.document).name : undefined;
  return {
    crest: clubName === undefined ? noCrest : disc(clubName),
    title: followable(key, linkTo(site, `/players/${key}`, label)),
    lines: [
      ...(clubName === undefined ? [] : [name(clubName)]),
      ...(event ? [name(parseStored<Tournament>(event.document).name)] : []),
    ],
  };
}

/**
 * Lists guests without merging them by name, because nobody knows whether two guests with the same name are
 * one person.
 */
function guestRows(site: SiteSettings, rows: readonly GuestRow[]): ListRow[] {
  return rows.flatMap(({ tournament, entry, detail }) => {
    const key = tournament === null ? undefined : guestKey(site, tournament, entry);
    if (key === undefined || detail === null) return [];
    const event = parseStored<Tournament>(detail.document);
    const when = site.words.days(event.startDate, event.endDate, true);
    return [
      {
        crest: noCrest,
        title: followable(key, linkTo(site, guestPath(key), detail.name)),
        lines: [name(event.name), ...(when === undefined ? [] : [when])],
      },
    ];
  });
}

function eventShownBy({ tournament, detail }: GuestRow): ShownScope[] {
  return tournament !== null && detail !== null
    ? [{ scope: `tournament:${tournament}`, revision: BigInt(detail.revision) }]
    : [];
}

function tournamentRow(site: SiteSettings, { detail: { document, lastDays } }: Hit, today: string): ListRow {
  return eventRow(site, parseStored<Tournament>(document ?? ''), pastEvent(lastDays, today));
}

function clubRow(site: SiteSettings, { key, name: label, detail }: Hit): ListRow {
  const club = parseStored<Club>(detail.document ?? '');
  const where = cityAndCountry(club);
  return {
    crest: disc(label),
    title: linkTo(site, `/clubs/${key}`, label),
    lines: [...(where === undefined ? [] : [where]), html`${site.words.clubs.members(club.members)}`],
  };
}
