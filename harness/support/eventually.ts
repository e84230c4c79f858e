/** Retries the check until it passes. The limit is there to end a hang, and judges no machine by its speed. */
export async function eventually(check: () => Promise<void> | void, withinMs = 120_000): Promise<void> {
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
