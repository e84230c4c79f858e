// How people are named in public. A registered player goes by the current display name, which the facts already carry; a
// guest has a name and no id; an erased player has neither.
import type { Person } from '../../record/facts/facts.ts';
import { compareText, sortKey } from './sort-key.ts';

/** Everywhere but on board rows: a name that is never null. */
export function shownName(person: Person): string {
  return person.erased || person.name === null ? 'Deleted player' : person.name;
}

/** On board rows. */
export function boardName(person: Person): string | null {
  return person.erased ? null : person.name;
}

export function shownPlayerId(person: Person): string | null {
  return person.erased ? null : person.playerId;
}

/** In alphabetical order of the names as shown, then by id. */
export function alphabetically<Someone extends Person>(
  people: readonly Someone[],
  idOf: (someone: Someone) => string,
): Someone[] {
  return people
    .map((someone) => ({ someone, key: sortKey(shownName(someone)), id: idOf(someone) }))
    .toSorted((a, b) => compareText(a.key, b.key) || compareText(a.id, b.id))
    .map(({ someone }) => someone);
}
