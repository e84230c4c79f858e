import { after } from 'node:test';

const steps: (() => Promise<unknown>)[] = [];

// Last made, first ended: a server closes before the database it reads is dropped.
after(async () => {
  for (const step of steps.toReversed()) await step();
});

/** Runs when the test file ends. To be called from the top of the file, where whatever it cleans up is made. */
export function atEnd(step: () => Promise<unknown>): void {
  steps.push(step);
}
