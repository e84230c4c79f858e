import { Asker } from '../http/asker.ts';
import type { NewestRevisions } from './newest-revisions.ts';

/**
 * One read for everybody who asks for the same thing at the same time. It is abandoned when the last of them
 * leaves.
 */
class Flight<T> extends Asker {
  readonly moment: number;
  result: Promise<T> | undefined;
  #callers = 0;

  constructor(owner: string, moment: number) {
    super(owner);
    this.moment = moment;
  }

  join(asker: Asker): void {
    this.#callers += 1;
    asker.whenOver(() => {
      this.#callers -= 1;
      if (this.#callers === 0) this.leave();
    });
  }
}

/**
 * Creates the list of shared reads. A caller who comes after a notice must not get what was read before it,
 * so only reads that began after the last notice are shared.
 */
export function createFlights<T>(newestRevisions: Pick<NewestRevisions, 'generation' | 'count'>) {
  const flights = new Map<string, Flight<T>>();
  return {
    /** Joins the read with this name, or begins it. */
    join(name: string, asker: Asker, begin: (flight: Asker) => Promise<T>): Promise<T> {
      // Neither number ever falls, so their sum is different after each notice.
      const moment = newestRevisions.generation() + newestRevisions.count();
      let flight = flights.get(name);
      // A read that waits in the queue of another key may wait in vain.
      const isJoinable =
        flight?.moment === moment &&
        !flight.isOver &&
        !flight.isRefused &&
        (flight.isInside || flight.owner === asker.owner);
      if (flight === undefined || !isJoinable) {
        const begun = new Flight<T>(asker.owner, moment);
        flights.set(name, begun);
        begun.result = begin(begun).finally(() => {
          if (flights.get(name) === begun) flights.delete(name);
        });
        flight = begun;
      }
      flight.join(asker);
      return flight.result as Promise<T>;
    },
  };
}
