// The public names of people. A registered player has the current display name, which is in the facts. A
// guest has a name and no id. An erased player has neither.
import type { Person } from '../../../record/facts/facts.ts';
import { compareText, sortKey } from '../../../text/fold.ts';

/** Returns the name that is shown everywhere except on board rows. It is never null. */
export function shownName(person: Person): string {
  return person.erased || person.name === null ? erasedName : person.name;
}

const erasedName = 'Deleted player';

/** Returns the name that is shown on board rows. */
export function boardName(person: Person): string | null {
  return person.erased ? null : person.name;
}

export function shownPlayerId(person: Person): string | null {
  return person.erased ? null : person.playerId;
}

/**
 * Returns the name of a guest, or null for anybody else. If a feed gives somebody the name that we show for
 * erased players, its platform has erased them, so the search must not find them.
 */
export function guestName(person: Person): string | null {
  return person.playerId === null && shownName(person) !== erasedName ? person.name : null;
}

/**
 * Returns the id that pages name a participant by, or null for an erased one, so that nobody can follow them.
 */
export function shownEntry(person: Person, id: string): string | null {
  return shownPlayerId(person) === null && guestName(person) === null ? null : id;
}

/** Sorts by shown name, then by id. */
export function alphabetically<Someone extends Person>(
  people: readonly Someone[],
  idOf: (someone: Someone) => string,
): Someone[] {
  return people
    .map((someone) => ({ someone, key: sortKey(shownName(someone)), id: idOf(someone) }))
    .toSorted((a, b) => compareText(a.key, b.key) || compareText(a.id, b.id))
    .map(({ someone }) => someone);
}
