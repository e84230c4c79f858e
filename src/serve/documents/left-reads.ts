/** Reads that go on although all their callers left. Another read of the same name has bytes of its own. */
export interface LeftReads {
  /** To be called when the last caller of this read leaves. */
  add: (name: string, result: Promise<unknown>) => void;
  /** Differs from before as long as a read of this name goes on that was left. */
  mark: (name: string) => number;
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

  return {
    add(name, result) {
      const running = (left.get(name)?.running ?? 0) + 1;
      newestMark += 1;
      left.set(name, { mark: newestMark, running });
      result.then(
        () => end(name),
        () => end(name),
      );
    },
    mark: (name) => left.get(name)?.mark ?? 0,
  };
}
