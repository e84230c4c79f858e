// Assigns numbers to a roster that has none. Results and erasures are tied to the number of a player, so
// everybody keeps the number that the recorded event has for the name, and new players get the next ones in
// the order of their rows.
import { fold } from '../text/fold.ts';
import type { SheetRow } from './sheet-row.ts';
import { withoutCommas } from './texts.ts';

/** A participant of the recorded event, or an erased guest who is no longer in it. */
export interface RecordedPlayer {
  no: number;
  /** Null for an erased player. */
  name: string | null;
  /** The public id of a registered player. */
  id: string | null;
}

interface Person {
  row: SheetRow;
  name: string;
  /** Empty for a guest. */
  id: string;
}

/**
 * Returns a number for each row. Even a row that is refused gets some number, so that the games can be
 * checked by name.
 */
export function rosterNumbers(people: Person[], recorded: RecordedPlayer[]): ReadonlyMap<SheetRow, number> {
  const numbers = new Map<SheetRow, number>();
  const rowsByName = new Map<string, SheetRow>();
  const newcomers: Person[] = [];
  const byId = Map.groupBy(recorded, (each) => each.id);
  const ids = new Set(people.map(({ id }) => id));
  const byName = Map.groupBy(recorded, (each) => each.name && keyOfName(each.name));
  const nameless = new Set(recorded.filter(({ name }) => name === null));
  for (const person of people) {
    const { row, name, id } = person;
    if (name === '') continue;
    const key = keyOfName(name);
    const twin = rowsByName.get(key);
    // The same name with a different id belongs to another person.
    const isOther = (each: RecordedPlayer) => each.id !== null && (id !== '' || ids.has(each.id));
    const known = byId.get(id) ?? (byName.get(key) ?? []).filter((each) => !isOther(each));
    if (twin || known.length > 1) {
      const others = twin ? `in ${twin.file}:${twin.line}` : 'in the recorded event';
      row.refuse(
        'name',
        `expected a column "no" with the numbers of the players, because another one ${others} is called "${name}", too`,
      );
      newcomers.push(person);
    } else if (known[0]) {
      numbers.set(row, known[0].no);
      nameless.delete(known[0]);
    } else newcomers.push(person);
    rowsByName.set(key, row);
  }
  let last = Math.max(0, ...recorded.map(({ no }) => no));
  for (const { row, name } of newcomers) {
    numbers.set(row, (last += 1));
    // This may be the person who was erased, and a new number would make the name visible again.
    if (nameless.size > 0 && !row.isRefused) {
      const erased = [...nameless].map(({ no }) => no).join(', ');
      row.refuse(
        'name',
        `expected a column "no" with the numbers of the players, because number ${erased} was erased, and "${name}" may be this person`,
      );
    }
  }
  return numbers;
}

const keyOfName = (name: string): string => fold(withoutCommas(name));
