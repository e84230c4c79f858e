/**
 * Limits how often `ask` is called, no matter how often and by how many callers the returned function is
 * called. Every scrape of the metrics calls it.
 */
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
