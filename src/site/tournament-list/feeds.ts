import type { Club } from '../../contract/club.ts';
import type { Tournament } from '../../contract/tournament.ts';
import { tournamentBySlug } from '../../read/items.ts';
import { dayMs, dayOf } from '../../text/days.ts';
import { parseStored } from '../../read/page-address.ts';
import type { Row } from '../../read/reader.ts';
import { calendar, calendarType } from './calendar.ts';
import { html, type Html } from '../html.ts';
import { isSlug, type MadePage, type PageRoute } from '../page.ts';
import { leaderIn } from '../parts/events.ts';
import { erasedName } from '../parts/names.ts';
import { en } from '../words/en.ts';
import type { SiteSettings } from '../site-settings.ts';
import { newestTournaments } from '../parts/position.ts';
import { calendarOfAll, calendarOfClub, type CalendarRow } from './calendar-statements.ts';
import { tournamentsOfStatus, type TournamentsRow } from './statements.ts';

/**
 * Serves what other programs load again and again: calendars of upcoming tournaments, and a feed of finished
 * ones.
 */
export function feedPages(site: SiteSettings): PageRoute[] {
  return [
    {
      path: '/tournaments.ics',
      query: [],
      isLarge: true,
      scope: () => 'tournaments',
      make: async ({ read }) => made(site, site.siteName, await read<CalendarRow>(calendarOfAll, bounds())),
    },
    {
      path: '/clubs/:slug/tournaments.ics',
      query: [],
      isLarge: true,
      scope: ({ slug }) => `club:${slug}`,
      make: async ({ params: { slug }, read }) => {
        if (!isSlug(slug)) return undefined;
        const rows = await read<CalendarRow>(calendarOfClub, [...bounds(), slug]);
        const [first] = rows;
        return first && made(site, parseStored<Club>(first.club ?? '').name, rows);
      },
    },
    {
      path: '/tournaments/:slug/calendar.ics',
      query: [],
      scope: ({ slug }) => `tournament:${slug}`,
      make: async ({ params: { slug }, read }) => {
        if (!isSlug(slug)) return undefined;
        const [row] = await read<Row & { document: string }>(tournamentBySlug, [slug, []]);
        if (row === undefined) return undefined;
        const event = { ...parseStored<Tournament>(row.document), revision: row.revision };
        return { type: calendarType, text: calendar(site, event.name, [event]) };
      },
    },
    {
      path: '/tournaments.atom',
      query: [],
      scope: () => 'tournaments',
      make: async ({ read }) => {
        const values = [maxEntries, ...newestTournaments, '-infinity', 'finished'];
        const rows = await read<TournamentsRow>(tournamentsOfStatus, values, (found) =>
          found.flatMap(({ position, tournamentRevision }) =>
            position === null
              ? []
              : [
                  {
                    scope: `tournament:${String(position[1])}` as const,
                    revision: BigInt(tournamentRevision ?? 0),
                  },
                ],
          ),
        );
        return { type: 'application/atom+xml; charset=utf-8', text: atom(site, rows) };
      },
    },
  ];
}

const maxEvents = 500;
const maxEntries = 50;

function bounds(): unknown[] {
  const day = (ago: number) => dayOf(Date.now() - ago * dayMs);
  return [maxEvents, day(0), day(90)];
}

function made(site: SiteSettings, title: string, rows: readonly CalendarRow[]): MadePage {
  const events = rows.flatMap(({ document, tournamentRevision }) =>
    document === null || tournamentRevision === null
      ? []
      : [{ ...parseStored<Tournament>(document), revision: tournamentRevision }],
  );
  // The calendar changes as days pass, and no notice says so.
  return { type: calendarType, text: calendar(site, title, events), keptForMs: 60_000 };
}

function atom({ siteUrl, siteName, pageBases }: SiteSettings, rows: readonly TournamentsRow[]): string {
  const there = rows.filter(({ document }) => document !== null);
  const newest = Math.max(0, ...there.map(({ tournamentRevision }) => Number(tournamentRevision)));
  return html`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<title>Finished events</title>
<id>${siteUrl}/tournaments.atom</id>
<link rel="self" href="${siteUrl}/tournaments.atom"/>
<link href="${siteUrl}/tournaments?status=finished"/>
<author><name>${sayable(siteName)}</name></author>
<updated>${moment(newest)}</updated>
${there.map((row) => entry(pageBases.tournaments, row))}</feed>
`.text;
}

function entry(base: string, { document, leader, tournamentRevision }: TournamentsRow): Html {
  const event = parseStored<Tournament>(document ?? '');
  const winner = leaderIn(leader);
  const facts = [
    winner && `${winner.player ?? erasedName} won${winner.faction === null ? '' : ` with ${winner.faction}`}`,
    event.startDate && en.daysInWords(event.startDate, event.endDate),
    [event.city, event.country].filter(Boolean).join(', '),
    en.players(event.players),
  ];
  const address = `${base}${event.slug}`;
  return html`<entry>
<title>${sayable(event.name)}</title>
<id>${address}</id>
<link href="${address}"/>
<updated>${moment(Number(tournamentRevision))}</updated>
<summary>${sayable(facts.filter(Boolean).join(' · '))}</summary>
</entry>
`;
}

/** Converts a revision to ISO 8601. A revision is the time of a change, in microseconds. */
function moment(revision: number): string {
  return new Date(revision / 1_000).toISOString();
}

/** Replaces characters that XML does not allow, not even as a number. */
function sayable(text: string): string {
  return text.toWellFormed().replaceAll(/[\p{Cc}\ufffe\uffff]/gu, ' ');
}
