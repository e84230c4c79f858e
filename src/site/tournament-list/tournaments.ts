import { isCalendarDate } from '../../contract/patterns.ts';
import { type Tournament, tournamentStatuses } from '../../contract/tournament.ts';
import type { ShownScope } from '../../read/newest-revisions.ts';
import { parseStored } from '../../read/page-address.ts';
import type { Statement } from '../../read/reader.ts';
import { compareText } from '../../text/fold.ts';
import { framed } from '../parts/frame.ts';
import { html, type Html } from '../html.ts';
import { earliestLastDay, type Past, pastEvent } from '../../read/being-played.ts';
import { daysBefore } from '../../text/days.ts';
import type { PageRoute } from '../page.ts';
import type { ListedLeader } from '../../published/views.ts';
import { type Event, eventRow, feedLink, leaderIn } from '../parts/events.ts';
import { clubShown } from '../parts/named-clubs.ts';
import { rowList } from '../parts/rows.ts';
import { addressOf, firstPageOf, pager, withQuery } from '../parts/pager.ts';
import { isCurrent } from '../parts/tabs.ts';
import { newestTournaments, type PagePosition, positionText, tournamentPosition } from '../parts/position.ts';
import { fileTo, pathTo, type SiteSettings } from '../site-settings.ts';
import * as lists from './statements.ts';
import type { TournamentsRow } from './statements.ts';

export function tournamentsPage(site: SiteSettings): PageRoute {
  return {
    path: '/tournaments',
    query: ['status', 'country', 'from', 'to', 'before', 'after'],
    scope: () => 'tournaments',
    make: async ({ query, today, read }) => {
      const filter = filterOf(query);
      // Upcoming tournaments are read from today on, all others back from the newest.
      const isComing = filter.status === 'planned';
      const given = query[isComing ? 'after' : 'before'];
      const position = given === undefined ? undefined : tournamentPosition(given);
      if (given !== undefined && position === undefined) return undefined;
      const isFirstOfAll = position === undefined && !isFiltered(filter);
      const [statement, by] = isFirstOfAll ? firstOfAll(today) : statementFor(filter, today);
      const [begin, end] = isComing ? comingBounds(filter, position, today) : newestBounds(filter, position);
      const rows = await read<TournamentsRow>(statement, [pageSize + 1, ...begin, end, ...by], (found) =>
        found.flatMap(shownBy),
      );
      const there = rows.filter(({ document }) => document !== null).map((row) => listed(row, today));
      const shown = isFirstOfAll
        ? sectionsOfAll(site, there)
        : isComing
          ? comingMonths(site, filter, there)
          : newestMonths(site, filter, there);
      return { text: tournamentsText(site, filter, position, rows[0]?.countries ?? [], shown) };
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
/** How many running and how many upcoming tournaments the first page of all shows. */
const maxOfSection = 10;

/** Reads the filter, which people may have typed. Invalid values are ignored. */
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

type Selected = [statement: Statement, values: unknown[]];

function statementFor({ status, country }: Filter, today: string): Selected {
  const by = country === undefined ? [] : [country];
  const recent = [...by, earliestLastDay(today)];
  const isOne = country === undefined;
  if (status === undefined) return [isOne ? lists.tournamentsOfPage : lists.tournamentsOfCountry, by];
  if (status === 'ongoing') return [isOne ? lists.runningTournaments : lists.runningOfCountry, recent];
  if (status === 'finished') return [isOne ? lists.finishedTournaments : lists.finishedOfCountry, recent];
  return [isOne ? lists.comingTournaments : lists.comingOfCountry, [...by, status]];
}

function firstOfAll(today: string): Selected {
  return [lists.firstTournaments, [earliestLastDay(today), maxOfSection, firstToCome(today)]];
}

/** Returns the first day that is still to come: yesterday in UTC, because somewhere it is still yesterday. */
function firstToCome(today: string): string {
  return daysBefore(today, 1);
}

type Bounds = [begin: PagePosition, end: string];

function newestBounds({ from, to }: Filter, before: PagePosition | undefined): Bounds {
  const last = to === undefined ? newestTournaments : [to, newestTournaments[1] ?? ''];
  const begin = before !== undefined && String(before[0]) <= String(last[0]) ? before : last;
  // Tournaments without a day are in no period.
  return [begin, from ?? (to === undefined ? '-infinity' : '0001-01-01')];
}

function comingBounds({ from, to }: Filter, after: PagePosition | undefined, today: string): Bounds {
  const first = from ?? firstToCome(today);
  const begin = after !== undefined && String(after[0]) >= first ? after : [first, ''];
  return [begin, to ?? 'infinity'];
}

function shownBy({ position, tournamentRevision, organizer, club }: TournamentsRow): ShownScope[] {
  if (position === null) return [];
  return [
    { scope: `tournament:${String(position[1])}`, revision: BigInt(tournamentRevision ?? 0) },
    // A row that does not name the club does not depend on it.
    ...(club === null ? [] : clubShown(organizer, club)),
  ];
}

const tabs = [undefined, 'ongoing', 'finished', 'planned'] as const;

/** A tournament in the list. */
interface Listed {
  position: PagePosition;
  event: Event;
  leader: ListedLeader | undefined;
  /** Set if the source calls the tournament running although its days are over. */
  past: Past | undefined;
  /** The name of the organising club, if the tournament is planned. */
  club: string | undefined;
}

function listed({ position, document, leader, lastDays, club }: TournamentsRow, today: string): Listed {
  return {
    position: position ?? [],
    event: parseStored<Tournament>(document ?? ''),
    leader: leaderIn(leader),
    past: pastEvent(lastDays, today),
    club: club?.name,
  };
}

/** The part of the list that a page shows, and the position of the next page. */
interface Shown {
  sections: Html[];
  next: PagePosition | undefined;
  /** The status that the next page is filtered by. */
  status: Filter['status'];
}

/** Shows running, upcoming and finished tournaments. Only the last part has a next page. */
function sectionsOfAll(site: SiteSettings, rows: readonly Listed[]): Shown {
  const t = site.words.tournaments;
  const part = (status: Filter['status']) =>
    rows.filter(({ event, past }) => (past === undefined ? event.status : 'finished') === status);
  const section = (title: string, status: Filter['status'], these: readonly Listed[], link: string) =>
    these.length === 0
      ? []
      : [
          html`<section class="sec" aria-labelledby="${status}">
<h2 id="${status}">${title}</h2>
${listOf(site, these)}
<p><a href="${addressOf(site, '/tournaments', { status })}">${link}</a></p>
</section>\n`,
        ];
  const running = part('ongoing');
  const coming = part('planned').slice(0, maxOfSection);
  const { shown, next } = firstPageOf(newestOf(part('finished')), pageSize - running.length - coming.length);
  const finished = html`<section class="sec" aria-labelledby="finished">
<h2 id="finished">${t.finished}</h2>
${monthsOf(site, shown).map(([month, these]) => html`<h3>${month}</h3>\n${listOf(site, these)}\n`)}</section>\n`;
  return {
    sections: [
      ...section(t.runningNow, 'ongoing', running, t.allRunning),
      ...section(t.planned, 'planned', coming, t.allUpcoming),
      ...(shown.length === 0 ? [] : [finished]),
    ],
    next,
    status: 'finished',
  };
}

function comingMonths(site: SiteSettings, { status, from, to }: Filter, rows: readonly Listed[]): Shown {
  const isUndated = ({ position }: Listed) => position[0] === '-infinity';
  const { shown, next } = firstPageOf(
    rows.filter((row) => !isUndated(row)),
    pageSize,
  );
  // Tournaments without a day are in no period, and come after the last one that has a day.
  const hasUndated = next === undefined && from === undefined && to === undefined;
  const all = hasUndated ? [...shown, ...rows.filter(isUndated).slice(0, pageSize)] : shown;
  return { sections: monthSections(site, all), next, status };
}

function newestMonths(site: SiteSettings, { status }: Filter, rows: readonly Listed[]): Shown {
  const { shown, next } = firstPageOf(newestOf(rows), pageSize);
  return { sections: monthSections(site, shown), next, status };
}

/**
 * Sorts the newest first. The statement returns tournaments that nobody closed after those that are finished.
 */
function newestOf(rows: readonly Listed[]): Listed[] {
  const key = ({ position }: Listed) => position.join(' ');
  return rows.toSorted((a, b) => compareText(key(b), key(a)));
}

function tournamentsText(
  site: SiteSettings,
  filter: Filter,
  position: PagePosition | undefined,
  countries: string[],
  { sections, next, status: nextStatus }: Shown,
): string {
  const { words } = site;
  const t = words.tournaments;
  const { status } = filter;
  const isComing = status === 'planned';
  const parameter = isComing ? 'after' : 'before';
  const address = { ...filter, [parameter]: position && positionText(position) };
  return framed(site, {
    title: t.title,
    description: t.description,
    canonical: withQuery('/tournaments', address),
    isPrivate: isFiltered(filter) || position !== undefined,
    head: feedLink(site),
    main: html`<header class="title">
<h1>${t.title}</h1>
<p class="meta"><a href="${fileTo(site, '/tournaments.ics')}">${t.calendar}</a><a href="${fileTo(site, '/tournaments.atom')}">${t.feed}</a></p>
</header>
<nav class="tabs" aria-label="${t.status}"><ul>
${tabs.map((value) => html`<li><a href="${addressOf(site, '/tournaments', { ...filter, status: value })}"${value === status && isCurrent}>${t[value ?? 'all']}</a></li>\n`)}</ul></nav>
${filterForm(site, filter, countries)}
${sections.length === 0 ? html`<p class="empty">${emptyText(site, filter, position)}</p>` : sections}
${pager(site, { path: '/tournaments', query: { ...filter, status: nextStatus }, parameter, t: isComing ? words.pages.upcoming : words.pages.tournaments, isFirst: position === undefined, next })}`,
  });
}

function isFiltered({ status, country, from, to }: Filter): boolean {
  return [status, country, from, to].some((value) => value !== undefined);
}

/** Groups the rows by month, under its name. */
function monthsOf({ words }: SiteSettings, rows: readonly Listed[]): [month: string, rows: Listed[]][] {
  return [
    ...Map.groupBy(rows, ({ position }) => {
      const month = /^\d+-\d\d/.exec(String(position[0]))?.[0];
      return month === undefined ? words.tournaments.noDate : words.monthTitle(`${month}-01`);
    }),
  ];
}

function monthSections(site: SiteSettings, rows: readonly Listed[]): Html[] {
  return monthsOf(site, rows).map(
    ([month, these], index) => html`<section class="sec" aria-labelledby="m${index + 1}">
<h2 id="m${index + 1}">${month}</h2>
${listOf(site, these)}
</section>\n`,
  );
}

function listOf(site: SiteSettings, rows: readonly Listed[]): Html {
  return rowList(
    rows.map(({ event, past, leader, club }) => eventRow(site, event, past, { leader, club })),
    'two-up',
  );
}

function emptyText({ words }: SiteSettings, filter: Filter, position: PagePosition | undefined): string {
  const t = words.tournaments;
  if (position !== undefined) return t.noMore;
  return isFiltered(filter) ? t.noneFits : t.none;
}

function filterForm(site: SiteSettings, { status, country, from, to }: Filter, countries: string[]): Html {
  const option = (value: string) =>
    html`<option value="${value}"${value === country && html` selected`}>${value}</option>`;
  const t = site.words.tournaments;
  const known = country === undefined || countries.includes(country) ? countries : [country, ...countries];
  return html`<form class="dates" action="${pathTo(site, '/tournaments')}">
<div><label for="country">${t.country}</label> <select id="country" name="country"><option value="">${t.allCountries}</option>${known.map(option)}</select></div>
<div><label for="from">${t.from}</label> <input id="from" name="from" type="date" value="${from}"></div>
<div><label for="to">${t.until}</label> <input id="to" name="to" type="date" value="${to}"></div>
${status !== undefined && html`<input type="hidden" name="status" value="${status}">`}
<button type="submit">${t.show}</button>
</form>`;
}
