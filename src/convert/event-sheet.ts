// The facts of the event, from its sheet and from options with the same names, which take precedence.
import type { DateOrder } from './cells.ts';
import { calendarDate, wholeNumberInCell, yesOrNo } from './cells.ts';
import { type NamedCell, type Findings, wantedButFound } from './findings.ts';
import { byWord, type EventFact, headerKey } from './headers.ts';
import type { SheetRow } from './sheet-row.ts';
import { slugPattern } from '../contract/patterns.ts';
import { knownTieBreaks, type TieBreak } from '../record/feed/tournament-records.ts';
import { lineOfRow } from './players-sheet.ts';
import { type EventScoring, scoringOf } from './scoring.ts';
import { nameInCell, wordOf } from './texts.ts';

export interface EventFacts extends EventScoring {
  slug: string;
  name: string;
  status: 'planned' | 'ongoing' | 'finished';
  published: boolean;
  start: string | null;
  end: string | null;
  city: string | null;
  country: string | null;
  size: number;
  pack: string | null;
  rounds: number | null;
  top: number | null;
  tieBreaks: TieBreak[] | null;
  /** The name as written; to-feed.ts finds the club. */
  organiser: string | null;
}

export type EventOptions = Partial<Record<EventFact, string>>;

/**
 * Reads the facts. A required fact that is missing or refused gets a value with which the other sheets can
 * still be checked.
 */
export function eventFacts(
  rows: SheetRow[],
  options: EventOptions,
  order: DateOrder | undefined,
  findings: Findings,
  isAlone = false,
): EventFacts {
  const given = new Map<EventFact, SheetRow>();
  const cell = (fact: EventFact): NamedCell => {
    const option = options[fact];
    if (option === undefined) return given.get(fact)?.cell(fact) ?? missing(fact, rows[0], findings);
    const refuse = (wanted: string) => findings.refuseAll(`--${fact}`, wantedButFound(wanted, option));
    return { text: option.trim(), refuse };
  };
  for (const row of rows) {
    const [fact] = row.columns as EventFact[];
    if (fact === undefined) continue;
    const before = given.get(fact);
    if (before) row.refuse(fact, `expected each fact once, found it again (first ${lineOfRow(before)})`);
    else given.set(fact, row);
  }
  const required = <Value>(fact: EventFact, wanted: string, read: (from: NamedCell) => Value | undefined) => {
    const from = cell(fact);
    return from.text === '' ? from.refuse(wanted) : read(from);
  };
  const slugWanted =
    'lower-case letters, digits and hyphens, at most 100, like club-cup-2026: it is the address of the page';
  const statusWanted = 'planned, ongoing or finished';
  const slug =
    isAlone && cell('slug').text === ''
      ? slugOfAlone
      : required('slug', slugWanted, (from) =>
          new RegExp(slugPattern).test(from.text) ? from.text : from.refuse(slugWanted),
        );
  const own = given.get('slug')?.cell('slug');
  if (options.slug !== undefined && own && own.text !== '' && own.text !== options.slug.trim())
    own.refuse(`${options.slug.trim()}, as --slug says: another slug is another event`);
  const name = required('name', 'the name of the event', nameInCell);
  const status = required(
    'status',
    statusWanted,
    (from) => statuses.get(headerKey(from.text)) ?? from.refuse(statusWanted),
  );
  const published =
    isAlone && cell('published').text === ''
      ? false
      : required('published', 'yes or no: nothing is public by omission', yesOrNo);
  const size = required('size', 'the points of an army, for example 2000', (from) =>
    wholeNumberInCell(from, 0, 1_000_000),
  );
  const start = calendarDate(cell('start'), order) ?? null;
  const end = calendarDate(cell('end'), order) ?? null;
  if (start !== null && end !== null && end < start) cell('end').refuse(`${start} or later`);
  const scoring = cell('scoring');
  return {
    slug: slug ?? '',
    name: name ?? '',
    status: status ?? 'ongoing',
    published: published ?? false,
    size: size ?? 0,
    start,
    end,
    city: wordOf(cell('city')) ?? null,
    country: wordOf(cell('country')) ?? null,
    pack: nameInCell(cell('pack')) ?? null,
    rounds: wholeNumberInCell(cell('rounds'), 1, maxRounds) ?? null,
    top: wholeNumberInCell(cell('top'), 2, 1024) ?? null,
    scoringRow: given.get('scoring')?.header('scoring'),
    scoring: scoring.text === '' ? null : (scoringOf(scoring) ?? [0, 0, 0]),
    tieBreaks: tieBreaksOf(cell('tie-breaks')) ?? null,
    organiser: nameInCell(cell('organiser')) ?? null,
  };
}

const maxRounds = 100;
const slugOfAlone = 'preview';

function tieBreaksOf(cell: NamedCell): TieBreak[] | undefined {
  if (cell.text === '') return undefined;
  const plain = (name: string): string => headerKey(name).replaceAll(' ', '');
  const named = cell.text
    .split(/[,;/|>]/)
    .map((name) => knownTieBreaks.find((each) => plain(each) === plain(name)) ?? '');
  if (!named.includes('') && new Set(named).size === named.length) return named as TieBreak[];
  return cell.refuse(`names of ${knownTieBreaks.join(', ')}, each at most once`);
}

const statuses = byWord({
  planned:
    'planned, upcoming; geplant; prevu, planifie; planificado, previsto; previsto, pianificato; planowany, zaplanowany',
  ongoing:
    'ongoing, running, live; laufend, lauft, im gang; en cours; en curso, en juego; in corso; trwa, w trakcie',
  finished:
    'finished, done, over; beendet, abgeschlossen, fertig; termine, fini; terminado, finalizado; terminato, concluso, finito; zakonczony, zakonczone',
});

function missing(fact: string, first: SheetRow | undefined, findings: Findings): NamedCell {
  const refuse = (wanted: string) =>
    findings.refuseAll(first?.file ?? 'event sheet', `${fact}: ${wantedButFound(wanted, '')}`);
  return { text: '', refuse };
}
