import { isCalendarDate } from '../../contract/patterns.ts';
import { type Tournament, tournamentStatuses } from '../../contract/tournament.ts';
import type { ShownScope } from '../../read/newest-revisions.ts';
import { parseStored } from '../../read/page-address.ts';
import type { Statement } from '../../read/reader.ts';
import { framed } from '../frame.ts';
import { html, type Html } from '../html.ts';
import type { PageRoute } from '../page.ts';
import { monthInWords } from '../parts/dates.ts';
import { eventItem, eventList, leaderIn } from '../parts/events.ts';
import { addressOf, pageOf, pager, withQuery } from '../parts/pager.ts';
import { isCurrent } from '../parts/tabs.ts';
import { newestTournaments, type Position, positionText, tournamentPosition } from '../position.ts';
import { pathTo, type SiteSettings } from '../site-settings.ts';
import * as lists from '../statements/tournaments.ts';
import type { TournamentsRow } from '../statements/tournaments.ts';

export function tournamentsPage(site: SiteSettings): PageRoute {
  return {
    path: '/tournaments',
    query: ['status', 'country', 'from', 'to', 'before', 'after'],
    scope: () => 'tournaments',
    make: async ({ query, read }) => {
      const filter = filterOf(query);
      // What is to come is read from now on, everything else back from the newest.
      const isComing = filter.status === 'planned';
      const given = query[isComing ? 'after' : 'before'];
      const place = given === undefined ? undefined : tournamentPosition(given);
      if (given !== undefined && place === undefined) return undefined;
      const [begin, end] = isComing ? comingBounds(filter, place) : newestBounds(filter, place);
      const by = [filter.country, filter.status].filter((value) => value !== undefined);
      const values = [pageSize + 1, ...begin, end, ...by];
      const rows = await read<TournamentsRow>(statementFor(filter), values, (found) =>
        found.flatMap(shownBy),
      );
      const page = { text: tournamentsText(site, filter, place, rows) };
      // Time passes without a notice.
      return isComing ? { ...page, keptForMs: 60_000 } : page;
    },
  };
}

interface Filter {
  status: Tournament['status'] | undefined;
  country: string | undefined;
  from: string | undefined;
  to: string | undefined;
}

const pageSize = 50;

/** What a person may have typed: a value that means nothing filters nothing. */
function filterOf(query: Partial<Readonly<Record<string, string>>>): Filter {
  const dateOf = (text: string | undefined) =>
    text !== undefined && isCalendarDate(text) ? text : undefined;
  return {
    status: tournamentStatuses.find((status) => status === query['status']),
    country: query['country'] === '' ? undefined : query['country']?.slice(0, longestCountry),
    from: dateOf(query['from']),
    to: dateOf(query['to']),
  };
}

const longestCountry = 200;

function statementFor({ status, country }: Filter): Statement {
  if (status === 'planned') return country === undefined ? lists.comingTournaments : lists.comingOfCountry;
  if (country === undefined)
    return status === undefined ? lists.tournamentsOfPage : lists.tournamentsOfStatus;
  return status === undefined ? lists.tournamentsOfCountry : lists.tournamentsOfBoth;
}

type Bounds = [begin: Position, end: string];

function newestBounds({ from, to }: Filter, before: Position | undefined): Bounds {
  const last = to === undefined ? newestTournaments : [to, newestTournaments[1] ?? ''];
  const begin = before !== undefined && String(before[0]) <= String(last[0]) ? before : last;
  // What has no day is in no window.
  return [begin, from ?? (to === undefined ? '-infinity' : '0001-01-01')];
}

function comingBounds({ from, to }: Filter, after: Position | undefined): Bounds {
  // Somewhere it is still yesterday.
  const first = from ?? new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  const begin = after !== undefined && String(after[0]) >= first ? after : [first, ''];
  return [begin, to ?? 'infinity'];
}

function shownBy({ position, tournamentRevision }: TournamentsRow): ShownScope[] {
  if (position === null) return [];
  return [{ scope: `tournament:${String(position[1])}`, revision: BigInt(tournamentRevision ?? 0) }];
}

const tabs: [Tournament['status'] | undefined, string][] = [
  [undefined, 'All'],
  ['ongoing', 'Running'],
  ['finished', 'Finished'],
  ['planned', 'Upcoming'],
];

function tournamentsText(
  site: SiteSettings,
  filter: Filter,
  place: Position | undefined,
  rows: TournamentsRow[],
): string {
  const { status, country, from, to } = filter;
  const isComing = status === 'planned';
  const isFiltered = [status, country, from, to].some((value) => value !== undefined);
  const there = rows.filter(({ document }) => document !== null);
  const isUndated = ({ position }: TournamentsRow) => position?.[0] === '-infinity';
  const { shown, next } = pageOf(isComing ? there.filter((row) => !isUndated(row)) : there, pageSize);
  // In no window, and behind the last of those that have a day.
  const hasUndated = isComing && next === undefined && from === undefined && to === undefined;
  const all = hasUndated ? [...shown, ...there.filter(isUndated).slice(0, pageSize)] : shown;
  const parameter = isComing ? 'after' : 'before';
  const address = { ...filter, [parameter]: place && positionText(place) };
  return framed(site, {
    title: 'Tournaments',
    description: 'All published tournaments: who won, who leads, and what is to come.',
    canonical: withQuery('/tournaments', address),
    isPrivate: isFiltered || place !== undefined,
    head: html`<link rel="alternate" type="application/atom+xml" title="Finished tournaments" href="${pathTo(site, '/tournaments.atom')}">\n`,
    main: html`<header class="title">
<h1>Tournaments</h1>
<p class="meta"><a href="${pathTo(site, '/tournaments.ics')}">Calendar</a><a href="${pathTo(site, '/tournaments.atom')}">Results as a feed</a></p>
</header>
<nav class="tabs" aria-label="Status"><ul>
${tabs.map(([value, label]) => html`<li><a href="${addressOf(site, '/tournaments', { ...filter, status: value })}"${value === status && isCurrent}>${label}</a></li>\n`)}</ul></nav>
${filterForm(site, filter, rows[0]?.countries ?? [])}
${all.length === 0 && html`<p class="empty">${emptyText(isFiltered, place)}</p>`}
${[...Map.groupBy(all, monthOf)].map(([month, these]) => monthSection(site, month, these))}
${pager(site, { path: '/tournaments', query: { ...filter }, parameter, what: 'tournaments', words: isComing ? ['Next', 'Later'] : undefined, isFirst: place === undefined, next })}`,
  });
}

/** `2026-05`, or nothing without a day. */
function monthOf({ position }: TournamentsRow): string {
  return String(position?.[0]).match(/^\d+-\d\d/)?.[0] ?? '';
}

function monthSection(site: SiteSettings, month: string, rows: readonly TournamentsRow[]): Html {
  const items = rows.map(({ document, leader }) =>
    eventItem(site, parseStored<Tournament>(document ?? ''), leaderIn(leader)),
  );
  return html`<section aria-labelledby="m${month}">
<h2 id="m${month}">${month === '' ? 'No date yet' : monthInWords(month)}</h2>
${eventList(items)}
</section>\n`;
}

function emptyText(isFiltered: boolean, place: Position | undefined): string {
  if (place !== undefined) return 'There are no more tournaments.';
  return isFiltered ? 'No tournament fits.' : 'No tournament is published yet.';
}

function filterForm(site: SiteSettings, { status, country, from, to }: Filter, countries: string[]): Html {
  const option = (value: string) =>
    html`<option value="${value}"${value === country && html` selected`}>${value}</option>`;
  const known = country === undefined || countries.includes(country) ? countries : [country, ...countries];
  return html`<form class="dates" action="${pathTo(site, '/tournaments')}">
<div><label for="country">Country</label> <select id="country" name="country"><option value="">All</option>${known.map(option)}</select></div>
<div><label for="from">Begins from</label> <input id="from" name="from" type="date" value="${from}"></div>
<div><label for="to">until</label> <input id="to" name="to" type="date" value="${to}"></div>
${status !== undefined && html`<input type="hidden" name="status" value="${status}">`}
<button type="submit">Show</button>
</form>`;
}
