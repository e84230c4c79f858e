import { isCalendarDate } from '../../contract/patterns.ts';
import { type Tournament, tournamentStatuses } from '../../contract/tournament.ts';
import { parseStored } from '../../read/page-address.ts';
import { framed } from '../frame.ts';
import { html, type Html } from '../html.ts';
import type { PageRoute } from '../page.ts';
import { eventItem, eventList } from '../parts/events.ts';
import { addressOf, pageOf, pager } from '../parts/pager.ts';
import { newestTournaments, type Position, tournamentPosition } from '../position.ts';
import { pathTo, type SiteSettings } from '../site-settings.ts';
import { tournamentsOfPage, tournamentsOfStatus, type TournamentsRow } from '../statements/tournaments.ts';

export function tournamentsPage(site: SiteSettings): PageRoute {
  return {
    path: '/tournaments',
    query: ['status', 'from', 'to', 'before'],
    scope: () => 'tournaments',
    make: async ({ query, read }) => {
      const filter = filterOf(query);
      const before = query['before'] === undefined ? undefined : tournamentPosition(query['before']);
      if (query['before'] !== undefined && before === undefined) return undefined;
      const { status, from, to } = filter;
      const last = to === undefined ? newestTournaments : [to, newestTournaments[1]];
      const begin = before !== undefined && String(before[0]) <= String(last[0]) ? before : last;
      // What has no day is in no window.
      const end = from ?? (to === undefined ? '-infinity' : '0001-01-01');
      const rows = await (status === undefined
        ? read<TournamentsRow>(tournamentsOfPage, [pageSize + 1, ...begin, end])
        : read<TournamentsRow>(tournamentsOfStatus, [pageSize + 1, ...begin, end, status]));
      return { text: tournamentsText(site, filter, before, rows) };
    },
  };
}

interface Filter {
  status: Tournament['status'] | undefined;
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
    from: dateOf(query['from']),
    to: dateOf(query['to']),
  };
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
  before: Position | undefined,
  rows: TournamentsRow[],
): string {
  const { status, from, to } = filter;
  const isFiltered = [status, from, to].some((value) => value !== undefined);
  const { shown, next } = pageOf(
    rows.filter(({ document }) => document !== null),
    pageSize,
  );
  const events = shown.map(({ document }) => parseStored<Tournament>(document ?? ''));
  const isPlain = !isFiltered && before === undefined;
  return framed(site, {
    title: 'Tournaments',
    description: 'All published tournaments, newest first.',
    canonical: isPlain ? '/tournaments' : undefined,
    isPrivate: !isPlain,
    main: html`<header class="title">
<h1>Tournaments</h1>
</header>
<nav class="tabs" aria-label="Status"><ul>
${tabs.map(([value, label]) => html`<li><a href="${addressOf(site, '/tournaments', { ...filter, status: value })}"${value === status && html` aria-current="page"`}>${label}</a></li>\n`)}</ul></nav>
${datesForm(site, filter)}
<section aria-labelledby="list">
<h2 id="list" class="vh">Newest first</h2>
${events.length === 0 ? html`<p class="empty">${emptyText(isFiltered, before)}</p>` : eventList(events.map((event) => eventItem(site, event)))}
${pager(site, { path: '/tournaments', query: { ...filter }, parameter: 'before', what: 'tournaments', isFirst: before === undefined, next })}
</section>`,
  });
}

function emptyText(isFiltered: boolean, before: Position | undefined): string {
  if (before !== undefined) return 'There are no older tournaments.';
  return isFiltered ? 'No tournament fits.' : 'No tournament is published yet.';
}

function datesForm(site: SiteSettings, { status, from, to }: Filter): Html {
  return html`<form class="search dates" action="${pathTo(site, '/tournaments')}">
<div><label for="from">Begins from</label> <input id="from" name="from" type="date" value="${from}"></div>
<div><label for="to">until</label> <input id="to" name="to" type="date" value="${to}"></div>
${status !== undefined && html`<input type="hidden" name="status" value="${status}">`}
<button type="submit">Show</button>
</form>`;
}
