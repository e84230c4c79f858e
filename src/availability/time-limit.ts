/** Something that must end in time. It is in at most one list. */
export interface Timed {
  startedAt: number;
  before: Timed | undefined;
  after: Timed | undefined;
}

/**
 * Ends what takes too long. Everything in a list has the same limit, so the first item is the oldest. One
 * timer looks at the first items, so that a request or a query needs no timer of its own.
 */
export class TimeLimit<T extends Timed> {
  private readonly limitMs: number;
  private readonly onLate: (late: T) => void;
  private readonly everyMs: number;
  private first: Timed | undefined;
  private last: Timed | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(limitMs: number, onLate: (late: T) => void) {
    this.limitMs = limitMs;
    this.onLate = onLate;
    this.everyMs = Math.min(limitMs, lookEveryMs);
  }

  add(thing: T): void {
    thing.startedAt = performance.now();
    thing.before = this.last;
    if (this.last === undefined) this.first = thing;
    else this.last.after = thing;
    this.last = thing;
    this.timer ??= setTimeout(() => this.look(), this.everyMs).unref();
  }

  /** Does nothing if the thing is not in the list. */
  remove(thing: T): void {
    const { before, after } = thing;
    if (before !== undefined) before.after = after;
    else if (this.first === thing) this.first = after;
    else return;
    if (after !== undefined) after.before = before;
    else this.last = before;
    thing.before = undefined;
    thing.after = undefined;
  }

  /** Visits everything in the list, oldest first. `visit` may remove the thing that it gets. */
  each(visit: (thing: T) => void): void {
    for (let thing = this.first; thing !== undefined;) {
      const { after } = thing;
      visit(thing as T);
      thing = after;
    }
  }

  private look(): void {
    this.timer = undefined;
    const latest = performance.now() - this.limitMs;
    for (let first = this.first; first !== undefined && first.startedAt <= latest; first = this.first) {
      this.remove(first as T);
      this.onLate(first as T);
    }
    this.timer = this.first === undefined ? undefined : setTimeout(() => this.look(), this.everyMs).unref();
  }
}

const lookEveryMs = 50;
