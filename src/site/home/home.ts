import type { Tournament } from '../../contract/tournament.ts';
import { parseStored } from '../../read/page-address.ts';
import type { ShownScope } from '../../read/newest-revisions.ts';
import { html, type Html } from '../html.ts';
import { earliestLastDay } from '../../read/being-played.ts';
import { daysBefore } from '../../text/days.ts';
import type { PageRoute } from '../page.ts';
import type { TournamentView } from '../../published/views.ts';
import { eventRow, type EventState, feedLink, leaderIn, runningTile, type Event } from '../parts/events.ts';
import { clubShown } from '../parts/named-clubs.ts';
import { rowList } from '../parts/rows.ts';
import { lastMonth } from '../faction/query.ts';
import { livePage, pulse } from '../parts/live.ts';
import { strongest } from './strongest.ts';
import { fileTo, type PageParts, pathTo, type SiteSettings } from '../site-settings.ts';
import { newestFactionMonths, type NewestMonthRow } from '../faction/statements.ts';
import { frontOfSite, type FrontPageRow } from './statements.ts';

export function frontPage(site: SiteSettings): PageRoute {
  return {
    path: '/',
    query: [],
    scope: () => 'tournaments',
    make: async ({ today, read }) => {
      // Somewhere it is still yesterday, so tournaments of that day are still to come.
      const values = [maxRunning, maxOthers, daysBefore(today, 1), earliestLastDay(today)];
      const rows = await read<FrontPageRow>(frontOfSite, values, (found) => found.flatMap(eventShown));
      const months = await read<NewestMonthRow>(newestFactionMonths, [lastMonth()], ([shown]) => [
        { scope: 'factions', revision: BigInt(shown?.factionsRevision ?? 0) },
      ]);
      // The estimated numbers change without a notice.
      return { ...frontText(site, rows, months), keptForMs: 60_000 };
    },
  };
}

const maxRunning = 9;
const maxOthers = 6;

function eventShown({ document, tournamentRevision, organizer, club }: FrontPageRow): ShownScope[] {
  if (document === null || tournamentRevision === null) return [];
  const { slug } = parseStored<Tournament>(document);
  return [
    { scope: `tournament:${slug}`, revision: BigInt(tournamentRevision) },
    ...clubShown(organizer, club),
  ];
}

interface Shown {
  event: Event;
  row: FrontPageRow;
  club: string | undefined;
}

function shownIn(rows: FrontPageRow[], part: FrontPageRow['part']): Shown[] {
  return rows.flatMap((row) =>
    row.part === part && row.document !== null
      ? [{ event: parseStored<Tournament>(row.document), row, club: row.club?.name }]
      : [],
  );
}

function runningSection(site: SiteSettings, running: readonly Shown[]): Html {
  const said = site.words.front;
  return html`<section class="running" aria-labelledby="now">
<h2 id="now">${said.runningNow}</h2>
${
  running.length === 0
    ? html`<p class="empty">${said.noneRunning}</p>`
    : html`<ul class="events">${running.map(({ event, row, club }) => runningTile(site, event, stateOf(row), club))}
</ul>`
}
${running.length === maxRunning && more(site, 'ongoing', said.allRunning)}
</section>`;
}

function frontText(site: SiteSettings, rows: FrontPageRow[], months: NewestMonthRow[]) {
  const said = site.words.front;
  const running = shownIn(rows, 'ongoing');
  const isLive = running.length > 0;
  const listOf = (shown: readonly Shown[]) =>
    rowList(
      shown.map(({ event, row, club }) =>
        eventRow(site, event, undefined, { leader: leaderIn(row.leader), club }),
      ),
    );
  const finished = shownIn(rows, 'finished');
  const coming = shownIn(rows, 'planned');
  const page: PageParts = {
    title: said.title,
    description: said.description,
    canonical: '/',
    head: feedLink(site),
    hasScript: isLive,
    main: html`<header class="title">
<h1>${said.title}</h1>
<p class="lede">${said.description}</p>
</header>
${isLive && pulse}
${runningSection(site, running)}
<div class="cols">
<section class="sec" aria-labelledby="finished">
<h2 id="finished">${said.justFinished}</h2>
${
  finished.length === 0
    ? html`<p class="empty">${said.noneFinished}</p>`
    : html`${listOf(finished)}
${more(site, 'finished', said.allFinished)}
<p><a href="${fileTo(site, '/tournaments.atom')}">${said.feed}</a></p>`
}
</section>
<section class="sec" aria-labelledby="coming">
<h2 id="coming">${said.upcoming}</h2>
${
  coming.length === 0
    ? html`<p class="empty">${said.nonePlanned}</p>`
    : html`${listOf(coming)}
${more(site, 'planned', said.allUpcoming)}`
}
</section>
</div>
<div class="cols">
${months.flatMap((month, at) => strongest(site, month, at === 0) ?? [])[0]}
${whatIsHere(site, rows)}
</div>`,
  };
  return livePage(site, page, isLive && site.savedAt === undefined);
}

function more(site: SiteSettings, status: string, text: string): Html {
  return html`<p><a href="${pathTo(site, `/tournaments?status=${status}`)}">${text}</a></p>`;
}

function stateOf({ stage, view, leader }: FrontPageRow): EventState {
  const { now, stages = [] } = JSON.parse(view ?? '{}') as Partial<TournamentView>;
  const played = now?.find((each) => each.stage === stage);
  return { stage, stages, played, leader: leaderIn(leader) };
}

/**
 * Shows how much there is, as estimated by PostgreSQL, because counting millions of rows would take too long.
 */
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
  return html`<section class="sec" aria-labelledby="numbers">
<h2 id="numbers">${said.whatIsHere}</h2>
${
  numbers.length > 0 &&
  html`<dl class="stats">
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

/** Returns a function that turns words of a sentence into a link. */
function linkTo(address: string): (text: string) => Html {
  return (text) => html`<a href="${address}">${text}</a>`;
}

/** Returns the time of the newest change. A revision is the time of a change in microseconds. */
function newestChange(rows: FrontPageRow[]): Date | undefined {
  const changes = rows.map(({ tournamentRevision }) => Number(tournamentRevision ?? 0) / 1_000);
  const newest = Math.max(0, ...changes);
  return newest > 0 ? new Date(newest) : undefined;
}

/** Rounds to two digits, because an estimate is no more precise. */
function rounded(count: number): number {
  return Number(count.toPrecision(2));
}
