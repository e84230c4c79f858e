// The states of a publisher:
//
//   waits ──► publishes     recording woke it, or it has waited long enough
//   publishes ──► pauses    as long as the publish took, from 20 to 300 ms
//   pauses ──► pauses       results of the same wave arrive, at most until 300 ms are over
//          └─► publishes    there are marks
//          └─► waits        there are none
//
// A wake that arrives while it works is kept. After the end of the recording there are no pauses.

/** The pause after a publish takes as long as the publish did, within these bounds in milliseconds. */
const shortestMs = 20;
const longestMs = 300;
/** Results that follow each other faster than this, in milliseconds, belong to one wave. */
const waveMs = 10;

/**
 * Decides when a publisher pauses. Recording in the same process wakes it. A wake that arrives while the
 * publisher works is kept and ends the next wait at once, so that no wake gets lost and the publisher looks
 * again.
 */
export class Debounce {
  #isWoken = false;
  #wokenAt = 0;
  #isOver = false;
  #earliest = 0;
  #latest = 0;
  #interrupt: (() => void) | undefined;

  /** Tells the publisher that marks were committed. Call it after the commit. */
  wake(): void {
    this.#isWoken = true;
    this.#wokenAt = Date.now();
    this.#interrupt?.();
  }

  /** Ends the current pause. There are no others after it. */
  end(): void {
    this.#isOver = true;
    this.#interrupt?.();
  }

  /** Waits until there has been a wake since the last wait, but at most this long. */
  async untilWoken(maxMs: number): Promise<void> {
    if (!this.#isWoken) await this.#sleep(maxMs);
    this.#isWoken = false;
  }

  /** Begins the pause after a publish that took this long. */
  begin(publishMs: number): void {
    const now = Date.now();
    this.#earliest = now + Math.min(Math.max(publishMs, shortestMs), longestMs);
    this.#latest = now + longestMs;
  }

  /**
   * Waits until the pause after the last publish is over. The pause goes on while the results of a wave
   * arrive, so that they are published together. Returns whether it had to wait.
   */
  async untilQuiet(): Promise<boolean> {
    for (let hasWaited = false; ; hasWaited = true) {
      const until = Math.min(Math.max(this.#earliest, this.#wokenAt + waveMs), this.#latest);
      const left = until - Date.now();
      if (left <= 0 || this.#isOver) return hasWaited;
      await this.#sleep(left);
    }
  }

  async #sleep(ms: number): Promise<void> {
    if (this.#isOver) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#interrupt = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#interrupt = undefined;
  }
}
