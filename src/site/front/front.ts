import type { Tournament } from '../../contract/tournament.ts';
import { parseStored } from '../../read/page-address.ts';
import type { ShownScope } from '../../read/newest-revisions.ts';
import { framed } from '../parts/frame.ts';
import { html, type Html } from '../parts/html.ts';
import { earliestLastDay } from '../../read/old-event.ts';
import { daysBefore } from '../../text/days.ts';
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
import { pulse } from '../now/live.ts';
import { strongest } from './strongest.ts';
import { digestOf } from '../parts/revision-tag.ts';
import { fileTo, pathTo, type SiteSettings } from '../site-settings.ts';
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
  const said = site.words.front;
  const running = items(rows, 'ongoing', (event, row) => runningItem(site, event, stateOf(row)));
  return html`<section class="running" aria-labelledby="now">
<h2 id="now">${said.runningNow}</h2>
${running.length === 0 ? html`<p class="empty">${said.noneRunning}</p>` : eventList(running, true)}
${running.length === maxRunning && more(site, 'ongoing', said.allRunning)}
</section>`;
}

function frontText(site: SiteSettings, rows: FrontPageRow[], months: NewestMonthRow[]): string {
  const said = site.words.front;
  const running = runningSection(site, rows);
  const isLive = rows.some(({ part }) => part === 'ongoing');
  const finished = items(rows, 'finished', (event, row) => finishedItem(site, event, stateOf(row)));
  const coming = items(rows, 'planned', (event) => plannedItem(site, event));
  return framed(site, {
    title: said.title,
    description: said.description,
    canonical: '/',
    head: feedLink(site),
    hasScript: isLive,
    live: isLive ? { address: pathTo(site, '/now'), fragment: `W/"${digestOf(running.text)}"` } : undefined,
    main: html`<header class="title">
<h1>${said.title}</h1>
<p>${said.description}</p>
</header>
${isLive && pulse}
${running}
<div class="columns two">
<section aria-labelledby="finished">
<h2 id="finished">${said.justFinished}</h2>
${
  finished.length === 0
    ? html`<p class="empty">${said.noneFinished}</p>`
    : html`${eventList(finished)}
${more(site, 'finished', said.allFinished)}
<p><a href="${fileTo(site, '/tournaments.atom')}">${said.feed}</a></p>`
}
</section>
<section aria-labelledby="coming">
<h2 id="coming">${said.upcoming}</h2>
${
  coming.length === 0
    ? html`<p class="empty">${said.nonePlanned}</p>`
    : html`${eventList(coming)}
${more(site, 'planned', said.allUpcoming)}`
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
  const { words } = site;
  const said = words.front;
  const estimates = rows[0]?.estimates;
  const newest = newestChange(rows);
  const numbers = (
    [
      [said.tournaments, estimates?.tournament],
      [said.battles, estimates?.battle],
      [said.clubs, estimates?.club],
    ] as const
  ).flatMap(([label, count = 0]) =>
    count > 0 ? [html`<div><dt>${label}</dt><dd>${said.about(rounded(count))}</dd></div>\n`] : [],
  );
  return html`<section aria-labelledby="numbers">
<h2 id="numbers">${said.whatIsHere}</h2>
${
  numbers.length > 0 &&
  html`<dl class="numbers">
${numbers}</dl>`
}
${newest && html`<p class="sub">${said.newestChange(words.moment(newest))}</p>`}
<p>${said.asJson(linkTo(fileTo(site, '/docs')))} ${
    site.contactUrl === undefined ? said.keyFromOperator : said.key(linkTo(site.contactUrl))
  }${
    site.dataUrl !== undefined &&
    html` ${said.asFiles(linkTo(`${site.dataUrl}/index.json`), linkTo(fileTo(site, '/docs/files')))}`
  }</p>
</section>`;
}

/** Words of a sentence become the link. */
function linkTo(address: string): (text: string) => Html {
  return (text) => html`<a href="${address}">${text}</a>`;
}

/** A revision is the time of a change, in microseconds. */
function newestChange(rows: FrontPageRow[]): Date | undefined {
  const changes = rows.map(({ tournamentRevision }) => Number(tournamentRevision ?? 0) / 1_000);
  const newest = Math.max(0, ...changes);
  return newest > 0 ? new Date(newest) : undefined;
}

/** To two digits, as far as an estimate goes. */
function rounded(count: number): number {
  return Number(count.toPrecision(2));
}
