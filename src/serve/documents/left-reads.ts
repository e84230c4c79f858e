/** Reads that go on although all their callers left. Another read of the same name has bytes of its own. */
export interface LeftReads {
  /** Adds a caller. The read is given up when the last one leaves. */
  join: (name: string, read: SharedRead, signal: AbortSignal) => void;
  /** Differs from before as long as a read of this name goes on that was left. */
  mark: (name: string) => number;
}

/** A read for all who ask for it at the same time. */
export interface SharedRead {
  callers: number;
  controller: AbortController;
  result: Promise<unknown>;
}

export function createLeftReads(): LeftReads {
  const left = new Map<string, { mark: number; running: number }>();
  let newestMark = 0;

  function end(name: string): void {
    const known = left.get(name);
    if (known === undefined) return;
    known.running -= 1;
    if (known.running === 0) left.delete(name);
  }

  function leave(name: string, { controller, result }: SharedRead): void {
    controller.abort();
    const running = (left.get(name)?.running ?? 0) + 1;
    newestMark += 1;
    left.set(name, { mark: newestMark, running });
    result.then(
      () => end(name),
      () => end(name),
    );
  }

  return {
    join(name, read, signal) {
      read.callers += 1;
      signal.addEventListener(
        'abort',
        () => {
          read.callers -= 1;
          if (read.callers === 0) leave(name, read);
        },
        { once: true },
      );
    },
    mark: (name) => left.get(name)?.mark ?? 0,
  };
}
