// Rules for single values that JSON Schema cannot express, and the paths to the values.
import { isCalendarDate } from '../../contract/patterns.ts';
import { expected, type Problem } from './problem.ts';
import type { ArmyListEntry } from './tournament-records.ts';

/** Returns the path of an element: `participants[3]` in a tournament, empty in a record of its own. */
export const pathInRecord = (part: string, index: number): string => (part === '' ? '' : `${part}[${index}]`);
/** Returns the path of a member of that element. */
export const within = (at: string, key: string): string => (at === '' ? key : `${at}.${key}`);

export function checkDate(date: string | null | undefined, path: string, problems: Problem[]): void {
  if (date && !isCalendarDate(date)) problems.push(expected(path, 'a date the calendar has', date));
}

export function checkPoints(
  points: { battlePoints?: number; victoryPoints?: number; victoryPointsDiff?: number },
  at: string,
  problems: Problem[],
): void {
  checkDecimals(points.battlePoints, at, 'battlePoints', problems);
  checkDecimals(points.victoryPoints, at, 'victoryPoints', problems);
  checkDecimals(points.victoryPointsDiff, at, 'victoryPointsDiff', problems);
}

/** Refuses a value with more than two decimals, so that sums stay exact. */
export function checkDecimals(
  value: number | boolean | null | undefined,
  at: string,
  key: string,
  problems: Problem[],
): void {
  if (typeof value !== 'number' || Number.isInteger(value)) return;
  if (Math.round(value * 100) / 100 !== value)
    problems.push(expected(at + key, 'at most two decimals', value));
}

export function checkDistinct<Element>(
  elements: readonly Element[] | null | undefined,
  part: string,
  identity: (element: Element) => string | null | undefined,
  problems: Problem[],
  what = '',
): void {
  if (!elements || elements.length < 2) return;
  const first = new Map<string, number>();
  for (const [index, element] of elements.entries()) {
    const key = identity(element);
    if (key === null || key === undefined) continue;
    const before = first.get(key);
    if (before === undefined) first.set(key, index);
    else {
      const path = what === '' ? `${part}[${index}]` : `${part}[${index}].${what}`;
      const message = `expected each once, found "${key}" again (first at ${part}[${before}])`;
      problems.push({ path, message });
    }
  }
}

/** Checks that exactly one is given: a registered player, a guest, or an erased guest. */
export function checkPerson(
  { player, name, erased }: { player?: string | null; name?: string | null; erased?: boolean },
  at: string,
  problems: Problem[],
): void {
  const given =
    Number(typeof player === 'string') + Number(typeof name === 'string') + Number(erased === true);
  if (given === 1) return;
  const message = `expected either a player or a guest's name, found ${given === 0 ? 'neither' : 'both'}`;
  problems.push({ path: at, message });
}

export function checkList(
  { faction, list }: { faction?: string | null; list?: ArmyListEntry | null },
  at: string,
  problems: Problem[],
): void {
  if (!list) return;
  const absent = (['faction', 'points', 'battleTacticCards', 'text'] as const).filter(
    (name) => list[name] === undefined,
  );
  const [missing] = absent;
  if (missing !== undefined && absent.length < 4)
    problems.push(expected(within(at, `list.${missing}`), 'a whole list, or a subFaction alone', undefined));
  if (faction && list.faction !== undefined && faction !== list.faction)
    problems.push(expected(within(at, 'faction'), `the list's faction ("${list.faction}")`, faction));
}
