import { html, type Html } from '../html.ts';

/** Writes numbers, dates and counts in one language, as far as `Intl` knows how. */
export interface Speech<Form extends Intl.LDMLPluralRule = 'one' | 'other'> {
  /** The value for the attribute `lang`: `en`. */
  language: string;
  /** Writes `1,234` or `18.5`, with a real minus sign. */
  number: (value: number, decimals?: number) => string;
  /** Writes a number with its sign: `+160`, `−2`, `0`. */
  signed: (value: number, decimals?: number) => string;
  /**
   * Returns a function that writes a number, followed by the form that goes with it: `1 player`, `2 players`.
   */
  counted: (forms: Forms<Form>) => (count: number) => string;
  /** Writes a list: `A, B and C`. */
  listed: (parts: readonly Html[]) => Html;
  /** Writes a local calendar date, which is never converted: `18 May 2024`. Short: `18 Sep 2024`. */
  day: (date: string, isShort?: boolean) => Html;
  /**
   * Writes a range of days: `18–20 May 2024`, `30 May – 1 June 2024`, `30 December 2024 – 1 January 2025`.
   */
  days: (first: string | null, last: string | null, isShort?: boolean) => Html | undefined;
  /** Writes a short range of days as plain text. */
  daysInWords: (first: string, last: string | null) => string;
  /** Writes a time to the minute: `18 May 2024, 09:05 UTC`. */
  moment: (time: Date) => Html;
  /**
   * Writes a time of today, `14:23 UTC`, or another time with its day. The script converts it to the reader's
   * own time.
   */
  clock: (time: Date, today: string) => Html;
  /** Writes the month of a day: `May 2024`. */
  month: (date: string) => string;
  /** Writes the month for the beginning of a line, because many languages write months in lower case. */
  monthTitle: (date: string) => string;
  /** Writes the first letter of the month: `M`. */
  monthLetter: (date: string) => string;
}

/**
 * A word in each plural form that the language has for whole numbers. If millions have a form of their own,
 * `other` is used.
 */
type Forms<Form extends Intl.LDMLPluralRule = 'one' | 'other'> = Record<Form | 'other', string>;

/** The forms of a word in any language, for the script. */
export type AnyForms = Partial<Forms<Intl.LDMLPluralRule>> & { other: string };

/** Makes the functions for a language. `adjusted` changes dates that people write differently from `Intl`. */
export function speech<Form extends Intl.LDMLPluralRule = 'one' | 'other'>(
  locale: string,
  adjusted = (date: string) => date,
): Speech<Form> {
  const { number, signed } = numbersOf(locale);
  const rules = new Intl.PluralRules(locale);
  const lists = new Intl.ListFormat(locale);
  return {
    language: locale.slice(0, 2),
    number,
    signed,
    counted: (forms: AnyForms) => (count) => `${number(count)} ${forms[rules.select(count)] ?? forms.other}`,
    listed(parts) {
      const texts = parts.map(({ text }) => textIn(text));
      let at = 0;
      return html`${lists
        .formatToParts(texts)
        .map(({ type, value }) => (type === 'element' ? parts[at++] : value))}`;
    },
    ...datesOf(locale, adjusted),
  };
}

const textIn = (markup: string) => markup.replaceAll(/<[^>]*>/g, '');

function numbersOf(locale: string): Pick<Speech, 'number' | 'signed'> {
  const formats = [0, 1, 2].map(
    (digits) =>
      new Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits }),
  );
  const point = formats[1]?.formatToParts(0.5).find(({ type }) => type === 'decimal')?.value ?? '.';
  const written = (size: number, sign: string, decimals: number) => {
    // Most numbers of a page are of these kinds, and `Intl` is slow.
    if (decimals === 0 && size < 1_000 && Number.isInteger(size)) return `${sign}${size}`;
    if (size < 999) return `${sign}${size.toFixed(decimals).replace('.', point)}`;
    return `${sign}${formats[decimals]?.format(Number(size.toFixed(decimals))) ?? size}`;
  };
  return {
    number: (value, decimals = 0) => written(Math.abs(value), value < 0 ? minus : '', decimals),
    signed: (value, decimals = 0) =>
      written(Math.abs(value), value === 0 ? '' : value < 0 ? minus : '+', decimals),
  };
}

const minus = '−';

type Dates = Pick<
  Speech,
  'day' | 'days' | 'daysInWords' | 'moment' | 'clock' | 'month' | 'monthTitle' | 'monthLetter'
>;

function datesOf(locale: string, adjusted: (date: string) => string): Dates {
  const formatOf = (parts: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...parts });
  const long = formatOf({ day: 'numeric', month: 'long', year: 'numeric' });
  const short = formatOf({ day: 'numeric', month: 'short', year: 'numeric' });
  const months = formatOf({ month: 'long', year: 'numeric' });
  const letters = formatOf({ month: 'narrow' });
  const inWords = kept((date: string, isShort: boolean) =>
    adjusted((isShort ? short : long).format(timeOf(date))),
  );
  const rangeInWords = kept((dates: string, isShort: boolean) => {
    const [first = '', last = ''] = dates.split(' ');
    const parts = (isShort ? short : long).formatRangeToParts(timeOf(first), timeOf(last));
    const text = (those: typeof parts) => adjusted(those.map(({ value }) => value).join(''));
    const second = parts.findIndex(({ source }) => source === 'endRange');
    return [text(parts.slice(0, second)).replace(/[\s–]+$/u, ''), text(parts.slice(second))] as const;
  });
  const day = (date: string, isShort = false) =>
    html`<time datetime="${date}">${inWords(date, isShort)}</time>`;
  const days: Speech['days'] = (first, last, isShort = false) => {
    if (first === null) return last === null ? undefined : day(last, isShort);
    if (last === null || last === first) return day(first, isShort);
    const [start, end] = rangeInWords(`${first} ${last}`, isShort);
    return html`<time datetime="${first}">${start}</time>${/\p{L}/u.test(start) ? ' – ' : '–'}<time datetime="${last}">${end}</time>`;
  };
  return {
    day,
    days,
    daysInWords: (first, last) => textIn(days(first, last, true)?.text ?? ''),
    moment(time) {
      const text = time.toISOString();
      return html`<time datetime="${text.slice(0, 16)}Z">${inWords(text.slice(0, 10), false)}, ${text.slice(11, 16)} UTC</time>`;
    },
    clock(time, today) {
      const text = time.toISOString();
      const [on, at] = [text.slice(0, 10), text.slice(11, 16)];
      return html`<time class="clock" datetime="${text.slice(0, 16)}Z">${on !== today && `${inWords(on, true)}, `}${at} UTC</time>`;
    },
    month: (date) => months.format(timeOf(date)),
    monthTitle: (date) => months.format(timeOf(date)).replace(/^./u, (letter) => letter.toUpperCase()),
    monthLetter: (date) => letters.format(timeOf(date)).toUpperCase(),
  };
}

/** Keeps results, because `Intl` is slow with dates and pages show the same ones again and again. */
function kept<Text>(make: (dates: string, isShort: boolean) => Text) {
  const made = { true: new Map<string, Text>(), false: new Map<string, Text>() };
  return (dates: string, isShort: boolean): Text => {
    const known = made[`${isShort}`];
    const found = known.get(dates) ?? make(dates, isShort);
    if (known.size >= 2_000) known.clear();
    known.set(dates, found);
    return found;
  };
}

function timeOf(date: string): number {
  return Date.parse(`${date}T00:00:00Z`);
}
