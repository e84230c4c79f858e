import { isCalendarDate } from '../../contract/patterns.ts';
import { isId, isSlug } from '../page.ts';

// A position in a list that begins with the newest, as addresses contain it: `2026-03-14.some-slug`,
// `2026-03-14.1.3.some-id`. Anything without a day comes last, under `none`. A position needs no signature,
// because it only says where to begin.

export type PagePosition = readonly (string | number)[];

/** The positions of lists that begin at their newest row. */
export const newestTournaments: PagePosition = ['infinity', '~'];
export const newestBattles: PagePosition = ['infinity', 32_767, 32_767, '~'];

export function positionText(position: PagePosition): string {
  return position.map((part) => (part === undated ? 'none' : part)).join('.');
}

/** Returns undefined for a text that is not a position in this list. */
export function tournamentPosition(text: string): PagePosition | undefined {
  const [day, slug, ...rest] = text.split('.');
  const date = dateOf(day);
  return date !== undefined && isSlug(slug) && rest.length === 0 ? [date, slug] : undefined;
}

export function battlePosition(text: string): PagePosition | undefined {
  const [day, stageOrder, round, id, ...rest] = text.split('.');
  const date = dateOf(day);
  if (date === undefined || !isSmall(stageOrder) || !isSmall(round) || !isId(id) || rest.length > 0) {
    return undefined;
  }
  return [date, Number(stageOrder), Number(round), id];
}

const undated = '-infinity';

function dateOf(day: string | undefined): string | undefined {
  if (day === 'none') return undated;
  return day !== undefined && isCalendarDate(day) ? day : undefined;
}

/** Returns true for a number that our smallint columns can hold. */
function isSmall(text: string | undefined): boolean {
  return text !== undefined && /^(0|[1-9]\d{0,4})$/.test(text) && Number(text) <= 32_767;
}
