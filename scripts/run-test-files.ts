import { globSync } from 'node:fs';
import path from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { type Skipped, skippedInCi } from './skipped-tests.ts';

export interface RunOptions {
  /** The maximum time of a test. */
  timeoutMs: number;
  coverage?: boolean;
}

/**
 * Runs test files with node:test and returns the exit code. A run of several files ends with the time that
 * each took, slowest first.
 */
export async function runTestFiles(patterns: string[], options: RunOptions): Promise<number> {
  const files = inOrder(globSync(patterns));
  if (files.length === 0) console.error(`There is no test file ${patterns.join(' or ')}.`);
  const aborted = new AbortController();
  // The caller still has to clean up, so Ctrl-C only ends the tests.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => aborted.abort());
  const durations: { file: string; ms: number }[] = [];
  const skipped: Skipped[] = [];
  let isPassed = files.length > 0;
  const events = run({
    files: files.map((file) => path.resolve(file)),
    // More than CI has cores, because many tests wait for timers, and the cores would be idle in the meantime.
    concurrency: 3,
    timeout: options.timeoutMs,
    signal: aborted.signal,
    ...(options.coverage && coverage),
  });
  for (const type of ['test:pass', 'test:fail'] as const)
    events.on(type, ({ name, skip, todo }) => {
      const why = skip ?? todo;
      if (why !== undefined)
        skipped.push({ test: name, why: why === true ? 'no reason given' : String(why) });
    });
  events.on('test:summary', ({ file, success, duration_ms: ms }) => {
    if (file === undefined) isPassed &&= success;
    else durations.push({ file: path.relative('', file), ms });
  });
  for await (const text of events.compose(new spec())) process.stdout.write(String(text));
  if (durations.length > 1) {
    console.log('\nSeconds of each file:');
    for (const { file, ms } of durations.toSorted((a, b) => b.ms - a.ms))
      console.log(`${(ms / 1_000).toFixed(1).padStart(7)}  ${file}`);
  }
  const refused = await skippedInCi(skipped);
  for (const { test, why } of refused) console.error(`Skipped in CI: ${test} (${why})`);
  if (refused.length > 0) {
    console.error('In CI a skipped test is a failure. .ci/install brings what it needs, or');
    console.error('scripts/may-skip-in-ci.json lists it with its reason.');
  }
  return isPassed && refused.length === 0 ? 0 : 1;
}

/**
 * Sorts the files so that those that take minutes begin first. Otherwise a long one that begins last keeps one
 * core busy while the others have nothing to do.
 */
function inOrder(files: string[]): string[] {
  const isLong = (file: string) => Number(!/^test[/\\](proofs|install)[/\\]/.test(file));
  return files.toSorted((a, b) => isLong(a) - isLong(b) || (a < b ? -1 : 1));
}

// Line coverage is not enough: a tested line can contain an untested branch.
const coverage = {
  coverage: true,
  coverageIncludeGlobs: ['src/**'],
  coverageExcludeGlobs: ['src/**/*.test.ts'],
  lineCoverage: 90,
  branchCoverage: 85,
  functionCoverage: 85,
};
