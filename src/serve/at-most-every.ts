/** Asks at most every few seconds, however often and by how many it is asked. Every scrape of the metrics asks. */
export function atMostEvery<T>(ask: () => Promise<T>, everyMs = 5_000): () => Promise<T> {
  let last: Promise<T> | undefined;
  let askedAt = -Infinity;
  return () => {
    if (last === undefined || performance.now() - askedAt >= everyMs) {
      askedAt = performance.now();
      last = ask();
    }
    return last;
  };
}
