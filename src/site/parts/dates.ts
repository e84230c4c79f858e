import { html, type Html } from './html.ts';

const months = 'January February March April May June July August September October November December'.split(
  ' ',
);

/** Local calendar dates, never converted: `18 May 2024`. */
export function day(date: string, isShort = false): Html {
  return html`<time datetime="${date}">${dayInWords(date, isShort)}</time>`;
}

/** `18–20 May 2024`, `30 May – 1 June 2024`, `30 December 2024 – 1 January 2025`. Short: `18–20 May 2024`, `1 Jan 2025`. */
export function days(first: string | null, last: string | null, isShort = false): Html | undefined {
  if (first === null) return last === null ? undefined : day(last, isShort);
  if (last === null || last === first) return day(first, isShort);
  const [year, month] = partsOf(first);
  const [lastYear, lastMonth] = partsOf(last);
  const from = (text: string) => html`<time datetime="${first}">${text}</time>`;
  if (year !== lastYear) return html`${day(first, isShort)} – ${day(last, isShort)}`;
  const [, , date] = partsOf(first);
  if (month !== lastMonth) return html`${from(`${date} ${nameOf(month, isShort)}`)} – ${day(last, isShort)}`;
  return html`${from(String(date))}–${day(last, isShort)}`;
}

/** The same as plain text, short. */
export function daysInWords(first: string, last: string | null): string {
  return (days(first, last, true)?.text ?? '').replaceAll(/<[^>]*>/g, '');
}

/** To the minute: `18 May 2024, 09:05 UTC`. */
export function moment(time: Date): Html {
  const text = time.toISOString();
  return html`<time datetime="${text.slice(0, 16)}Z">${dayInWords(text.slice(0, 10))}, ${text.slice(11, 16)} UTC</time>`;
}

/** The month of a day: `May 2024`. */
export function monthInWords(date: string): string {
  const [year, month] = partsOf(date);
  return `${nameOf(month, false)} ${year}`;
}

function dayInWords(date: string, isShort = false): string {
  const [year, month, dayOfMonth] = partsOf(date);
  return `${dayOfMonth} ${nameOf(month, isShort)} ${year}`;
}

function nameOf(month: number, isShort: boolean): string {
  return (months[month - 1] ?? '').slice(0, isShort ? 3 : undefined);
}

function partsOf(date: string): [number, number, number] {
  const [year = 0, month = 0, dayOfMonth = 0] = date.split('-').map(Number);
  return [year, month, dayOfMonth];
}
