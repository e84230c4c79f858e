/**
 * Runs the work for each item, at most `most` at once, because processes that start together slow each other
 * down.
 */
export async function fewAtOnce<T>(
  most: number,
  items: T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const left = items.values();
  await Promise.all(
    Array.from({ length: most }, async () => {
      for (const item of left) await work(item);
    }),
  );
}
