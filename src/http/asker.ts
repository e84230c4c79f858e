/** Who waits for an answer: a request, or a read that several requests share. */
export class Asker {
  /** Who is counted: a key, or the site. Owners are served in turns. */
  owner: string;
  isOver = false;
  /** It has a place to read. */
  isInside = false;
  /** Its read gets none. */
  isRefused = false;
  // Most askers never wait, so most need no list.
  private waiting: (() => void)[] | undefined;

  constructor(owner: string) {
    this.owner = owner;
  }

  /** Calls this when the asker leaves, or is too late. At once when it already did. */
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
