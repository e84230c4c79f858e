import type { Battle } from '../../contract/battle.ts';
import type { Club } from '../../contract/club.ts';
import type { Tournament } from '../../contract/tournament.ts';
import { parseStored } from '../../read/page-address.ts';
import { framed } from '../parts/frame.ts';
import { href, html, type Html } from '../parts/html.ts';
import { noResultsSince } from '../../read/old-event.ts';
import { isSlug, type PageRoute } from '../page.ts';
import { battlesOfAll, noBattles } from '../parts/battles.ts';
import { eventItem, eventList } from '../parts/events.ts';
import { linkedText } from '../parts/linked-text.ts';
import { name, place } from '../parts/names.ts';
import { pageOf, pager } from '../parts/pager.ts';
import { listsOf, namesIn, namesShown, type Lists } from '../parts/two-lists.ts';
import { fileTo, type SiteSettings } from '../site-settings.ts';
import { clubOfPage, type ClubPageRow } from './statements.ts';

export function clubPage(site: SiteSettings): PageRoute {
  return {
    path: '/clubs/:slug',
    query: ['before', 'tournaments-before'],
    scope: ({ slug }) => `club:${slug}`,
    make: async ({ params: { slug }, query, today, read }) => {
      const lists = listsOf(query);
      if (!isSlug(slug) || lists === undefined) return undefined;
      const { tournaments, battles } = lists;
      const values = [slug, ...tournaments.begin, tournaments.rows, ...battles.begin, battles.rows];
      const rows = await read<ClubPageRow>(clubOfPage, values, namesShown);
      const [first] = rows;
      return first && { text: clubText(site, parseStored<Club>(first.club), rows, lists, today) };
    },
  };
}

function clubText(
  site: SiteSettings,
  club: Omit<Club, 'url'>,
  rows: ClubPageRow[],
  lists: Lists,
  today: string,
): string {
  const said = site.words.clubs;
  const website = href(club.website);
  const where = place(club);
  const facts = [
    where,
    said.members(club.members),
    html`<a href="${fileTo(site, `/clubs/${club.slug}/tournaments.ics`)}">${said.calendar}</a>`,
    website !== undefined && html`<a href="${website}" rel="nofollow noopener">${said.website}</a>`,
  ].filter((fact) => fact !== undefined && fact !== false);
  return framed(site, {
    title: club.name,
    description: said.description(club.name),
    canonical: `/clubs/${club.slug}${lists.suffix}`,
    isPrivate: !lists.isFirst,
    main: html`<header class="title">
<h1>${name(club.name)}</h1>
<ul class="meta">${facts.map((fact) => html`<li>${fact}</li>`)}</ul>
${lists.isFirst && club.description.trim() !== '' && html`<p class="prose" lang="" dir="auto">${linkedText(club.description.trim())}</p>`}
</header>
<div class="columns${lists.isFirst && ' two'}">
${lists.tournaments.rows > 0 && tournamentsSection(site, club, rows, lists, today)}
${lists.battles.rows > 0 && battlesSection(site, club, rows, lists)}
</div>`,
  });
}

function tournamentsSection(
  site: SiteSettings,
  club: Omit<Club, 'url'>,
  rows: ClubPageRow[],
  lists: Lists,
  today: string,
): Html {
  const { shown, next } = pageOf(
    rows.filter((row) => row.part === 'event'),
    lists.tournaments.rows - 1,
  );
  const events = shown.map(({ document, more }) =>
    eventItem(site, parseStored<Tournament>(document ?? ''), noResultsSince(more, today)),
  );
  const said = site.words.clubs;
  const none = html`<p class="empty">${said.noTournament}</p>`;
  return html`<section aria-labelledby="tournaments">
<h2 id="tournaments">${said.tournaments}</h2>
${events.length === 0 ? none : eventList(events)}
${pager(site, { path: `/clubs/${club.slug}`, parameter: 'tournaments-before', said: site.words.pages.tournaments, isFirst: lists.isFirst, next })}
</section>`;
}

function battlesSection(
  site: SiteSettings,
  club: Omit<Club, 'url'>,
  rows: ClubPageRow[],
  lists: Lists,
): Html {
  const { shown, next } = pageOf(
    rows.filter(({ part }) => part === 'battle'),
    lists.battles.rows - 1,
  );
  const battles = shown.map(({ document }) => parseStored<Battle>(document ?? ''));
  const said = site.words.clubs;
  return html`<section aria-labelledby="battles">
<h2 id="battles">${said.battles}</h2>
${battles.length === 0 ? noBattles(site) : battlesOfAll(site, battles, namesIn(rows))}
${pager(site, { path: `/clubs/${club.slug}`, parameter: 'before', said: site.words.pages.battles, isFirst: lists.isFirst, next })}
</section>`;
}
