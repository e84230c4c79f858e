// Files for calendar programs, as defined in RFC 5545.
import type { Tournament } from '../../contract/tournament.ts';
import { daysBefore } from '../../text/days.ts';
import type { SiteSettings } from '../site-settings.ts';

export const calendarType = 'text/calendar; charset=utf-8';

export interface CalendarEvent extends Pick<
  Tournament,
  'slug' | 'name' | 'startDate' | 'endDate' | 'city' | 'country'
> {
  /** The time of the last change, in microseconds. */
  revision: string;
}

/**
 * Writes a calendar in which tournaments have days but no times: their dates are local, and we know no hours.
 */
export function calendar(
  {
    siteUrl,
    siteName,
    pageBases,
    savedAt,
  }: Pick<SiteSettings, 'siteUrl' | 'siteName' | 'pageBases' | 'savedAt'>,
  title: string,
  events: readonly CalendarEvent[],
): string {
  const { hostname } = new URL(siteUrl);
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:-//${escaped(siteName).replaceAll('/', ' ')}//Tournaments//EN`,
    `X-WR-CALNAME:${escaped(title)}`,
  ];
  for (const { slug, name, startDate, endDate, city, country, revision } of events) {
    if (startDate === null) continue;
    const where = [city, country].filter((each) => each !== null).join(', ');
    lines.push(
      'BEGIN:VEVENT',
      // Calendar programs recognise the tournament by this id when they load the calendar again.
      `UID:tournament-${slug}@${hostname}`,
      `DTSTAMP:${stamp(Number(revision) / 1_000)}`,
      `DTSTART;VALUE=DATE:${compact(startDate)}`,
      // The end is the first day on which it is over.
      `DTEND;VALUE=DATE:${compact(dayAfter(endDate ?? startDate))}`,
      `SUMMARY:${escaped(name)}`,
      ...(where === '' ? [] : [`LOCATION:${escaped(where)}`]),
      ...(savedAt === undefined ? [`URL:${pageBases.tournaments}${slug}`] : []),
      'TRANSP:TRANSPARENT',
      'END:VEVENT',
    );
  }
  return [...lines, 'END:VCALENDAR', ''].map(folded).join('\r\n');
}

function stamp(milliseconds: number): string {
  return `${compact(new Date(milliseconds).toISOString().slice(0, 19)).replaceAll(':', '')}Z`;
}

const compact = (date: string) => date.replaceAll('-', '');

function dayAfter(date: string): string {
  const day = daysBefore(date, -1);
  // Calendars have no year 10000.
  return day.startsWith('+') ? date : day;
}

/** Escapes text for a value, which must not contain control characters. */
function escaped(text: string): string {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[\\;,]/g, String.raw`\$&`)
    .replaceAll('\n', String.raw`\n`)
    .replaceAll(/\p{Cc}/gu, ' ');
}

/** Splits a line after at most 75 bytes, without cutting a character. The next line begins with a space. */
function folded(line: string): string {
  if (Buffer.byteLength(line) <= longestLine) return line;
  let text = '';
  let bytes = 0;
  for (const character of line) {
    const more = Buffer.byteLength(character);
    if (bytes + more > longestLine) {
      text += '\r\n ';
      bytes = 1;
    }
    text += character;
    bytes += more;
  }
  return text;
}

const longestLine = 75;
