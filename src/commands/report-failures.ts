import type { Failure } from '../record/backlog/drain.ts';

/** Prints each failure and makes the command exit non-zero. */
export function reportFailures(failed: Failure[]): void {
  for (const { kind, key, reason } of failed)
    console.error(`${kind} ${key} could not be published: ${reason}`);
  if (failed.length > 0) process.exitCode = 1;
}
