import type { Tournament } from '../../contract/tournament.ts';
import { parseStored } from '../../read/page-address.ts';
import type { ShownScope } from '../../read/newest-revisions.ts';
import { framed } from '../parts/frame.ts';
import { html, type Html } from '../parts/html.ts';
import { daysBefore, earliestLastDay } from '../now/old-event.ts';
import type { PageRoute } from '../page.ts';
import type { Play } from '../bracket/tree.ts';
import {
  eventList,
  feedLink,
  finishedItem,
  leaderIn,
  plannedItem,
  runningItem,
  type Event,
  type EventState,
} from '../parts/events.ts';
import { lastMonth } from '../faction/query.ts';
import { moment } from '../parts/dates.ts';
import { pulse } from '../now/live.ts';
import { number } from '../parts/numbers.ts';
import { strongest } from './strongest.ts';
import { digestOf } from '../parts/revision-tag.ts';
import { pathTo, type SiteSettings } from '../site-settings.ts';
import { newestFactionMonths, type NewestMonthRow } from '../faction/statements.ts';
import { frontOfSite, type FrontPageRow } from './statements.ts';

export function frontPage(site: SiteSettings): PageRoute {
  return {
    path: '/',
    query: [],
    scope: () => 'tournaments',
    make: async ({ today, read }) => {
      // Somewhere it is still yesterday.
      const values = [maxRunning, maxOthers, daysBefore(today, 1), earliestLastDay(today)];
      const rows = await read<FrontPageRow>(frontOfSite, values, (found) => found.flatMap(eventShown));
      const months = await read<NewestMonthRow>(newestFactionMonths, [lastMonth()], ([shown]) => [
        { scope: 'factions', revision: BigInt(shown?.factionsRevision ?? 0) },
      ]);
      return { text: frontText(site, rows, months), keptForMs: 5_000 };
    },
  };
}

/** A fragment: what the front page says of running events. */
export function frontNowPage(site: SiteSettings): PageRoute {
  return {
    path: '/now',
    query: [],
    scope: () => 'tournaments',
    make: async ({ today, read }) => {
      const values = [maxRunning, 0, null, earliestLastDay(today)];
      const rows = await read<FrontPageRow>(frontOfSite, values, (found) => found.flatMap(eventShown));
      return { text: runningSection(site, rows).text, headers: { 'x-robots-tag': 'noindex' } };
    },
  };
}

const maxRunning = 9;
const maxOthers = 6;

function eventShown({ document, tournamentRevision }: FrontPageRow): ShownScope[] {
  if (document === null || tournamentRevision === null) return [];
  const { slug } = parseStored<Tournament>(document);
  return [{ scope: `tournament:${slug}`, revision: BigInt(tournamentRevision) }];
}

function items(
  rows: FrontPageRow[],
  part: FrontPageRow['part'],
  item: (event: Event, row: FrontPageRow) => Html,
): Html[] {
  return rows.flatMap((row) =>
    row.part === part && row.document !== null ? [item(parseStored<Tournament>(row.document), row)] : [],
  );
}

function runningSection(site: SiteSettings, rows: FrontPageRow[]): Html {
  const running = items(rows, 'ongoing', (event, row) => runningItem(site, event, stateOf(row)));
  return html`<section class="running" aria-labelledby="now">
<h2 id="now">Running now</h2>
${running.length === 0 ? html`<p class="empty">No tournament is being played right now.</p>` : eventList(running, true)}
${running.length === maxRunning && more(site, 'ongoing', 'All running tournaments')}
</section>`;
}

function frontText(site: SiteSettings, rows: FrontPageRow[], months: NewestMonthRow[]): string {
  const running = runningSection(site, rows);
  const isLive = rows.some(({ part }) => part === 'ongoing');
  const finished = items(rows, 'finished', (event, row) => finishedItem(site, event, stateOf(row)));
  const coming = items(rows, 'planned', (event) => plannedItem(site, event));
  return framed(site, {
    title: 'Tournaments, as they are played',
    description: 'Standings, brackets and army lists of tabletop-wargame events.',
    canonical: '/',
    head: feedLink(site),
    hasScript: isLive,
    live: isLive ? { address: pathTo(site, '/now'), fragment: `W/"${digestOf(running.text)}"` } : undefined,
    main: html`<header class="title">
<h1>Tournaments, as they are played</h1>
<p>Standings, brackets and army lists of tabletop-wargame events.</p>
</header>
${isLive && pulse}
${running}
<div class="columns two">
<section aria-labelledby="finished">
<h2 id="finished">Just finished</h2>
${
  finished.length === 0
    ? html`<p class="empty">No tournament is over yet.</p>`
    : html`${eventList(finished)}
${more(site, 'finished', 'All finished tournaments')}
<p><a href="${pathTo(site, '/tournaments.atom')}">Results as a feed</a></p>`
}
</section>
<section aria-labelledby="coming">
<h2 id="coming">Upcoming</h2>
${
  coming.length === 0
    ? html`<p class="empty">No tournament is announced.</p>`
    : html`${eventList(coming)}
${more(site, 'planned', 'All upcoming tournaments')}`
}
</section>
</div>
${months.flatMap((month, at) => strongest(site, month, at === 0) ?? [])[0]}
${whatIsHere(site, rows)}`,
  });
}

function more(site: SiteSettings, status: string, text: string): Html {
  return html`<p><a href="${pathTo(site, `/tournaments?status=${status}`)}">${text}</a></p>`;
}

function stateOf({ stage, play, leader }: FrontPageRow): EventState {
  const { now = [], total } = JSON.parse(play ?? '{}') as Play;
  return { stage, now, total, leader: leaderIn(leader) };
}

/** As PostgreSQL estimates them: counting millions of rows would take too long. */
function whatIsHere(site: SiteSettings, rows: FrontPageRow[]): Html {
  const estimates = rows[0]?.estimates;
  const newest = newestChange(rows);
  const numbers = (
    [
      ['Tournaments', estimates?.tournament],
      ['Battles', estimates?.battle],
      ['Clubs', estimates?.club],
    ] as const
  ).flatMap(([label, count = 0]) =>
    count > 0 ? [html`<div><dt>${label}</dt><dd>about ${number(rounded(count))}</dd></div>\n`] : [],
  );
  return html`<section aria-labelledby="numbers">
<h2 id="numbers">What is here</h2>
${
  numbers.length > 0 &&
  html`<dl class="numbers">
${numbers}</dl>`
}
${newest && html`<p class="sub">Newest change of the events above: ${newest}</p>`}
<p>All of it is open as JSON: <a href="${pathTo(site, '/docs')}">read about the API</a>. ${
    site.contactUrl === undefined
      ? 'Every request needs a key. The operator of this site hands them out.'
      : html`Every request needs a key: <a href="${site.contactUrl}">ask for one</a>.`
  }${
    site.dataUrl !== undefined &&
    html` Without a key, take all of it as files: <a href="${site.dataUrl}/index.json">their list</a>, <a href="${pathTo(site, '/docs/files')}">what to do with them</a>.`
  }</p>
</section>`;
}

/** A revision is the time of a change, in microseconds. */
function newestChange(rows: FrontPageRow[]): Html | undefined {
  const changes = rows.map(({ tournamentRevision }) => Number(tournamentRevision ?? 0) / 1_000);
  const newest = Math.max(0, ...changes);
  return newest > 0 ? moment(new Date(newest)) : undefined;
}

/** To two digits, as far as an estimate goes. */
function rounded(count: number): number {
  return Number(count.toPrecision(2));
}
