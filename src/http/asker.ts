/** Somebody who waits for an answer: a request, or a read that several requests share. */
export class Asker {
  /** The key that is counted, or the site. Owners are served in turns. */
  owner: string;
  isOver = false;
  /** True once it has a slot to read. */
  isInside = false;
  /** True once it is certain that its read will not get a slot. */
  isRefused = false;
  // Most askers never wait, so they do without a list.
  private waiting: (() => void)[] | undefined;

  constructor(owner: string) {
    this.owner = owner;
  }

  /** Calls back when the asker leaves or runs out of time, or at once if that has already happened. */
  whenOver(call: () => void): void {
    if (this.isOver) call();
    else if (this.waiting === undefined) this.waiting = [call];
    else this.waiting.push(call);
  }

  leave(): void {
    if (this.isOver) return;
    this.isOver = true;
    for (const call of this.waiting ?? []) call();
    this.waiting = undefined;
  }
}
