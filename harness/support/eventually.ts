/**
 * Retries the check until it passes. The limit only ends a hang; it does not judge the speed of the machine.
 */
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
