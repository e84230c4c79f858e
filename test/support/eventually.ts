/** Retries the check until it passes. Fails with the last error after the given time. */
export async function eventually(withinMs: number, check: () => Promise<void> | void): Promise<void> {
  const giveUpAt = Date.now() + withinMs;
  for (;;) {
    try {
      await check();
      return;
    } catch (error) {
      if (Date.now() > giveUpAt) throw error;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }
}
