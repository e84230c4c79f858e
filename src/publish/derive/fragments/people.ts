// The public names of people. A registered player has the current display name, which is in the facts. A guest has a
// name and no id. An erased player has neither.
import type { Person } from '../../../record/facts/facts.ts';
import { compareText, sortKey } from '../../../text/fold.ts';

/** The name everywhere except on board rows. Never null. */
export function shownName(person: Person): string {
  return person.erased || person.name === null ? erasedName : person.name;
}

const erasedName = 'Deleted player';

/** The name on board rows. */
export function boardName(person: Person): string | null {
  return person.erased ? null : person.name;
}

export function shownPlayerId(person: Person): string | null {
  return person.erased ? null : person.playerId;
}

/** Null: no guest. A feed may give the name of the erased to somebody whom its platform erased: nobody finds that one. */
export function guestName(person: Person): string | null {
  return person.playerId === null && shownName(person) !== erasedName ? person.name : null;
}

/** The id that pages name a participant by. Null: erased, so that nobody can follow them. */
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
