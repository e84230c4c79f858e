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
import { lastCountedDay } from '../../read/faction-months.ts';
import { livePage, pulse } from '../parts/live.ts';
import { strongest } from './strongest.ts';
import { fileTo, type PageParts, pathTo, type SiteSettings } from '../site-settings.ts';
import { newestFactionMonths, type NewestMonthRow } from '../faction/statements.ts';
import { homeOfSite, type HomeRow } from './statements.ts';

export function homePage(site: SiteSettings): PageRoute {
  return {
    path: '/',
    query: [],
    scope: () => 'tournaments',
    make: async ({ today, read }) => {
      // Somewhere it is still yesterday, so tournaments of that day are still to come.
      const values = [maxRunning, maxOthers, daysBefore(today, 1), earliestLastDay(today)];
      const rows = await read<HomeRow>(homeOfSite, values, (found) => found.flatMap(eventShown));
      const months = await read<NewestMonthRow>(newestFactionMonths, [lastCountedDay()], ([shown]) => [
        { scope: 'factions', revision: BigInt(shown?.factionsRevision ?? 0) },
      ]);
      // The estimated numbers change without a notice.
      return { ...homeText(site, rows, months), keptForMs: 60_000 };
    },
  };
}

const maxRunning = 9;
const maxOthers = 6;

function eventShown({ document, tournamentRevision, organizer, club }: HomeRow): ShownScope[] {
  if (document === null || tournamentRevision === null) return [];
  const { slug } = parseStored<Tournament>(document);
  return [
    { scope: `tournament:${slug}`, revision: BigInt(tournamentRevision) },
    ...clubShown(organizer, club),
  ];
}

interface Shown {
  event: Event;
  row: HomeRow;
  club: string | undefined;
}

function shownIn(rows: HomeRow[], part: HomeRow['part']): Shown[] {
  return rows.flatMap((row) =>
    row.part === part && row.document !== null
      ? [{ event: parseStored<Tournament>(row.document), row, club: row.club?.name }]
      : [],
  );
}

function runningSection(site: SiteSettings, running: readonly Shown[]): Html {
  const t = site.words.home;
  return html`<section class="running" aria-labelledby="now">
<h2 id="now">${t.runningNow}</h2>
${
  running.length === 0
    ? html`<p class="empty">${t.noneRunning}</p>`
    : html`<ul class="events">${running.map(({ event, row, club }) => runningTile(site, event, stateOf(row), club))}
</ul>`
}
${running.length === maxRunning && more(site, 'ongoing', t.allRunning)}
</section>`;
}

function homeText(site: SiteSettings, rows: HomeRow[], months: NewestMonthRow[]) {
  const t = site.words.home;
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
    title: t.title,
    description: t.description,
    canonical: '/',
    head: feedLink(site),
    hasScript: isLive,
    main: html`<header class="title">
<h1>${t.title}</h1>
<p class="lede">${t.description}</p>
</header>
${isLive && pulse}
${runningSection(site, running)}
<div class="cols">
<section class="sec" aria-labelledby="finished">
<h2 id="finished">${t.justFinished}</h2>
${
  finished.length === 0
    ? html`<p class="empty">${t.noneFinished}</p>`
    : html`${listOf(finished)}
${more(site, 'finished', t.allFinished)}
<p><a href="${fileTo(site, '/tournaments.atom')}">${t.feed}</a></p>`
}
</section>
<section class="sec" aria-labelledby="coming">
<h2 id="coming">${t.upcoming}</h2>
${
  coming.length === 0
    ? html`<p class="empty">${t.nonePlanned}</p>`
    : html`${listOf(coming)}
${more(site, 'planned', t.allUpcoming)}`
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

function stateOf({ stage, view, leader }: HomeRow): EventState {
  const { now, stages = [] } = JSON.parse(view ?? '{}') as Partial<TournamentView>;
  const played = now?.find((each) => each.stage === stage);
  return { stage, stages, played, leader: leaderIn(leader) };
}

/**
 * Shows how much there is, as estimated by PostgreSQL, because counting millions of rows would take too long.
 */
function whatIsHere(site: SiteSettings, rows: HomeRow[]): Html {
  const { words } = site;
  const t = words.home;
  const estimates = rows[0]?.estimates;
  const newest = newestChange(rows);
  const numbers = (
    [
      [t.tournaments, estimates?.tournament],
      [t.battles, estimates?.battle],
      [t.clubs, estimates?.club],
    ] as const
  ).flatMap(([label, count = 0]) =>
    count > 0 ? [html`<div><dt>${label}</dt><dd>${t.about(rounded(count))}</dd></div>\n`] : [],
  );
  return html`<section class="sec" aria-labelledby="numbers">
<h2 id="numbers">${t.whatIsHere}</h2>
${
  numbers.length > 0 &&
  html`<dl class="stats">
${numbers}</dl>`
}
${newest && html`<p class="sub">${t.newestChange(words.moment(newest))}</p>`}
<p>${t.asJson(linkTo(fileTo(site, '/docs')))} ${
    site.contactUrl === undefined ? t.keyFromOperator : t.key(linkTo(site.contactUrl))
  }${
    site.dataUrl !== undefined &&
    html` ${t.asFiles(linkTo(`${site.dataUrl}/index.json`), linkTo(fileTo(site, '/docs/files')))}`
  }</p>
</section>`;
}

/** Returns a function that turns words of a sentence into a link. */
function linkTo(address: string): (text: string) => Html {
  return (text) => html`<a href="${address}">${text}</a>`;
}

/** Returns the time of the newest change. A revision is the time of a change in microseconds. */
function newestChange(rows: HomeRow[]): Date | undefined {
  const changes = rows.map(({ tournamentRevision }) => Number(tournamentRevision ?? 0) / 1_000);
  const newest = Math.max(0, ...changes);
  return newest > 0 ? new Date(newest) : undefined;
}

/** Rounds to two digits, because an estimate is no more precise. */
function rounded(count: number): number {
  return Number(count.toPrecision(2));
}
