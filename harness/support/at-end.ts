import { after } from 'node:test';

const steps: (() => Promise<unknown>)[] = [];

// The steps run in reverse order, so a server closes before its database is dropped.
after(async () => {
  for (const step of steps.toReversed()) await step();
});

/**
 * Runs the step when the test file ends. Call it at the top level of the file, where the resource is created.
 */
export function atEnd(step: () => Promise<unknown>): void {
  steps.push(step);
}
